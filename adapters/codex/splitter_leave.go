package codex

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Leave ends a lane and those of its sub-agents: what runs is interrupted, commands that outlived their turns are
// terminated, and the server speaks of the thread no more.
func (s *splitter) Leave(id adapters.Lane, out *adapters.Split) {
	l := s.lanes[id]
	if l == nil || l.left {
		return
	}
	for child := id + 1; child <= s.newest; child++ { // children are younger
		if c := s.lanes[child]; c != nil && !c.left && c.parent == id {
			s.Leave(child, out)
			out.Over(child)
		}
	}
	s.unsay(l)
	l.left = true
	s.leaving(l, out)
}

// unsay takes back what still waits for the handshake.
func (s *splitter) unsay(l *lane) {
	kept := s.waiting[:0]
	for _, w := range s.waiting {
		if w.lane != l.id {
			kept = append(kept, w)
			continue
		}
		if m, ok := parse(w.line); ok {
			if _, inner, ok := split(m.id); ok {
				s.answered(l, string(inner))
			}
		}
	}
	s.waiting = kept
}

// leaving ends what a lane that was left has started. A turn that is about to run cannot be interrupted before the
// server has said that it runs: the lane waits for that, and where there is no connection for one.
func (s *splitter) leaving(l *lane, out *adapters.Split) {
	if s.lost || len(l.pending) > 0 || l.turn != "" && !l.running {
		s.uproot(l)
		return
	}
	if l.thread != "" {
		if l.turn != "" {
			s.write("turn/interrupt", inThread{l.thread, l.turn}, out)
		}
		s.write("thread/backgroundTerminals/clean", inThread{ThreadID: l.thread}, out)
		s.write("thread/unsubscribe", inThread{ThreadID: l.thread}, out)
	}
	s.drop(l)
}
