package session

import "time"

// An agent that works and says nothing for Limits.StallAfter is said to be stalled. Nothing is done about it: a build may take as
// long, and who is to know.

// canStall says that it is the agent's turn to say something. One that waits for an answer is not silent.
func (s *State) canStall() bool {
	return s.limits.StallAfter > 0 && s.turn != nil && s.link.phase == linkReady && !s.link.interrupting && len(s.opened) == 0
}

// watchStall keeps one look at the agent under way while it works.
func (s *State) watchStall() {
	could := s.link.canStall
	s.link.canStall = s.canStall()
	switch {
	case !s.link.canStall:
		s.link.stalled = false
		return
	case !could:
		s.link.heard = s.up
	}
	if !s.link.stalled && !s.link.watching {
		s.link.watching = true
		s.do(WatchStall{After: s.limits.StallAfter - s.silence()})
	}
}

// silence is how long the agent has said nothing.
func (s *State) silence() time.Duration {
	return time.Duration(s.up-s.link.heard) * time.Millisecond
}

func (s *State) stallOverdue() {
	s.link.watching = false
	s.link.stalled = s.canStall() && s.silence() >= s.limits.StallAfter
}

// heard takes a sign of life.
func (s *State) heard() {
	s.link.heard = s.up
	if s.link.stalled {
		s.link.stalled = false
		s.settle()
	}
}
