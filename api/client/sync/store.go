package sync

import "github.com/ringmaster-agents/ringmaster/protocol"

// store gives the cache what was shown since the last time.
func (s *State) store() {
	if s.pending.empty() {
		return
	}
	s.given, s.pending = s.pending, batch{}
	s.emit(s.given.store())
}

// storeFailed makes room and tries once more; then the session goes on without a cache. After Close nothing is tried: what is not stored is read again.
func (s *State) storeFailed() {
	switch {
	case s.given.empty() || s.phase == PhaseClosed:
	case !s.evicted:
		s.evicted = true
		s.emit(Evict{})
		s.emit(s.given.store())
	default:
		s.cached, s.given, s.pending = false, batch{}, batch{}
		s.emit(Drop{})
		s.tell(NoticeUncached)
	}
}

// drop forgets the session, shown and stored, and takes up another position.
func (s *State) drop(at protocol.Cursor) {
	s.at, s.tries.gaps, s.pending = at, 0, batch{}
	if s.cached {
		s.emit(Drop{})
	}
	s.emit(Forget{})
}
