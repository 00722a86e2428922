package codex

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

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
		s.handshake.lose()
		s.held = held{}
		clear(s.asked)
		clear(s.sent)
		for _, l := range s.lanes.all {
			l.lose()
		}
	}
	s.away, s.lost = state.State == httpline.Lost, true
	if !s.away {
		out.Line(bytes.Clone(line)) // from here on lines are for the new connection
		s.Start(out)
	}
	for id := adapters.Lane(1); id <= s.lanes.newest; id++ {
		if l := s.lanes.all[id]; l != nil && !l.left {
			out.To(id, line)
		}
	}
	return true
}
