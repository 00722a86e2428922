package core

import "time"

// killTime is what the system gets to end processes that were killed, and closeTime what sessions get besides an agent's grace.
const (
	killTime  = 1500 * time.Millisecond
	closeTime = 3 * time.Second
)

// drain is how far the end has come.
type drain struct {
	tickets       []Ticket // of the Drain questions that wait for its end
	late, givenUp bool     // once and twice overdue
	over          bool
}

// close begins with the leaves: each session interrupts its turn and lets its agent go, then its actor stops.
func (s *State) close(t Ticket) {
	s.drain.tickets = append(s.drain.tickets, t)
	if s.draining {
		return
	}
	s.draining = true
	s.out.add(Closing{})
	s.proofs.end()
	s.out.add(GiveUpLater{s.cfg.StopGrace + closeTime})
	for _, x := range s.members.inOrder() {
		switch {
		case x.stopping:
		case x.live:
			s.out.add(Park{ID: x.summary.ID, Drain: true})
			s.show(x) // in a drain also a session that is being parked takes questions until its actor stops
		default:
			s.dropAgent(x)
			s.answerFound(x)
		}
	}
}

// overdue stops actors and agents that did not end by themselves; at the second call it gives up waiting for them.
func (s *State) overdue() {
	s.drain.givenUp, s.drain.late = s.drain.late, true
	for _, x := range s.members.inOrder() {
		s.dropAgent(x)
		if x.live && !x.stopping {
			s.stop(x)
		}
	}
	if !s.drain.givenUp {
		s.out.add(GiveUpLater{killTime})
	}
}

// finish ends the supervisor once no child and no process is left.
func (s *State) finish() {
	busy := s.processes > 0 || s.removing+len(s.retention.leaving) > 0 || s.retention.measuring || s.agents.looking()
	if !s.draining || s.drain.over || s.actors+s.adapters > 0 || busy && !s.drain.givenUp {
		return
	}
	s.drain.over = true
	s.out.add(Close{s.drain.tickets})
}
