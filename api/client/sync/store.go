package sync

import "github.com/ringmaster-agents/ringmaster/protocol"

// store gives the cache what was shown since the last time.
func (s *State) store() {
	if s.pending.empty() {
		return
	}
	s.given, s.pending = s.pending, batch{}
	s.emit(s.given.store())
	s.hint.add(&s.given)
	if s.hint.due() {
		s.emit(s.hint.ask(s.at))
	}
}

// leave stores what there is, and the state with it, where no more lines are to come for now.
func (s *State) leave() {
	s.store()
	if s.cached && s.hint.worthwhile() {
		s.emit(s.hint.ask(s.at))
	}
}

// storeFailed makes room and tries again, first at the cost of the own checkpoint, then of other sessions; then the session goes on without a cache. After
// Close nothing is tried: what is not stored is read again.
func (s *State) storeFailed() {
	switch {
	case s.given.empty() || s.phase == PhaseClosed:
	case s.hint.size > 0:
		s.hint.drop()
		s.emit(DropCheckpoint{})
		s.emit(s.given.store())
	case !s.evicted:
		s.evicted = true
		s.emit(Evict{})
		s.emit(s.given.store())
		if s.hint.asked {
			s.emit(s.hint.ask(s.at))
		}
	default:
		s.cached, s.given, s.pending = false, batch{}, batch{}
		s.emit(Drop{})
		s.tell(NoticeUncached)
	}
}

// drop forgets the session, shown and stored, and takes up another position.
func (s *State) drop(at protocol.Cursor) {
	s.at, s.tries.gaps, s.pending = at, 0, batch{}
	s.hint.drop()
	if s.cached {
		s.emit(Drop{})
	}
	s.emit(Forget{})
}
