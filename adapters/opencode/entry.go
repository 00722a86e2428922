package opencode

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entries are what is said and called in a session: its messages, and the parts of them, each of which is an entry.
type entries struct {
	keys     native.Counter[adapters.EntryKey]
	limit    int              // of one text, in bytes
	round    int              // model requests begun in the turn
	messages messages         // of the turn, and those whose role is not known yet
	parts    map[string]*part // of the turn
	writing  *part            // of them, the text whose entry was opened last: no other one is open, but those with a gap
	seen     seen             // ids of messages and parts that are done with
	compact  compaction
}

// part is a text, a thought or a tool call of the agent: one entry.
type part struct {
	id, message string
	kind        protocol.EntryType
	key         adapters.EntryKey // 0 until there is something to show: empty parts make no entry
	ended       native.Ended      // what it has in entries before key
	closed      bool
	text        []byte // what went out as deltas
	budget      native.Budget
	gap         bool // deltas of it were lost: its text comes whole, at its end
	tool        *tool
}

// source is where the state of a message or a part comes from.
type source struct {
	snapshot bool // a list of messages, and no event
	past     bool // what ended in it is over, and was told of
	more     bool // a snapshot is to come, which has what was missed
}

// whole opens and closes an entry that came in one piece.
func (e *entries) whole(kind protocol.EntryType, data protocol.EntryData, id string, out *adapters.Output) {
	key := e.keys.Next()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id, Round: e.round})
	out.Draft(adapters.EntryClosed{Key: key, Data: data, PersistentID: id})
}

// user is a message of the user. images are references of the daemon's.
func (e *entries) user(text, id string, images []string, out *adapters.Output) {
	data := &protocol.MessageData{Role: "user", Images: images}
	data.Text, data.Cut = native.Cut(text, e.limit)
	e.whole(protocol.EntryUserMessage, data, id, out)
}

// leave closes a part that the agent never ended, with what it was seen to have.
func (e *entries) leave(x *part, reason string, out *adapters.Output) {
	if x.closed {
		return
	}
	x.closed = true
	switch {
	case x.tool != nil:
		d := x.tool.data(protocol.ToolError)
		d.Output, d.Cut = native.Cut(x.tool.output.Last(), e.limit)
		out.Draft(adapters.EntryClosed{Key: x.key, Data: d, PersistentID: x.id, Incomplete: true, Reason: reason})
	case x.key != 0:
		out.Draft(adapters.EntryClosed{
			Key: x.key, Data: e.saidData(x, string(x.text)), PersistentID: x.id, Incomplete: true, Reason: reason,
		})
	}
}

// closeTexts closes the texts of a message only: a tool may end after its message.
func (e *entries) closeTexts(message, reason string, out *adapters.Output) {
	for _, x := range e.openParts(message) {
		if x.tool == nil {
			e.leave(x, reason, out)
		}
	}
}

// openParts are the open parts of a message in the order of their entries.
func (e *entries) openParts(message string) []*part {
	var list []*part
	for _, x := range e.parts {
		if x.message == message && !x.closed {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(a, b *part) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id)) })
	return list
}

// lose notes that deltas of the open texts are lost.
func (e *entries) lose() {
	for _, x := range e.parts {
		x.gap = x.gap || !x.closed && x.tool == nil
	}
}

// end ends those of a turn. What is still open is closed by the session; the translator only remembers that it was there.
func (e *entries) end() {
	for _, id := range slices.Sorted(maps.Keys(e.parts)) {
		e.seen.add(id)
	}
	for _, id := range slices.Sorted(maps.Keys(e.messages)) {
		if m := e.messages[id]; !m.user || m.shown { // else its parts were lost, and a snapshot may still bring them
			e.seen.add(id)
		}
	}
	clear(e.parts)
	clear(e.messages)
	e.writing, e.round, e.compact = nil, 0, compaction{}
}

// forget ends those of one message of the past.
func (e *entries) forget(s *stored) {
	for i := range s.Parts {
		delete(e.parts, s.Parts[i].ID)
	}
	e.writing = nil
	e.seen.add(s.Info.ID)
}
