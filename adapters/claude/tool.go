package claude

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tools are the calls of the running turn, by their ids.
type tools struct {
	limit int    // bytes of a text
	cwd   string // of the session
	calls map[string]*tool
}

// tool is a tool call: its block and its result are one entry.
type tool struct {
	key        adapters.EntryKey
	limit      int // bytes of a text
	name, id   string
	generation int    // of the message that called it: the same id in another one is another call
	arguments  []byte // as streamed
	final      string // as the agent read them
	budget     native.Budget
	running    bool
	launched   bool // its result was that of a start
	closed     bool // stays until the end of the turn, so that late lines open nothing
}

// open opens the entry of a call. Arguments that are known already say that it runs.
func (t *tools) open(key adapters.EntryKey, v *contentWire, generation int, arguments string, round int, out *adapters.Output) *tool {
	c := &tool{
		key: key, limit: t.limit, name: v.Name, id: v.ID, generation: generation, final: arguments, running: arguments != "",
		budget: native.Budget{Limit: t.limit},
	}
	t.calls[v.ID] = c
	status := protocol.ToolPending
	if c.running {
		status = protocol.ToolRunning
	}
	out.Draft(adapters.EntryOpened{Key: key, Type: protocol.EntryToolCall, Data: c.data(status), PersistentID: v.ID, Round: round})
	return c
}

// waiting is a call that has no result yet; nil: it has one, or there is no such call.
func (t *tools) waiting(id string) *tool {
	if c := t.calls[id]; c != nil && !c.closed {
		return c
	}
	return nil
}

// sorted lists the calls in the order in which they were made.
func (t *tools) sorted() []*tool {
	return slices.SortedFunc(maps.Values(t.calls), func(a, b *tool) int { return cmp.Compare(a.key, b.key) })
}

// data is the call as known so far.
func (c *tool) data(status protocol.ToolStatus) *protocol.ToolCallData {
	d := &protocol.ToolCallData{ToolName: c.name, CallID: c.id, Status: status, Arguments: c.final}
	if d.Arguments == "" {
		d.Arguments = string(c.arguments)
	}
	if kindOf(c.name) == protocol.ToolExecute {
		d.Command, _ = native.Cut(readInput([]byte(c.final)).Command, c.limit)
	}
	d.Arguments = native.CutMember(d.Arguments, "arguments", c.limit, &d.Extra)
	return d
}

// add adds to the arguments.
func (c *tool) add(delta string, out *adapters.Output) {
	if c.closed || c.running {
		return
	}
	c.arguments = append(c.arguments, c.budget.Grow(c.key, delta, native.AsArguments, out)...)
}

// runs takes the arguments as the agent read them: the tool runs, or waits for permission.
func (c *tool) runs(arguments string, out *adapters.Output) {
	if c.closed {
		return
	}
	c.final, c.running = arguments, true
	out.Draft(adapters.EntryChanged{Key: c.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
}

// leave closes a call that will get no result.
func (c *tool) leave(reason string, out *adapters.Output) {
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: c.data(protocol.ToolError), Incomplete: true, Reason: reason})
}

// end closes a call with its result.
func (c *tool) end(d *protocol.ToolCallData, out *adapters.Output) {
	c.closed = true
	out.Draft(adapters.EntryClosed{Key: c.key, Data: d})
}
