package pi

import "github.com/ringmaster-agents/ringmaster/adapters"

// content is what is said, called and asked: a request belongs to a call, and the calls of a failed message end as its texts do.
type content struct {
	entries  entries
	tools    tools
	requests requests
}

// ask opens a dialog. A confirm belongs to the call that it names; a question to the one that runs, if only one does.
func (c *content) ask(r *uiRequest, out *adapters.Output) {
	var about *tool
	if r.Method != "confirm" {
		about = c.tools.only()
	} else if id, ok := r.call(); ok {
		if call := c.tools.calls[id]; call != nil && !call.closed {
			about = call
		}
	}
	c.requests.ask(r, about, out)
}

// endTool closes a call with its result, and the requests about it.
func (c *content) endTool(t *tool, r *result, isError bool, durationMs *int64, out *adapters.Output) {
	c.requests.dropAbout(t.key, out)
	t.end(r, isError, durationMs, c.tools.cwd, out)
}

// leaveTool closes a call that will get no result, and the requests about it.
func (c *content) leaveTool(t *tool, reason string, out *adapters.Output) {
	c.requests.dropAbout(t.key, out)
	t.leave(reason, out)
}

// leaveTools closes the calls that will get no result, and forgets the others of the round.
func (c *content) leaveTools(reason string, out *adapters.Output) {
	for _, t := range c.tools.opened() {
		c.leaveTool(t, reason, out)
	}
	clear(c.tools.calls)
}

// failTools leaves the calls of a failed message to what becomes of it.
func (c *content) failTools() {
	for _, t := range c.tools.opened() {
		t.closed = true
		c.entries.abandon(t.key, t.left())
	}
	clear(c.tools.calls)
}

// result ends a call whose tool_execution_end was not seen.
func (c *content) result(m *message, out *adapters.Output) {
	if t := c.tools.calls[m.ToolCallID]; t != nil && !t.closed {
		c.endTool(t, &result{Content: m.Content}, m.IsError, m.DurationMs, out)
	}
}

// forget forgets what a turn had: what is open of it, the session closes.
func (c *content) forget() {
	c.entries.message = assistant{}
	clear(c.tools.calls)
}
