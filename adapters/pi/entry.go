package pi

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entries are what is said: the assistant message that streams now, and what failed ones left behind. All keys of entries are given here.
type entries struct {
	keys    keys
	limit   int // bytes of a text
	message assistant
	failed  []abandoned
	dropped bool // the message that failed had texts that had ended
}

// keys gives the keys of entries.
type keys = native.Counter[adapters.EntryKey]

// assistant is the assistant message that streams now; Pi streams one at a time.
type assistant struct {
	blocks  map[int]*block // by contentIndex
	keys    []adapters.EntryKey
	writing *block // the text whose entry was opened last: no other one is open
}

// block is one content block of it.
type block struct {
	kind   protocol.EntryType
	key    adapters.EntryKey // 0 until there is text: empty blocks make no entry
	sent   []byte            // what went out as deltas
	budget native.Budget
	ended  native.Ended // what it has in entries before key
	closed bool
	call   *tool  // of a tool call, once its id is known
	early  string // arguments that came before it
}

// abandoned is an entry of a message that failed. It stays open until it is known whether the agent tries again.
type abandoned struct {
	key  adapters.EntryKey
	data protocol.EntryData
}

func sorted[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }

// whole opens and closes an entry that came in one piece.
func (e *entries) whole(kind protocol.EntryType, data protocol.EntryData, round int, out *adapters.Output) adapters.EntryKey {
	key := e.keys.Next()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, Round: round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
	return key
}

// past is an entry of an earlier conversation, whose id is known.
func (e *entries) past(kind protocol.EntryType, data protocol.EntryData, id string, out *adapters.Output) {
	key := e.keys.Next()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}

// block finds a block of the message, or begins one.
func (e *entries) block(index int, kind protocol.EntryType) *block {
	m := &e.message
	b := m.blocks[index]
	if b == nil || b.kind != kind {
		if m.blocks == nil {
			m.blocks = map[int]*block{}
		}
		if b != nil { // of a message whose end was lost: it is still to be ended
			m.blocks[^len(m.blocks)] = b
		}
		b = &block{kind: kind, budget: native.Budget{Limit: e.limit}}
		m.blocks[index] = b
	}
	return b
}

// data is a whole text.
func (e *entries) data(kind protocol.EntryType, s string) protocol.EntryData {
	s, c := native.Cut(s, e.limit)
	return native.TextData(kind, s, c)
}

// more finds the text that a delta belongs to, and what the delta adds to it: empty, where that is nothing.
func (e *entries) more(index int, kind protocol.EntryType, delta string) (b *block, more string) {
	b = e.block(index, kind)
	if delta == "" || b.closed {
		return b, ""
	}
	if b.key == 0 && b.ended.Any() {
		delta = b.ended.More(delta)
	}
	return b, delta
}

// open opens the entry of a text. Another one that is being written ends.
func (e *entries) open(b *block, round int, out *adapters.Output) {
	if b.key != 0 {
		return
	}
	e.endTexts(out)
	b.key, e.message.writing = e.keys.Next(), b
	e.message.keys = append(e.message.keys, b.key)
	out.Draft(adapters.EntryOpened{Key: b.key, Type: b.kind, Data: e.data(b.kind, ""), Round: round})
}

// add adds to a text that is open.
func (b *block) add(delta string, out *adapters.Output) {
	b.sent = append(b.sent, b.budget.Grow(b.key, delta, native.AsText, out)...)
}

// said is the data of a text as far as it was written.
func (b *block) said() protocol.EntryData {
	return native.TextData(b.kind, string(b.sent), b.budget.Cut())
}

// endTexts ends the text that is being written, because another block begins. With most providers Pi says that a block is over
// only when its message is, and adds what comes later to the block that it has.
func (e *entries) endTexts(out *adapters.Output) {
	e.closeFailed("retry", out)
	b := e.message.writing
	if b == nil || b.key == 0 || b.closed {
		return
	}
	out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said()})
	b.ended.Add(string(b.sent), b.budget.All())
	b.key, b.sent, b.budget = 0, nil, native.Budget{Limit: e.limit}
}

// rest is what the final text of a block has for the entry that is open, or is to be opened for it.
func (e *entries) rest(b *block, final string, out *adapters.Output) string {
	if !b.ended.Any() {
		return final
	}
	rest, ok := b.ended.Rest(final)
	if !ok {
		native.Differs(final, e.limit, out)
		rest = string(b.sent)
	}
	return rest
}

// close ends the entry of a block with its final text, which wins over the sum of the deltas.
func (e *entries) close(b *block, final string, out *adapters.Output) {
	b.closed = true
	out.Draft(adapters.EntryClosed{Key: b.key, Data: e.data(b.kind, final)})
}

// end ends a text at the end of its message, if its own end has not come. stop is the message's stopReason where the text was its last.
func (e *entries) end(index int, kind protocol.EntryType, final, stop string, round int, out *adapters.Output) {
	b := e.block(index, kind)
	if b.closed {
		return
	}
	if final = e.rest(b, final, out); b.key != 0 || final != "" {
		e.endWith(b, e.data(kind, final), stop, round, out)
	}
}

// endOthers ends the texts that the end of their message does not have.
func (e *entries) endOthers(stop string, round int, out *adapters.Output) {
	for _, i := range sorted(e.message.blocks) {
		b := e.message.blocks[i]
		if b.kind == protocol.EntryToolCall {
			continue
		}
		e.dropped = e.dropped || stop == "error" && (b.closed || b.ended.Any())
		if b.key != 0 && !b.closed {
			e.endWith(b, b.said(), stop, round, out)
		}
	}
}

func (e *entries) endWith(b *block, data protocol.EntryData, stop string, round int, out *adapters.Output) {
	e.open(b, round, out)
	if stop == "error" {
		e.abandon(b.key, data)
		b.key = 0
		return
	}
	b.closed = true
	end := adapters.EntryClosed{Key: b.key, Data: data}
	if stop == "aborted" {
		end.Incomplete, end.Reason = true, "interrupted"
	}
	out.Draft(end)
}

// supersede closes what a message left open whose end was never seen.
func (e *entries) supersede(out *adapters.Output) {
	for _, i := range sorted(e.message.blocks) {
		if b := e.message.blocks[i]; b.key != 0 && !b.closed {
			out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said(), Incomplete: true, Reason: "superseded"})
		}
	}
	e.message = assistant{}
}

// abandon leaves an entry of a failed message to closeFailed.
func (e *entries) abandon(key adapters.EntryKey, data protocol.EntryData) {
	e.failed = append(e.failed, abandoned{key, data})
}

// closeFailed closes what a failed message left behind.
func (e *entries) closeFailed(reason string, out *adapters.Output) {
	for _, f := range e.failed {
		out.Draft(adapters.EntryClosed{Key: f.key, Data: f.data, Incomplete: true, Reason: reason})
	}
	e.failed = e.failed[:0]
	if e.dropped && reason == "retry" {
		native.Retracted(out)
	}
	e.dropped = false
}

// bind makes a call the content of a block.
func (e *entries) bind(b *block, c *tool, out *adapters.Output) {
	b.call = c
	e.message.keys = append(e.message.keys, c.key)
	if b.early != "" {
		c.add(b.early, out)
		b.early = ""
		if b.budget.Spent() {
			c.budget.Mute()
		}
	}
}

// arguments adds to the arguments of a call.
func (e *entries) arguments(index int, delta string, out *adapters.Output) {
	b := e.block(index, protocol.EntryToolCall)
	if b.call == nil {
		b.early += b.budget.Take(delta)
		return
	}
	b.call.add(delta, out)
}
