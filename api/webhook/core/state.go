package core

import (
	"slices"
	"time"
)

// State is all that is known of webhooks. It is not safe for concurrent use. It is made of layers, of which none calls those above it.
type State struct{ finding }

// New makes a state without webhooks.
func New(l Limits) *State {
	s := new(State)
	s.limits, s.sessions = l, map[string]*session{}
	return s
}

// Step takes an input, and says what is to be done, in order.
func (s *State) Step(now time.Time, in Input) []Effect {
	s.now = now.UnixMilli()
	switch in := in.(type) {
	case *Saw:
		s.saw(in)
	case *Listed:
		s.listed(in)
	case *Left:
		s.part(in.Session, true)
	case *Scanned:
		s.scanned(in)
	case *Answered:
		s.answered(in)
	case *Tick:
		s.tick()
	}
	return s.taken()
}

// Doubts says that there are sessions of an earlier daemon that are not there, and of which it is not known whether they have left: Listed needs Shelved.
func (s *State) Doubts(there map[string]struct{}) bool {
	return slices.ContainsFunc(s.lacking(there), s.isDoubtful)
}

func (s *State) tick() {
	for {
		t, ok := s.timers.due(s.now)
		if !ok {
			return
		}
		switch {
		case t.delivery != nil:
			s.due(t.delivery)
		case t.session != nil:
			t.session.resting = false
			s.wantAll(t.session)
		default:
			s.write()
		}
	}
}

// Flush writes the positions that are not written.
func (s *State) Flush() []Effect {
	s.write()
	return s.taken()
}
