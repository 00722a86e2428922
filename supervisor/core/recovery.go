package core

// recoverTogether is how many journals are read at once after a start: each holds a thread and some files.
const recoverTogether = 8

// recovery takes up the sessions that an earlier daemon left at work, recoverTogether at a time.
type recovery struct {
	lives
	waiting []string // sessions to recover
	opening int      // of them, under way
}

// left says that a session was at work when the earlier daemon ended, that its news were not delivered, or that it has prompts waiting.
func (s *recovery) left(x *member) bool {
	return x.open || x.stale || x.untold || s.members.orphaned(x) || x.summary.Status.QueuedPrompts > 0 && !x.ended()
}

// recoverOpen starts the actors of the sessions that were left: their open entries and turns are closed, and agents are resumed. A question for a
// session that still waits starts its actor at once.
func (s *recovery) recoverOpen() {
	for _, x := range s.members.inOrder() {
		if s.left(x) {
			s.waiting = append(s.waiting, x.summary.ID)
		}
	}
	if n := len(s.waiting); n > 0 {
		s.out.add(Recovering{n})
	}
	s.recoverNext()
}

func (s *recovery) recoverNext() {
	for s.opening < recoverTogether && len(s.waiting) > 0 && !s.draining {
		id := s.waiting[0]
		s.waiting = s.waiting[1:]
		if x := s.members.byID[id]; x != nil && !x.live && s.left(x) {
			x.opening = true
			s.opening++
			s.activate(x)
			if s.members.orphaned(x) { // its parent has ended, and the earlier daemon ended before it could end this one
				s.endChild(x)
			}
		}
	}
}

// recovered goes on with the next session, once the journal of this one was read.
func (s *recovery) recovered(x *member) {
	if x.opening {
		x.opening = false
		s.opening--
		s.recoverNext()
	}
}
