package codex

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// notConnected answers what is too much to wait for a connection.
var notConnected = []byte(`{"code":-32000,"message":"not connected to the agent"}`)

// stream takes a line by which an attached connection says that it was lost, or is open again (adapters/remote): the server and
// its turns go on meanwhile. Every lane is told, and what was under way is forgotten with it: a translator knows what it has
// asked for, and asks again.
func (s *splitter) stream(line []byte, out *adapters.Split) bool {
	l, _ := httpline.Parse(line)
	state, ok := l.(*httpline.Stream)
	if !ok {
		return false
	}
	if !s.away {
		s.forget()
	}
	s.away, s.lost = state.State == httpline.Lost, true
	if !s.away {
		out.Line(bytes.Clone(line)) // from here on lines are for the new connection
		s.Start(out)
	}
	for id := adapters.Lane(1); id <= s.newest; id++ {
		if l := s.lanes[id]; l != nil && !l.left {
			out.To(id, line)
		}
	}
	return true
}

// forget drops what was under way on a connection that was lost.
func (s *splitter) forget() {
	s.ready, s.refused, s.waiting, s.starting, s.held = false, nil, nil, 0, held{}
	clear(s.asked)
	clear(s.sent)
	for _, l := range s.lanes {
		clear(l.pending)
		l.running = l.turn != "" // what was about to run does by now
	}
}

// resumeLeaving ends what lanes have left behind that were left while there was no connection.
func (s *splitter) resumeLeaving(out *adapters.Split) {
	if !s.lost {
		return
	}
	s.lost = false
	var left []adapters.Lane
	for id, l := range s.lanes {
		if l.left {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	for _, id := range left {
		s.leaving(s.lanes[id], out)
	}
}

// joins notes the turn that runs in a thread that was resumed.
func (l *lane) joins(result []byte) {
	l.turn, l.running = "", false
	if text(result, "thread", "status", "type") != "active" {
		return
	}
	var newest []json.RawMessage
	_ = native.Decode(member(member(result, "initialTurnsPage"), "data"), &newest)
	if len(newest) > 0 && text(newest[0], "status") == "inProgress" {
		l.turn, l.running = text(newest[0], "id"), true
	}
}

// answered notes that a request of a lane is not under way any more, and gives its method where that was followed.
func (s *splitter) answered(l *lane, id string) (method string) {
	method = l.pending[id]
	delete(l.pending, id)
	if givesThread(method) {
		s.starting--
	}
	return method
}
