package opencode

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tool is what a tool call has beyond a part.
type tool struct {
	name, call string
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

// toolPart takes the state of a tool call.
func (t *Translator) toolPart(p *partWire, m *message, out *adapters.Output) {
	x := t.parts[p.ID]
	if x == nil {
		x = t.openTool(p, m, out)
	}
	if x.closed || x.tool == nil {
		return
	}
	c, s := x.tool, &p.State
	switch s.Status {
	case "running":
		t.toolInput(x, s, out)
		t.openAbout(x, out)
		c.running = true
		t.showRunning(x, out)
		if o := s.Metadata.Output; o != nil && !(t.sync.folds && strings.HasPrefix(c.output.Last(), *o)) {
			if d := c.output.Grow(*o); d != nil {
				out.Draft(adapters.EntryChanged{Key: x.key, Delta: d})
			}
		}
		t.childOf(p, x, out)
	case "completed", "error":
		t.toolInput(x, s, out)
		t.childOf(p, x, out)
		t.toolEnd(x, p, out)
	}
}

func (t *Translator) openTool(p *partWire, m *message, out *adapters.Output) *part {
	if !m.past {
		t.begin(out)
	}
	t.endTexts(out)
	x := &part{id: p.ID, message: p.MessageID, kind: protocol.EntryToolCall, key: t.entries.Next(), past: m.past}
	x.tool = &tool{name: p.name(), call: p.CallID, output: native.Growth{Budget: native.Budget{Limit: t.spec.TextLimit()}}}
	t.parts[p.ID] = x
	status := protocol.ToolPending
	if p.State.Status != "pending" {
		status = protocol.ToolRunning
		x.tool.running, x.tool.shown = true, true
		x.tool.read(&p.State, t.spec.TextLimit())
	}
	out.Draft(adapters.EntryOpened{
		Key: x.key, Type: protocol.EntryToolCall, Data: t.toolData(x, status), PersistentID: x.id, Round: t.run.round,
	})
	t.openAbout(x, out)
	return x
}

// read takes the arguments of a call. They come whole, when the call begins to run.
func (c *tool) read(s *stateWire, limit int) {
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
			c.command, _ = native.Cut(a.Command, limit)
		}
	}
}

// toolInput says the arguments once they are known.
func (t *Translator) toolInput(x *part, s *stateWire, out *adapters.Output) {
	c := x.tool
	had := c.arguments
	c.read(s, t.spec.TextLimit())
	if had == "" && c.arguments != "" {
		out.Draft(adapters.EntryChanged{
			Key: x.key, Delta: &protocol.ArgumentsAppend{Text: native.Head(c.arguments, t.spec.TextLimit())},
		})
	}
}

// showRunning says that a call runs, unless it waits for an answer: OpenCode calls that running, too.
func (t *Translator) showRunning(x *part, out *adapters.Output) {
	if c := x.tool; c.running && !c.shown && !t.asked.about(x.key) {
		c.shown = true
		out.Draft(adapters.EntryChanged{Key: x.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
	}
}

// toolData is the call as known so far.
func (t *Translator) toolData(x *part, status protocol.ToolStatus) *protocol.ToolCallData {
	c := x.tool
	d := &protocol.ToolCallData{ToolName: c.name, CallID: c.call, Status: status, Command: c.command}
	d.Arguments = native.CutMember(c.arguments, "arguments", t.spec.TextLimit(), &d.Extra)
	return d
}

// toolEnd closes a call with what the agent has stored of it.
func (t *Translator) toolEnd(x *part, p *partWire, out *adapters.Output) {
	s := &p.State
	status, output := protocol.ToolCompleted, s.Output
	if s.Status == "error" {
		status, output = protocol.ToolError, s.Error
	}
	if p.Tool == invalid {
		status = protocol.ToolError
	}
	t.asked.dropAbout(x.key, out)
	d := t.toolData(x, status)
	d.Output, d.Cut = native.Cut(output, t.spec.TextLimit())
	diff.Set(d, diff.Rewrite(cmp.Or(s.Metadata.Diff, s.Metadata.File.Patch), t.spec.Cwd), t.spec.TextLimit())
	if n, err := strconv.Atoi(string(s.Metadata.Exit)); err == nil {
		d.ExitCode = &n
	}
	if s.Time.Start > 0 && s.Time.End >= s.Time.Start {
		ms := int64(s.Time.End - s.Time.Start)
		d.DurationMs = &ms
	}
	x.closed = true
	out.Draft(adapters.EntryClosed{Key: x.key, Data: d, PersistentID: x.id})
}

// leaveTool closes a call that will get no result.
func (t *Translator) leaveTool(x *part, reason string, out *adapters.Output) {
	t.asked.dropAbout(x.key, out)
	d := t.toolData(x, protocol.ToolError)
	d.Output, d.Cut = native.Cut(x.tool.output.Last(), t.spec.TextLimit())
	x.closed = true
	out.Draft(adapters.EntryClosed{Key: x.key, Data: d, PersistentID: x.id, Incomplete: true, Reason: reason})
}

// childOf tells of the session that a task runs in.
func (t *Translator) childOf(p *partWire, x *part, out *adapters.Output) {
	id := p.State.Metadata.SessionID
	if p.Tool != taskTool || id == "" || id == t.session || t.children[id] || t.sync.past {
		return
	}
	t.children[id] = true
	var in struct {
		Description string `json:"description"`
	}
	_ = native.Decode(p.State.Input, &in)
	title := p.State.Title
	if title == "" {
		title = in.Description
	}
	out.Draft(adapters.ChildBegan{NativeID: id, Entry: x.key, Title: native.Head(title, maxWord)})
}

// taskTool is the tool that runs a sub-agent in a session of its own.
const taskTool = "task"

// call finds the call that a request is about.
func (t *Translator) call(message, id string) *part {
	var found *part
	for _, x := range t.parts {
		if x.tool != nil && !x.closed && x.tool.call == id && x.message == message {
			if found == nil || x.key > found.key {
				found = x
			}
		}
	}
	return found
}
