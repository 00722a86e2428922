package droid

import "github.com/ringmaster-agents/ringmaster/adapters"

// content is what is said, called and asked: a request belongs to a call.
type content struct {
	entries  entries
	tools    tools
	requests requests
}

// ask opens a request, for each call that it is about.
func (c *content) ask(r *request, list []asked, out *adapters.Output) {
	for i := range list {
		about := c.tools.calls[list[i].call]
		if about != nil && about.closed {
			about = nil
		}
		c.requests.ask(r, &list[i], about, out)
	}
}

// endTool ends a call with its result, and what was asked for it.
func (c *content) endTool(t *tool, r *contentWire, interrupted bool, out *adapters.Output) {
	if !t.closed {
		c.requests.dropAbout(t, out)
		t.end(r, interrupted, out)
	}
}

// leaveAnnounced leaves the calls of a message that was taken back before it was complete.
func (c *content) leaveAnnounced(reason string, out *adapters.Output) {
	for _, t := range c.tools.opened() {
		if !t.bound && !t.running {
			c.requests.dropAbout(t, out)
			t.leave(reason, out)
		}
	}
}

// forget forgets what a turn had: what is open of it, the session closes.
func (c *content) forget() {
	c.entries.forget()
	clear(c.tools.calls)
	c.requests.forget()
}
