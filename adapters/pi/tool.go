package pi

import (
	"encoding/json"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tools are the calls of the round, by their ids.
type tools struct {
	limit int    // bytes of a text
	cwd   string // of the session
	calls map[string]*tool
}

// tool is a tool call: the toolcall block of a message and the tool_execution events are one entry.
type tool struct {
	limit     int // bytes of a text
	key       adapters.EntryKey
	name, id  string
	arguments []byte        // as streamed
	final     string        // as the agent read them
	budget    native.Budget // of the arguments
	output    native.Growth
	running   bool
	closed    bool // stays among the calls until the end of its round, so that late lines open nothing
}

// executionWire is a tool_execution_start, tool_execution_update or tool_execution_end.
type executionWire struct {
	ID         string          `json:"toolCallId"`
	Name       string          `json:"toolName"`
	Args       json.RawMessage `json:"args"`
	Partial    result          `json:"partialResult"`
	Result     result          `json:"result"`
	IsError    bool            `json:"isError"`
	DurationMs *int64          `json:"durationMs"`
}

// open opens the entry of a call.
func (t *tools) open(key adapters.EntryKey, id, name string, status protocol.ToolStatus, arguments string, round int, out *adapters.Output) *tool {
	budget := native.Budget{Limit: t.limit}
	c := &tool{
		key: key, limit: budget.Limit, budget: budget, output: native.Growth{Budget: budget},
		name: name, id: id, final: arguments, running: status == protocol.ToolRunning,
	}
	t.calls[id] = c
	out.Draft(adapters.EntryOpened{Key: c.key, Type: protocol.EntryToolCall, Data: c.data(status), Round: round})
	return c
}

// past opens a call of an earlier conversation, which the agent has stored under an id.
func (t *tools) past(key adapters.EntryKey, v *contentWire, id string, out *adapters.Output) {
	c := &tool{key: key, limit: t.limit, name: v.Name, id: v.ID, final: native.Compact(v.Arguments)}
	t.calls[v.ID] = c
	out.Draft(adapters.EntryOpened{Key: c.key, Type: protocol.EntryToolCall, Data: c.data(protocol.ToolPending), PersistentID: id})
}

// opened lists the open calls in the order of their opening.
func (t *tools) opened() []*tool {
	var list []*tool
	for _, c := range t.calls {
		if !c.closed {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *tool) int { return int(a.key) - int(b.key) })
	return list
}

// only gives the call that runs, if only one does; else nil.
func (t *tools) only() *tool {
	var running *tool
	for _, c := range t.opened() {
		switch {
		case !c.running:
		case running != nil:
			return nil
		default:
			running = c
		}
	}
	return running
}

// data is the tool call as known so far.
func (c *tool) data(status protocol.ToolStatus) *protocol.ToolCallData {
	d := &protocol.ToolCallData{ToolName: c.name, CallID: c.id, Status: status}
	d.Arguments = c.final
	if d.Arguments == "" {
		d.Arguments = string(c.arguments)
	}
	if c.name == "bash" {
		var a struct {
			Command string `json:"command"`
		}
		if native.Decode([]byte(c.final), &a) == nil {
			d.Command, _ = native.Cut(a.Command, c.limit)
		}
	}
	d.Arguments = native.CutMember(d.Arguments, "arguments", c.limit, &d.Extra)
	return d
}

// add adds to the arguments, until they are known.
func (c *tool) add(delta string, out *adapters.Output) {
	if c.closed || c.running || c.final != "" {
		return
	}
	c.arguments = append(c.arguments, c.budget.Grow(c.key, delta, native.AsArguments, out)...)
}

// read takes the arguments as the agent read them. Those that were no JSON are replaced by {}: the text that the model wrote says more.
func (c *tool) read(v *contentWire) {
	if v.ArgumentsError == "" || len(c.arguments) == 0 {
		c.final = native.Compact(v.Arguments)
	}
}

// runs takes that the call runs, and what it has given so far. The end of a call says no more that it runs.
func (c *tool) runs(kind string, e *executionWire, out *adapters.Output) {
	if c.final == "" && len(c.arguments) == 0 {
		c.final = native.Compact(e.Args)
	}
	if kind != "tool_execution_end" && !c.running {
		c.running = true
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
	}
	if kind == "tool_execution_update" {
		c.output.Grow(c.key, plain(blocks(e.Partial.Content)), out)
	}
}

// end closes a call with the tool's own result. cwd is the session's folder.
func (c *tool) end(r *result, isError bool, durationMs *int64, cwd string, out *adapters.Output) {
	status := protocol.ToolCompleted
	if isError {
		status = protocol.ToolError
	}
	d := c.data(status)
	d.Output, d.Cut = native.Cut(plain(blocks(r.Content)), c.limit)
	d.DurationMs = durationMs
	var shell struct {
		ExitCode *int `json:"exit_code"`
	}
	_ = native.Decode(r.Structured, &shell)
	d.ExitCode = shell.ExitCode
	var change struct {
		Patch string `json:"patch"`
	}
	_ = native.Decode(r.Details, &change)
	diff.Set(d, diff.Rewrite(change.Patch, cwd), c.limit)
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: d})
}

// leave closes a call that will get no result.
func (c *tool) leave(reason string, out *adapters.Output) {
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: c.left(), Incomplete: true, Reason: reason})
}

// left is the final data of a call that ended without a result.
func (c *tool) left() *protocol.ToolCallData {
	d := c.data(protocol.ToolError)
	d.Output, d.Cut = native.Cut(c.output.Last(), c.limit)
	return d
}
