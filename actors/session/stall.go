package session

import "time"

// stallAfter is how long an agent that works may say nothing before its status says so. Nothing is done about it: a build
// may take as long, and who is to know.
const stallAfter = 5 * time.Minute

// canStall says that it is the agent's turn to say something. One that waits for an answer is not silent.
func (s *State) canStall() bool {
	return s.turn != nil && s.link.phase == linkReady && !s.link.interrupting && len(s.opened) == 0
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
		s.link.heard = s.now
	}
	if !s.link.stalled && !s.link.watching {
		s.link.watching = true
		s.do(WatchStall{After: stallAfter - s.silence()})
	}
}

// silence is how long the agent has said nothing. The clock may have been set back.
func (s *State) silence() time.Duration {
	return time.Duration(max(0, s.now-s.link.heard)) * time.Millisecond
}

func (s *State) stallOverdue() {
	s.link.watching = false
	s.link.stalled = s.canStall() && s.silence() >= stallAfter
}

// heard takes a sign of life.
func (s *State) heard() {
	s.link.heard = s.now
	if s.link.stalled {
		s.link.stalled = false
		s.settle()
	}
}
