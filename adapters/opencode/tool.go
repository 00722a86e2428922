package opencode

import (
	"cmp"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tool is what a tool call has beyond a part.
type tool struct {
	name, call string
	limit      int // of one text, in bytes
	arguments  string
	command    string
	running    bool
	shown      bool // that it runs was said
	output     native.Growth
	streamed   native.Budget // arguments that came as deltas: the newer surface
}

// invalid is the name that OpenCode gives to a call of an unknown tool, or with arguments that are no JSON, which it then
// completes.
const invalid = "invalid"

// name is the name that the model gave the tool, as far as it can still be known.
func (p *partWire) name() string {
	var in struct {
		Tool string `json:"tool"`
	}
	if p.Tool == invalid && native.Decode(p.State.Input, &in) == nil && in.Tool != "" {
		return native.Head(in.Tool, maxWord)
	}
	return p.Tool
}

// openTool opens the entry of a call.
func (e *entries) openTool(p *partWire, out *adapters.Output) *part {
	e.endTexts(out)
	x := &part{id: p.ID, message: p.MessageID, kind: protocol.EntryToolCall, key: e.keys.Next()}
	x.tool = &tool{name: p.name(), call: p.CallID, limit: e.limit, output: native.Growth{Budget: native.Budget{Limit: e.limit}}}
	e.parts[p.ID] = x
	status := protocol.ToolPending
	if p.State.Status != "pending" {
		status = protocol.ToolRunning
		x.tool.running, x.tool.shown = true, true
		x.tool.read(&p.State)
	}
	out.Draft(adapters.EntryOpened{
		Key: x.key, Type: protocol.EntryToolCall, Data: x.tool.data(status), PersistentID: x.id, Round: e.round,
	})
	return x
}

// call finds the open call that a request is about.
func (e *entries) call(about callWire) *part {
	var found *part
	for _, x := range e.parts {
		if x.tool != nil && !x.closed && x.tool.call == about.CallID && x.message == about.MessageID {
			if found == nil || x.key > found.key {
				found = x
			}
		}
	}
	return found
}

// callOf finds the open call of an entry.
func (e *entries) callOf(key adapters.EntryKey) *part {
	for _, x := range e.parts {
		if x.tool != nil && !x.closed && x.key == key {
			return x
		}
	}
	return nil
}

// read takes the arguments of a call. They come whole, when the call begins to run.
func (c *tool) read(s *stateWire) {
	if in := native.Compact(s.Input); in != "" && in != "{}" || c.arguments == "" && s.Status != "pending" {
		c.arguments = in
	}
	if c.arguments == "" {
		c.arguments = s.Raw
	}
	if c.name == "bash" {
		var a struct {
			Command string `json:"command"`
		}
		if native.Decode(s.Input, &a) == nil {
			c.command, _ = native.Cut(a.Command, c.limit)
		}
	}
}

// input says the arguments once they are known.
func (c *tool) input(s *stateWire, key adapters.EntryKey, out *adapters.Output) {
	had := c.arguments
	c.read(s)
	if had == "" && c.arguments != "" {
		out.Draft(adapters.EntryChanged{Key: key, Delta: &protocol.ArgumentsAppend{Text: native.Head(c.arguments, c.limit)}})
	}
}

// prints says what is new in the output so far.
func (c *tool) prints(output string, key adapters.EntryKey, out *adapters.Output) {
	c.output.Grow(key, output, out)
}

// data is the call as known so far.
func (c *tool) data(status protocol.ToolStatus) *protocol.ToolCallData {
	d := &protocol.ToolCallData{ToolName: c.name, CallID: c.call, Status: status, Command: c.command}
	d.Arguments = native.CutMember(c.arguments, "arguments", c.limit, &d.Extra)
	return d
}

// result is the call with what the agent has stored of it. cwd is the session's folder.
func (c *tool) result(p *partWire, cwd string) *protocol.ToolCallData {
	s := &p.State
	status, output := protocol.ToolCompleted, s.Output
	if s.Status == "error" {
		status, output = protocol.ToolError, s.Error
	}
	if p.Tool == invalid {
		status = protocol.ToolError
	}
	d := c.data(status)
	d.Output, d.Cut = native.Cut(output, c.limit)
	diff.Set(d, diff.Rewrite(cmp.Or(s.Metadata.Diff, s.Metadata.File.Patch), cwd), c.limit)
	if n, err := strconv.Atoi(string(s.Metadata.Exit)); err == nil {
		d.ExitCode = &n
	}
	if s.Time.Start > 0 && s.Time.End >= s.Time.Start {
		ms := int64(s.Time.End - s.Time.Start)
		d.DurationMs = &ms
	}
	return d
}

// closeTool ends a call.
func (x *part) closeTool(p *partWire, cwd string, out *adapters.Output) {
	x.closed = true
	out.Draft(adapters.EntryClosed{Key: x.key, Data: x.tool.result(p, cwd), PersistentID: x.id})
}
