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
	s.at, s.from, s.tries.gaps, s.pending = at, at.Seq, 0, batch{}
	s.hint.drop()
	if s.cached {
		s.emit(Drop{})
	}
	s.emit(Forget{})
}

// rewind goes back to the last stored line that is of the server's log too, and takes up the position behind it, in the epoch that the log has now. It is false
// where there is no such line, or where the log goes on behind a gap. Lines that are not stored yet are not worth it: they come again.
func (s *State) rewind(r Reset) bool {
	if !s.cached || s.at.Seq == nowhere || r.Epoch <= s.at.Epoch || r.Common >= s.at.Seq {
		return false
	}
	last := min(r.Common, s.at.Seq-uint64(len(s.pending.lines)))
	if last <= s.from || last+1 < r.Oldest {
		return false
	}
	if s.hint.size > 0 {
		s.emit(DropCheckpoint{}) // it is of the epoch before, and may stand for lines that are lost
	}
	s.at, s.tries.gaps, s.pending = protocol.Cursor{Epoch: r.Epoch, Seq: last}, 0, batch{}
	s.hint.drop()
	s.hint.behind(last, 0)
	s.emit(Rewind{At: s.at})
	s.emit(Forget{})
	s.emit(Read{})
	return true
}
