package claude

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Leave ends a lane. The session's own process ends with it; a sub-agent is stopped.
func (s *Splitter) Leave(lane adapters.Lane, out *adapters.Split) {
	if lane == root {
		s.joined = false
		return
	}
	c := s.lanes.on(lane)
	if c == nil || c.left {
		return
	}
	running := !c.over
	c.left = true
	for _, below := range s.lanes.sorted() {
		if below.parent == lane {
			s.Leave(below.lane, out)
		}
	}
	if running && c.agent != "" {
		s.leaves++
		id := "rm-leave-" + strconv.Itoa(s.leaves)
		s.asking[id] = 0
		out.Line(encode(control{
			Type: "control_request", RequestID: id, Request: encode(stopTask{Subtype: "stop_task", TaskID: c.agent}),
		}))
	}
}
