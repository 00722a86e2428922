package core

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entryOpened begins an entry; where that is work of the turn, the status says so first.
func (s *work) entryOpened(d adapters.EntryOpened) {
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
