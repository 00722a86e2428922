package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// content is what is said, called and asked: a request belongs to a call.
type content struct {
	entries  entries
	requests requests
}

// closeParts closes what is open of a message.
func (c *content) closeParts(message, reason string, out *adapters.Output) {
	for _, x := range c.entries.openParts(message) {
		c.leave(x, reason, out)
	}
}

// leave closes a part that the agent never ended, and the requests about it.
func (c *content) leave(x *part, reason string, out *adapters.Output) {
	if x.tool != nil && !x.closed {
		c.requests.dropAbout(x.key, out)
	}
	c.entries.leave(x, reason, out)
}

// openTool opens a call, and the requests that waited for it.
func (c *content) openTool(p *partWire, out *adapters.Output) *part {
	x := c.entries.openTool(p, out)
	c.requests.openAbout(x, &c.entries, out)
	return x
}

// runs takes that a call runs, whose arguments are known.
func (c *content) runs(x *part, out *adapters.Output) {
	c.requests.openAbout(x, &c.entries, out)
	x.tool.running = true
	c.show(x, out)
}

// show says that a call runs, unless it waits for an answer: OpenCode calls that running, too.
func (c *content) show(x *part, out *adapters.Output) {
	if call := x.tool; call.running && !call.shown && !c.requests.about(x.key) {
		call.shown = true
		out.Draft(adapters.EntryChanged{Key: x.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
	}
}

// closeTool ends a call and the requests about it.
func (c *content) closeTool(x *part, p *partWire, out *adapters.Output) {
	c.requests.dropAbout(x.key, out)
	x.closeTool(p, c.requests.cwd, out)
}
