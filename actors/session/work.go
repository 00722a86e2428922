package session

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entryOf names an entry of the running agent.
func (s *State) entryOf(k adapters.EntryKey) entryOf { return entryOf{s.link.incarnation, k} }

func (s *State) turnID() string {
	if s.turn == nil {
		return ""
	}
	return s.turn.id
}

func (s *State) entryOpened(d adapters.EntryOpened) {
	if last, _ := s.ids.last(s.link.incarnation); d.Data == nil || uint32(d.Key) <= last {
		s.link.dropped++
		return
	}
	if isWork(d.Type) {
		s.working()
	}
	s.emit(&protocol.EntryStart{
		TurnID: s.turnID(), EntryID: s.entryOf(d.Key).id(), EntryType: d.Type, Data: d.Data, PersistentID: d.PersistentID, Round: d.Round,
	})
}

func (s *State) entryBound(d adapters.EntryBound) {
	id := d.ID // of an earlier incarnation
	if d.Key != 0 {
		id = s.entryOf(d.Key).id()
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
	if !s.entries.change(&s.writer, s.entryOf(d.Key), d.Delta) {
		s.link.dropped++
	}
}

func (s *State) entryClosed(d adapters.EntryClosed) {
	if !s.entries.end(&s.writer, s.entryOf(d.Key), d) {
		s.link.dropped++
	}
}

// runningOn are the open entries that outlive the turn which ends.
func (s *State) runningOn(named []adapters.EntryKey) func(*entry) bool {
	keys := make([]entryOf, len(named))
	for i, k := range named {
		keys[i] = s.entryOf(k)
	}
	return outliving(s.turnID(), keys...)
}
