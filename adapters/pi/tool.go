package pi

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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
	closed    bool // stays in the map until the end of its round, so that late lines open nothing
}

func sorted[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }

// call finds the entry of a call or opens one.
func (t *Translator) call(id, name string, status protocol.ToolStatus, arguments string, out *adapters.Output) *tool {
	if c := t.tools[id]; c != nil {
		return c
	}
	t.begin(out)
	t.endTexts(out)
	budget := native.Budget{Limit: t.spec.TextLimit()}
	c := &tool{
		key: t.entry(), limit: budget.Limit, budget: budget, output: native.Growth{Budget: budget},
		name: name, id: id, final: arguments, running: status == protocol.ToolRunning,
	}
	t.tools[id] = c
	out.Draft(adapters.EntryOpened{Key: c.key, Type: protocol.EntryToolCall, Data: c.data(status), Round: t.run.round})
	return c
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

func (t *Translator) callStart(index int, id, name string, out *adapters.Output) {
	b := t.block(index, protocol.EntryToolCall)
	if id == "" || b.call != nil {
		return
	}
	if old := t.tools[id]; old != nil {
		// The provider gives the ids; an id that comes again is another call.
		if !old.closed {
			t.closeTool(old, "superseded", out)
		}
		delete(t.tools, id)
	}
	t.bindCall(b, t.call(id, name, protocol.ToolPending, "", out), out)
}

func (t *Translator) bindCall(b *block, c *tool, out *adapters.Output) {
	b.call = c
	t.msg.keys = append(t.msg.keys, c.key)
	if b.early != "" {
		t.addArguments(c, b.early, out)
		b.early = ""
	}
}

func (t *Translator) argumentsDelta(index int, delta string, out *adapters.Output) {
	b := t.block(index, protocol.EntryToolCall)
	if b.call == nil {
		b.early += b.budget.Take(delta)
		return
	}
	t.addArguments(b.call, delta, out)
}

func (t *Translator) addArguments(c *tool, delta string, out *adapters.Output) {
	if c.closed || c.running || c.final != "" {
		return
	}
	if delta = c.budget.Take(delta); delta != "" {
		c.arguments = append(c.arguments, delta...)
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.ArgumentsAppend{Text: delta}})
	}
}

// callEnd takes the call as the agent read it, from toolcall_end or from the end of the message.
func (t *Translator) callEnd(index int, v *content, out *adapters.Output) {
	b := t.block(index, protocol.EntryToolCall)
	if v.ID == "" {
		return
	}
	if b.call == nil || b.call.id != v.ID {
		t.bindCall(b, t.call(v.ID, v.Name, protocol.ToolPending, "", out), out)
	}
	// Arguments that were no JSON are replaced by {}: the text that the model wrote says more.
	if v.ArgumentsError == "" || len(b.call.arguments) == 0 {
		b.call.final = native.Compact(v.Arguments)
	}
}

func (t *Translator) toolExecution(kind string, line []byte, out *adapters.Output) {
	var e struct {
		ID         string          `json:"toolCallId"`
		Name       string          `json:"toolName"`
		Args       json.RawMessage `json:"args"`
		Partial    result          `json:"partialResult"`
		Result     result          `json:"result"`
		IsError    bool            `json:"isError"`
		DurationMs *int64          `json:"durationMs"`
	}
	_ = native.Decode(line, &e)
	c := t.call(e.ID, e.Name, protocol.ToolRunning, native.Compact(e.Args), out)
	if c.closed {
		return
	}
	if c.final == "" && len(c.arguments) == 0 {
		c.final = native.Compact(e.Args)
	}
	if kind != "tool_execution_end" && !c.running {
		c.running = true
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
	}
	switch kind {
	case "tool_execution_update":
		if d := c.output.Grow(plain(blocks(e.Partial.Content))); d != nil {
			out.Draft(adapters.EntryChanged{Key: c.key, Delta: d})
		}
	case "tool_execution_end":
		t.toolEnd(c, &e.Result, e.IsError, e.DurationMs, out)
	}
}

// toolEnd closes a call with the tool's own result.
func (t *Translator) toolEnd(c *tool, r *result, isError bool, durationMs *int64, out *adapters.Output) {
	t.dialogs.dropOf(c.key, out)
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
	diff.Set(d, diff.Rewrite(change.Patch, t.spec.Cwd), c.limit)
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: d})
}

// toolResult ends a call whose tool_execution_end was not seen, and reports what the tool itself used of the model.
func (t *Translator) toolResult(m *message, out *adapters.Output) {
	if c := t.tools[m.ToolCallID]; c != nil && !c.closed {
		t.toolEnd(c, &result{Content: m.Content}, m.IsError, m.DurationMs, out)
	}
	t.used(m.Usage, "", out)
}

// closeTools closes the calls that will get no result, and forgets the others of the round.
func (t *Translator) closeTools(reason string, out *adapters.Output) {
	for _, c := range t.openTools() {
		t.closeTool(c, reason, out)
	}
	clear(t.tools)
}

func (t *Translator) closeTool(c *tool, reason string, out *adapters.Output) {
	t.dialogs.dropOf(c.key, out)
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: c.left(), Incomplete: true, Reason: reason})
}

// left is the final data of a call that ended without a result.
func (c *tool) left() *protocol.ToolCallData {
	d := c.data(protocol.ToolError)
	d.Output, d.Cut = native.Cut(c.output.Last(), c.limit)
	return d
}

// failTools leaves the calls of a failed message to closeFailed.
func (t *Translator) failTools() {
	for _, c := range t.openTools() {
		c.closed = true
		t.failed = append(t.failed, abandoned{c.key, c.left()})
	}
	clear(t.tools)
}

// openTools lists the open calls in the order of their opening.
func (t *Translator) openTools() []*tool {
	var list []*tool
	for _, c := range t.tools {
		if !c.closed {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *tool) int { return int(a.key) - int(b.key) })
	return list
}
