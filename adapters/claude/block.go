package claude

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// stream is the message of the model that streams now, or came last: Claude Code streams one at a time. Its id is the
// provider's and may come again; a message_start begins another generation of it all the same.
type stream struct {
	id         string
	generation int            // counts the messages of the connection
	blocks     map[int]*block // by index
	writing    *block         // the text whose entry was opened last: no other one is open
}

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

func (t *Translator) messageStart(m *message, out *adapters.Output) {
	t.begin(out)
	t.phase(protocol.StateResponding, out)
	t.nextStream(m.ID, out)
}

// nextStream goes on to another message.
func (t *Translator) nextStream(id string, out *adapters.Output) {
	t.dropStream("superseded", out)
	t.stream = stream{id: id, generation: t.stream.generation + 1}
	t.turn.round++
}

// dropStream closes what a message left open.
func (t *Translator) dropStream(reason string, out *adapters.Output) {
	for _, i := range slices.Sorted(maps.Keys(t.stream.blocks)) {
		t.leave(t.stream.blocks[i], reason, out)
	}
}

// abandon closes the blocks from an index on that will get no `assistant`.
func (t *Translator) abandon(from int, out *adapters.Output) {
	dropped := false
	for _, i := range slices.Sorted(maps.Keys(t.stream.blocks)) {
		b := t.stream.blocks[i]
		if i < from {
			continue
		}
		if b.ended.Any() && !b.final {
			b.final, dropped = true, true
		}
		t.leave(b, "abandoned", out)
	}
	if dropped {
		native.Retracted(out)
	}
}

// over says that the text of a block has ended.
func (b *block) over() bool { return b.final || b.closed || b.ended.Any() }

// endTexts ends the text that is being written, because another block begins: its `assistant` was lost.
func (t *Translator) endTexts(out *adapters.Output) {
	if b := t.stream.writing; b != nil && !b.over() {
		out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said()})
		b.ended.Add(string(b.sent), b.budget.All())
	}
}

// said is the data of a text as far as it was written.
func (b *block) said() protocol.EntryData {
	return native.TextData(b.kind, string(b.sent), b.budget.Cut())
}

func (t *Translator) leave(b *block, reason string, out *adapters.Output) {
	switch {
	case b.over():
	case b.call != nil:
		b.closed = true
		t.leaveTool(b.call, reason, out)
	default:
		b.closed = true
		if b.key != 0 {
			out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said(), Incomplete: true, Reason: reason})
		}
	}
}

// block finds the block of an index, or makes it: its beginning may be lost.
func (t *Translator) block(index int, kind protocol.EntryType) *block {
	b := t.stream.blocks[index]
	if b == nil {
		if t.stream.blocks == nil {
			t.stream.blocks = map[int]*block{}
		}
		b = &block{kind: kind, budget: native.Budget{Limit: t.spec.TextLimit()}}
		t.stream.blocks[index] = b
	}
	return b
}

func (t *Translator) blockStart(index int, c *content, out *adapters.Output) {
	switch {
	case c.Type == "text":
		t.textDelta(index, protocol.EntryAssistantMessage, c.Text, out)
	case c.Type == "thinking":
		t.textDelta(index, protocol.EntryThinking, c.Thinking, out)
	case c.isCall() && c.ID != "":
		t.begin(out)
		if b := t.block(index, protocol.EntryToolCall); b.call == nil && b.kind == protocol.EntryToolCall {
			b.call = t.openTool(c, "", out)
		}
	}
}

// blockStop is the end of a block, also of one that breaks off: that it is whole only its `assistant` says, which has come before
// and has ended its entry. An empty block has none, and must not take that of a later one.
func (t *Translator) blockStop(index int) {
	if b := t.stream.blocks[index]; b != nil && b.call == nil && b.key == 0 {
		b.closed = true
	}
}

// textDelta adds to a text or thinking block.
func (t *Translator) textDelta(index int, kind protocol.EntryType, delta string, out *adapters.Output) {
	b := t.block(index, kind)
	if delta == "" || b.over() || b.kind != kind {
		return
	}
	t.openText(b, out)
	if delta = b.budget.Take(delta); delta != "" {
		b.sent = append(b.sent, delta...)
		out.Draft(adapters.EntryChanged{Key: b.key, Delta: &protocol.TextAppend{Text: delta}})
	}
}

func (t *Translator) openText(b *block, out *adapters.Output) {
	if b.key != 0 {
		return
	}
	t.begin(out)
	t.endTexts(out)
	b.key, t.stream.writing = t.entry(), b
	out.Draft(adapters.EntryOpened{
		Key: b.key, Type: b.kind, Data: t.textData(b.kind, ""), PersistentID: t.stream.id, Round: t.turn.round,
	})
}

func (t *Translator) textData(kind protocol.EntryType, s string) protocol.EntryData {
	s, c := native.Cut(s, t.spec.TextLimit())
	return native.TextData(kind, s, c)
}

// argumentsDelta adds to the arguments of a call.
func (t *Translator) argumentsDelta(index int, delta string, out *adapters.Output) {
	if b := t.stream.blocks[index]; b != nil && b.call != nil && !b.final {
		t.addArguments(b.call, delta, out)
	}
}
