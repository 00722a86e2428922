package droid

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entries are what is said: the messages that stream now, and those of the turn that are complete. All keys of entries are given here.
type entries struct {
	keys     native.Counter[adapters.EntryKey]
	limit    int               // bytes of a text
	messages map[string]stream // that stream now, by their ids
	last     *block            // that the last delta was of
	writing  *block            // whose entry was opened last: no other one is open
	done     map[string]bool   // messages of the turn that are complete
}

// stream is a message of the model that is being written.
type stream map[blockKey]*block

type blockKey struct {
	index int
	kind  protocol.EntryType
}

// block is a text or thinking block of it.
type block struct {
	blockKey
	message string
	key     adapters.EntryKey
	sent    []byte // what went out as deltas
	budget  native.Budget
	ended   native.Ended // its text, where that ended before its message did
	over    bool         // its entry is closed
	final   bool         // the end of its message has it
}

// text is the data of a whole text.
func (e *entries) text(kind protocol.EntryType, s string) protocol.EntryData {
	s, c := native.Cut(s, e.limit)
	return native.TextData(kind, s, c)
}

// whole opens and closes an entry that came in one piece.
func (e *entries) whole(kind protocol.EntryType, data protocol.EntryData, id string, round int, out *adapters.Output) {
	key := e.keys.Next()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id, Round: round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}

// said makes the entry of a text that came in one piece.
func (e *entries) said(kind protocol.EntryType, text, id string, round int, out *adapters.Output) {
	e.whole(kind, e.text(kind, text), id, round, out)
}

// user makes the entry of a user's message. Its images are references.
func (e *entries) user(text string, images []string, id string, round int, out *adapters.Output) {
	data := &protocol.MessageData{Role: "user", Images: images}
	data.Text, data.Cut = native.Cut(text, e.limit)
	e.whole(protocol.EntryUserMessage, data, id, round, out)
}

// find finds the block that a delta is of; nil: it has none yet.
func (e *entries) find(d *delta) *block {
	if b := e.last; b != nil && b.index == d.index && b.kind == d.kind && b.message == string(d.message) {
		return b
	}
	e.last = e.messages[string(d.message)][blockKey{d.index, d.kind}]
	return e.last
}

// open opens the entry of the block that a delta is of. Another one that is being written ends.
func (e *entries) open(d *delta, round int, out *adapters.Output) *block {
	e.endTexts(out)
	b := &block{
		blockKey: blockKey{d.index, d.kind}, message: string(d.message), key: e.keys.Next(), budget: native.Budget{Limit: e.limit},
	}
	if e.messages[b.message] == nil {
		e.messages[b.message] = stream{}
	}
	e.messages[b.message][b.blockKey] = b
	e.last, e.writing = b, b
	out.Draft(adapters.EntryOpened{Key: b.key, Type: b.kind, Data: e.text(b.kind, ""), PersistentID: b.message, Round: round})
	return b
}

// add adds to a block, until it has ended.
func (b *block) add(text string, out *adapters.Output) {
	if b.over {
		return
	}
	b.sent = append(b.sent, b.budget.Grow(b.key, text, native.AsText, out)...)
}

// completed ends a block: Droid says that it is complete before its message is.
func (e *entries) completed(kind protocol.EntryType, raw json.RawMessage, out *adapters.Output) {
	var n struct {
		MessageID  string `json:"messageId"`
		BlockIndex int    `json:"blockIndex"`
	}
	_ = native.Decode(raw, &n)
	if b := e.messages[n.MessageID][blockKey{n.BlockIndex, kind}]; b != nil {
		b.end(out)
	}
}

// endTexts ends what is being written, because another block begins.
func (e *entries) endTexts(out *adapters.Output) {
	if e.writing != nil {
		e.writing.end(out)
	}
}

// end ends a block with what was written of it.
func (b *block) end(out *adapters.Output) {
	if !b.over {
		b.over = true
		out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said()})
		b.ended.Add(string(b.sent), b.budget.All())
	}
}

// leave closes a block that the agent will not end.
func (b *block) leave(reason string, out *adapters.Output) {
	b.over = true
	out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said(), Incomplete: true, Reason: reason})
}

// said is the data of a block as far as it was written.
func (b *block) said() protocol.EntryData {
	return native.TextData(b.kind, string(b.sent), b.budget.Cut())
}

// end closes a block of a message with what the end of the message says, which wins over all before; a block that has ended is what it is.
func (e *entries) end(message string, k blockKey, final string, round int, out *adapters.Output) {
	b := e.messages[message].match(k)
	switch {
	case b != nil && b.over:
		if b.final = true; !b.ended.Is(final) {
			native.Differs(final, e.limit, out)
		}
	case b != nil:
		b.final, b.over = true, true
		out.Draft(adapters.EntryClosed{Key: b.key, Data: e.text(k.kind, final)})
	case final != "":
		e.endTexts(out)
		e.said(k.kind, final, message, round, out)
	}
}

// match finds a block at its place, or else the first one of its kind that the end of the message has not had yet.
func (s stream) match(k blockKey) *block {
	if b := s[k]; b != nil && !b.final {
		return b
	}
	for _, b := range s.list() {
		if b.kind == k.kind && !b.final {
			return b
		}
	}
	return nil
}

// list gives the blocks in the order of their opening.
func (s stream) list() []*block {
	return slices.SortedFunc(maps.Values(s), func(a, b *block) int { return cmp.Compare(a.key, b.key) })
}

// leave closes the blocks that have not ended, and says whether others have.
func (s stream) leave(reason string, out *adapters.Output) (ended bool) {
	for _, b := range s.list() {
		if b.over {
			ended = true
			continue
		}
		b.leave(reason, out)
	}
	return ended
}

// complete forgets what streamed of a message: nothing more comes of it.
func (e *entries) complete(message string) {
	delete(e.messages, message)
	e.last = nil
	if message != "" {
		e.done[message] = true
	}
}

// retract takes a message back. The same id comes again, as another message.
func (e *entries) retract(message, reason string, out *adapters.Output) {
	if e.messages[message].leave(reason, out) {
		native.Retracted(out)
	}
	delete(e.messages, message)
	delete(e.done, message)
	e.last = nil
}

// forget forgets what a turn had: what is open of it, the session closes.
func (e *entries) forget() {
	e.last, e.writing = nil, nil
	clear(e.messages)
	clear(e.done)
}
