package codex

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Leave ends a lane and those of its sub-agents: what runs is interrupted, commands that outlived their turns are
// terminated, and the server speaks of the thread no more.
func (s *splitter) Leave(id adapters.Lane, out *adapters.Split) {
	l := s.lanes.all[id]
	if l == nil || l.left {
		return
	}
	for child := id + 1; child <= s.lanes.newest; child++ { // children are younger
		if c := s.lanes.all[child]; c != nil && !c.left && c.parent == id {
			s.Leave(child, out)
			out.Over(child)
		}
	}
	for _, request := range s.handshake.unsay(id) {
		s.held.answered(l.answered(request))
	}
	l.left = true
	s.leaving(l, out)
}

// leaving ends what a lane that was left has started. A turn that is about to run cannot be interrupted before the
// server has said that it runs: the lane waits for that, and where there is no connection for one.
func (s *splitter) leaving(l *lane, out *adapters.Split) {
	if s.lost || len(l.pending) > 0 || l.turn != "" && !l.running {
		s.lanes.uproot(l)
		return
	}
	if l.thread != "" {
		if l.turn != "" {
			s.handshake.write("turn/interrupt", inThread{l.thread, l.turn}, out)
		}
		s.handshake.write("thread/backgroundTerminals/clean", inThread{ThreadID: l.thread}, out)
		s.handshake.write("thread/unsubscribe", inThread{ThreadID: l.thread}, out)
	}
	s.lanes.drop(l)
}

// shaken ends what lanes have left behind that were left while there was no connection: there is one now.
func (s *splitter) shaken(out *adapters.Split) {
	if !s.lost {
		return
	}
	s.lost = false
	var left []adapters.Lane
	for id, l := range s.lanes.all {
		if l.left {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	for _, id := range left {
		s.leaving(s.lanes.all[id], out)
	}
}
