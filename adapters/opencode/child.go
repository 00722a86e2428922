package opencode

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// taskTool is the tool that runs a sub-agent in a session of its own.
const taskTool = "task"

// child is the session that a task runs in; empty: the part is no task, or has none yet.
func (p *partWire) child() string {
	if p.Tool != taskTool {
		return ""
	}
	return p.State.Metadata.SessionID
}

// children are the sub-agents that were told of, by the ids of their sessions.
type children struct{ told map[string]bool }

// began tells of the sub-agent that a task has begun, once.
func (c *children) began(id string, p *partWire, entry adapters.EntryKey, out *adapters.Output) {
	if id == "" || c.told[id] {
		return
	}
	c.told[id] = true
	var in struct {
		Description string `json:"description"`
	}
	_ = native.Decode(p.State.Input, &in)
	out.Draft(adapters.ChildBegan{NativeID: id, Entry: entry, Title: native.Head(cmp.Or(p.State.Title, in.Description), maxWord)})
}
