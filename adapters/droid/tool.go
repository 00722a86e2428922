package droid

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tools are the calls of the turn, by their ids.
type tools struct {
	limit int    // bytes of a text
	cwd   string // of the session
	calls map[string]*tool
}

// tool is a tool call: everything about one id is one entry.
type tool struct {
	limit     int    // bytes of a text
	cwd       string // of the session
	key       adapters.EntryKey
	name, id  string
	arguments string // compact JSON; empty: not known yet
	streamed  bool   // the arguments went out as a delta
	output    native.Growth
	running   bool
	bound     bool                   // its message is complete
	closed    bool                   // stays until the end of the turn, so that late lines open nothing
	held      *protocol.ToolCallData // the result of an interrupted call, which another one may follow
}

// open opens the entry of a call.
func (t *tools) open(key adapters.EntryKey, id, name string, status protocol.ToolStatus, round int, out *adapters.Output) *tool {
	c := &tool{
		limit: t.limit, cwd: t.cwd, key: key, name: cmp.Or(name, "unknown"), id: id, running: status == protocol.ToolRunning,
		output: native.Growth{Budget: native.Budget{Limit: t.limit}},
	}
	t.calls[id] = c
	out.Draft(adapters.EntryOpened{Key: c.key, Type: protocol.EntryToolCall, Data: c.data(status), Round: round})
	return c
}

// past makes the entry of a call of an earlier conversation, which its message has stored. Without a result it was left behind.
func (t *tools) past(key adapters.EntryKey, v, result *contentWire, message string, out *adapters.Output) {
	c := &tool{limit: t.limit, cwd: t.cwd, key: key, name: v.Name, id: v.ID, arguments: native.Compact(v.Input)}
	out.Draft(adapters.EntryOpened{Key: key, Type: protocol.EntryToolCall, Data: c.data(protocol.ToolPending), PersistentID: message})
	if result == nil {
		out.Draft(adapters.EntryClosed{Key: key, Data: c.data(protocol.ToolError), Incomplete: true, Reason: "agent lost"})
		return
	}
	out.Draft(adapters.EntryClosed{Key: key, Data: c.result(result)})
}

// opened lists the calls that have not ended, in the order of their opening.
func (t *tools) opened() []*tool {
	list := slices.SortedFunc(maps.Values(t.calls), func(a, b *tool) int { return cmp.Compare(a.key, b.key) })
	return slices.DeleteFunc(list, func(c *tool) bool { return c.closed })
}

// closeHeld closes the interrupted calls, at the end of their turn.
func (t *tools) closeHeld(out *adapters.Output) {
	for _, c := range t.opened() {
		if c.held != nil {
			c.close(out)
		}
	}
}

// data is the call as known so far.
func (c *tool) data(status protocol.ToolStatus) *protocol.ToolCallData {
	d := &protocol.ToolCallData{ToolName: c.name, CallID: c.id, Status: status}
	if c.name == shellTool {
		d.Command, _ = native.Cut(inputOf([]byte(c.arguments)).Command, c.limit)
	}
	d.Arguments = native.CutMember(c.arguments, "arguments", c.limit, &d.Extra)
	return d
}

// read takes the arguments, which are empty at first. Those of the message are final.
func (c *tool) read(input json.RawMessage, final bool, out *adapters.Output) {
	args := native.Compact(input)
	if args == "" || args == "{}" && !final {
		return
	}
	c.arguments = args
	if !c.streamed && !c.closed {
		c.streamed = true
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.ArgumentsAppend{Text: native.Head(args, c.limit)}})
	}
}

// runs says that the call is being carried out.
func (c *tool) runs(out *adapters.Output) {
	if !c.running && !c.closed {
		c.running = true
		out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
	}
}

// allowed takes that the call may be carried out: the session has set it to running with that. c may be nil.
func (c *tool) allowed() {
	if c != nil {
		c.running = true
	}
}

// gives takes the whole output so far, which Droid repeats.
func (c *tool) gives(output string, out *adapters.Output) {
	if c.closed || output == "" {
		return
	}
	c.runs(out)
	c.output.Grow(c.key, output, out)
}

// end takes the result of a call. That of an interrupted one is held until the turn's end: another one may follow, and the last counts.
func (c *tool) end(r *contentWire, interrupted bool, out *adapters.Output) {
	if c.held = c.result(r); !interrupted || !r.IsError {
		c.close(out)
	}
}

func (c *tool) close(out *adapters.Output) {
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: c.held})
}

// leave closes a call that will get no result.
func (c *tool) leave(reason string, out *adapters.Output) {
	c.closed = true
	d := c.data(protocol.ToolError)
	d.Output, d.Cut = native.Cut(c.output.Last(), c.limit)
	out.Draft(adapters.EntryClosed{Key: c.key, Data: d, Incomplete: true, Reason: reason})
}

// result is the final data of a call.
func (c *tool) result(r *contentWire) *protocol.ToolCallData {
	status := protocol.ToolCompleted
	if r.IsError {
		status = protocol.ToolError
	}
	d := c.data(status)
	text := plain(blocks(r.Content))
	if c.name == shellTool {
		d.ExitCode = exitCode(text)
	}
	if kinds[c.name] == protocol.ToolEdit {
		diff.Set(d, unified(c.name, text, c.cwd), c.limit)
	}
	d.Output, d.Cut = native.Cut(text, c.limit)
	return d
}

// exitCode reads the status that Droid appends to a command's output.
func exitCode(output string) *int {
	const mark = "[Process exited with code "
	rest, ok := strings.CutSuffix(strings.TrimRight(output, " \n"), "]")
	at := strings.LastIndex(rest, mark)
	if !ok || at < 0 {
		return nil
	}
	code, err := strconv.Atoi(rest[at+len(mark):])
	if err != nil {
		return nil
	}
	return &code
}
