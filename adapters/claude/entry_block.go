package claude

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// block is one content block that streams.
type block struct {
	kind   protocol.EntryType
	key    adapters.EntryKey // 0 until the first text: empty blocks make no entry
	sent   []byte            // what went out as deltas
	budget native.Budget
	ended  native.Ended // its text, where that ended before its `assistant` came
	final  bool         // its `assistant` has come
	closed bool
	call   *tool // of a tool call
}

// over says that the text of a block has ended.
func (b *block) over() bool { return b.final || b.closed || b.ended.Any() }

// said is the data of a text as far as it was written.
func (b *block) said() protocol.EntryData {
	return native.TextData(b.kind, string(b.sent), b.budget.Cut())
}

// add adds to a text that is open.
func (b *block) add(delta string, out *adapters.Output) {
	b.sent = append(b.sent, b.budget.Grow(b.key, delta, native.AsText, out)...)
}

// end ends a text before its `assistant` has come.
func (b *block) end(out *adapters.Output) {
	out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said()})
	b.ended.Add(string(b.sent), b.budget.All())
}

// leave closes a text that the agent has left behind.
func (b *block) leave(reason string, out *adapters.Output) {
	b.closed = true
	if b.key != 0 {
		out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said(), Incomplete: true, Reason: reason})
	}
}
