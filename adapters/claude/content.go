package claude

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// content is what is said, called and asked: a call is a block of a message, and a request belongs to a call.
type content struct {
	entries  entries
	tools    tools
	requests requests
}

// next goes on to another message. What the one before has left open ends.
func (c *content) next(id string, out *adapters.Output) {
	for _, b := range c.entries.stream.sorted(0) {
		c.leave(b, "superseded", out)
	}
	c.entries.stream.next(id)
}

// abandon closes the blocks from an index on that will get no `assistant`.
func (c *content) abandon(from int, out *adapters.Output) {
	dropped := false
	for _, b := range c.entries.stream.sorted(from) {
		if b.ended.Any() && !b.final {
			b.final, dropped = true, true
		}
		c.leave(b, "abandoned", out)
	}
	if dropped {
		native.Retracted(out)
	}
}

func (c *content) leave(b *block, reason string, out *adapters.Output) {
	switch {
	case b.over():
	case b.call != nil:
		b.closed = true
		c.leaveTool(b.call, reason, out)
	default:
		b.leave(reason, out)
	}
}

// openTool opens the entry of a call, or gives that of the same message. The provider gives the ids: one that comes again in another
// message is another call.
func (c *content) openTool(v *contentWire, arguments string, round int, out *adapters.Output) *tool {
	generation := c.entries.stream.generation
	if old := c.tools.calls[v.ID]; old != nil {
		if old.generation == generation {
			return old
		}
		c.leaveTool(old, "superseded", out)
	}
	c.entries.endText(out)
	return c.tools.open(c.entries.keys.Next(), v, generation, arguments, round, out)
}

// startTool takes that a block is a call, before its arguments are known.
func (c *content) startTool(index int, v *contentWire, round int, out *adapters.Output) {
	if b := c.entries.block(index, protocol.EntryToolCall); b.call == nil && b.kind == protocol.EntryToolCall {
		b.call = c.openTool(v, "", round, out)
	}
}

// finalTool takes a call whose arguments are complete.
func (c *content) finalTool(v *contentWire, round int, out *adapters.Output) {
	if v.ID == "" {
		return
	}
	arguments := native.Compact(v.Input)
	if b := c.entries.stream.first(func(b *block) bool { return b.call != nil && b.call.id == v.ID }); b != nil {
		b.final = true
		b.call.runs(arguments, out)
	} else if old := c.tools.calls[v.ID]; old == nil || old.generation != c.entries.stream.generation {
		c.openTool(v, arguments, round, out)
	} else {
		return
	}
	if plan := v.plan(c.entries.limit); plan != nil {
		c.entries.whole(protocol.EntryPlan, plan, "", round, out)
	}
}

// leaveTool closes a call that will get no result, and the requests about it.
func (c *content) leaveTool(t *tool, reason string, out *adapters.Output) {
	if t.closed {
		return
	}
	c.requests.dropAbout(t.key, out)
	t.leave(reason, out)
}

// leaveTools closes the calls that will get no result, and forgets them all.
func (c *content) leaveTools(reason string, out *adapters.Output) {
	for _, t := range c.tools.sorted() {
		c.leaveTool(t, reason, out)
	}
	clear(c.tools.calls)
}

// toolResult ends a call with the result that a line of the user's side has for it. only says that the line has no other one.
func (c *content) toolResult(r *contentWire, u *userLine, only bool, out *adapters.Output) {
	if t := c.tools.waiting(r.ToolUseID); t != nil {
		c.endTool(t, t.result(r, u, only, c.tools.cwd), out)
	}
}

// serverResult ends the call of a server-side tool.
func (c *content) serverResult(r *contentWire, out *adapters.Output) {
	if t := c.tools.waiting(r.ToolUseID); t != nil {
		c.endTool(t, t.serverResult(r), out)
	}
}

// endTool closes a call with its result, and the requests about it.
func (c *content) endTool(t *tool, d *protocol.ToolCallData, out *adapters.Output) {
	c.requests.dropAbout(t.key, out)
	t.end(d, out)
}

// toolResults takes the results of calls that a line of the user's side has, and says whether it has any.
func (c *content) toolResults(list []contentWire, u *userLine, out *adapters.Output) bool {
	n := 0
	for i := range list {
		if list[i].Type == "tool_result" {
			n++
		}
	}
	for i := range list {
		if list[i].Type == "tool_result" {
			c.toolResult(&list[i], u, n == 1, out)
		}
	}
	return n > 0
}

// taskEnded takes a task_notification. The end of a job that a call waits for is the call's result.
func (c *content) taskEnded(line []byte, out *adapters.Output) {
	var e task
	_ = native.Decode(line, &e)
	if t := c.tools.calls[e.ToolUseID]; t == nil || t.launched {
		e.notice(out)
	}
}

// asked takes a request of the agent.
func (c *content) asked(line []byte, out *adapters.Output) {
	var r controlRequest
	_ = native.Decode(line, &r)
	c.requests.asked(&r, c.tools.calls[r.Request.ToolUseID], line, out)
}

// childBegan tells of a sub-agent, which the call of its id has started.
func (c *content) childBegan(id, title string, out *adapters.Output) {
	began := adapters.ChildBegan{NativeID: id, Title: native.Head(title, maxTitle)}
	if t := c.tools.waiting(id); t != nil {
		began.Entry = t.key
	}
	out.Draft(began)
}

// forget forgets what a turn had: what is open of it, the session closes.
func (c *content) forget() {
	c.entries.stream.forget()
	clear(c.tools.calls)
}
