package session

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (s *State) entryOpened(d adapters.EntryOpened) {
	if last, _ := s.ids.last(s.link.incarnation); d.Data == nil || uint32(d.Key) <= last {
		s.link.dropped++
		return
	}
	if isWork(d.Type) {
		s.working()
	}
	s.emit(&protocol.EntryStart{
		TurnID: s.turn.ID(), EntryID: s.link.entry(d.Key).id(), EntryType: d.Type, Data: d.Data, PersistentID: d.PersistentID, Round: d.Round,
	})
}

func (s *State) entryBound(d adapters.EntryBound) {
	id := d.ID // of an earlier incarnation
	if d.Key != 0 {
		id = s.link.entry(d.Key).id()
	}
	incarnation, key, ok := protocol.ParseEntryID(id)
	if last, _ := s.ids.last(s.link.incarnation); !ok || (incarnation == s.link.incarnation) != (d.Key != 0) || incarnation > s.link.incarnation ||
		d.Key != 0 && key > last {
		s.link.dropped++
		return
	}
	s.emit(&protocol.EntryMeta{EntryID: id, PersistentID: d.PersistentID})
}

func (s *State) entryChanged(d adapters.EntryChanged) {
	if !s.entries.change(&s.writer, s.link.entry(d.Key), d.Delta) {
		s.link.dropped++
	}
}

func (s *State) entryClosed(d adapters.EntryClosed) {
	if !s.entries.end(&s.writer, s.link.entry(d.Key), d) {
		s.link.dropped++
	}
}
