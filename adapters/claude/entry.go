package claude

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entries are what is said: the message of the model at work, and the compaction that waits for its summary. All keys of entries are given
// here.
type entries struct {
	keys    keys
	limit   int // bytes of a text
	stream  stream
	compact compaction
	last    string // uuid of the last `assistant`
}

// keys gives the keys of entries.
type keys = native.Counter[adapters.EntryKey]

// stream is the message of the model that streams now, or came last: Claude Code streams one at a time. Its id is the
// provider's and may come again; a message_start begins another generation of it all the same.
type stream struct {
	id         string
	generation int            // counts the messages of the connection
	blocks     map[int]*block // by index
	writing    *block         // the text whose entry was opened last: no other one is open
}

// is says whether a message is the one at work. Where the beginning of its stream was lost, its id is known only now.
func (s *stream) is(id string) bool {
	if s.id == "" && len(s.blocks) > 0 {
		s.id = id
	}
	return s.id == id
}

// next goes on to another message.
func (s *stream) next(id string) { *s = stream{id: id, generation: s.generation + 1} }

// forget forgets the message at the end of its turn.
func (s *stream) forget() { *s = stream{generation: s.generation} }

// sorted lists the blocks from an index on.
func (s *stream) sorted(from int) []*block {
	var list []*block
	for _, i := range slices.Sorted(maps.Keys(s.blocks)) {
		if i >= from {
			list = append(list, s.blocks[i])
		}
	}
	return list
}

// first is the first block of a kind whose final content has not come; nil: there is none.
func (s *stream) first(fits func(b *block) bool) *block {
	for _, b := range s.sorted(0) {
		if !b.final && !b.closed && fits(b) {
			return b
		}
	}
	return nil
}

// again says that an `assistant` is the last one once more: a line may come twice, and two may say the same.
func (e *entries) again(uuid string) bool {
	same := uuid != "" && uuid == e.last
	e.last = uuid
	return same
}

// whole opens and closes an entry that came in one piece.
func (e *entries) whole(kind protocol.EntryType, data protocol.EntryData, id string, round int, out *adapters.Output) {
	key := e.keys.Next()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id, Round: round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}

// endCompaction makes the entry of a compaction that is open.
func (e *entries) endCompaction(summary string, round int, out *adapters.Output) {
	if data := e.compact.end(summary, e.limit); data != nil {
		e.whole(protocol.EntryCompaction, data, "", round, out)
	}
}

// data is a whole text.
func (e *entries) data(kind protocol.EntryType, s string) protocol.EntryData {
	s, c := native.Cut(s, e.limit)
	return native.TextData(kind, s, c)
}

// block finds the block of an index, or makes it: its beginning may be lost.
func (e *entries) block(index int, kind protocol.EntryType) *block {
	s := &e.stream
	b := s.blocks[index]
	if b == nil {
		if s.blocks == nil {
			s.blocks = map[int]*block{}
		}
		b = &block{kind: kind, budget: native.Budget{Limit: e.limit}}
		s.blocks[index] = b
	}
	return b
}

// grows is the text that a delta adds to; nil: it adds to none.
func (e *entries) grows(d *delta) *block {
	b := e.block(d.index, d.kind)
	if d.text == "" || b.over() || b.kind != d.kind {
		return nil
	}
	return b
}

// arguments adds to the arguments of a call.
func (e *entries) arguments(d *delta, out *adapters.Output) {
	if b := e.stream.blocks[d.index]; b != nil && b.call != nil && !b.final {
		b.call.add(d.text, out)
	}
}

// open opens the entry of a text. Another one that is being written ends.
func (e *entries) open(b *block, round int, out *adapters.Output) {
	if b.key != 0 {
		return
	}
	e.endText(out)
	b.key, e.stream.writing = e.keys.Next(), b
	out.Draft(adapters.EntryOpened{Key: b.key, Type: b.kind, Data: e.data(b.kind, ""), PersistentID: e.stream.id, Round: round})
}

// endText ends the text that is being written, because another block begins: its `assistant` was lost.
func (e *entries) endText(out *adapters.Output) {
	if b := e.stream.writing; b != nil && !b.over() {
		b.end(out)
	}
}

// stop takes the end of a block, also of one that breaks off: that it is whole only its `assistant` says, which has come before
// and has ended its entry. An empty block has none, and must not take that of a later one.
func (e *entries) stop(index int) {
	if b := e.stream.blocks[index]; b != nil && b.call == nil && b.key == 0 {
		b.closed = true
	}
}

// final ends a text or thinking block. What it says wins over the sum of the deltas, where its entry has not ended before.
func (e *entries) final(kind protocol.EntryType, text string, aborted bool, round int, out *adapters.Output) {
	if b := e.stream.first(func(b *block) bool { return b.kind == kind && b.ended.Is(text) }); b != nil {
		b.final = true
		return
	}
	b := e.stream.first(func(b *block) bool { return b.kind == kind && !b.over() })
	if b == nil {
		if b = e.stream.first(func(b *block) bool { return b.kind == kind }); b != nil {
			b.final = true
			native.Differs(text, e.limit, out)
			return
		}
		b = &block{kind: kind}
	}
	b.final = true
	if b.key == 0 && text == "" {
		return
	}
	e.open(b, round, out)
	closed := adapters.EntryClosed{Key: b.key, Data: e.data(kind, text)}
	if aborted {
		closed.Incomplete, closed.Reason = true, "interrupted"
	}
	out.Draft(closed)
}
