package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// control routes a request of the agent: one about a call goes to whoever made the call.
func (s *Splitter) control(l *labels, line []byte, out *adapters.Split) {
	var r struct {
		ToolUseID string `json:"tool_use_id"`
		AgentID   string `json:"agent_id"`
	}
	_ = native.Decode(l.body, &r)
	lane, known := s.owners[r.ToolUseID]
	if c := s.children[s.agents[r.AgentID]]; !known && c != nil {
		lane = c.lane
	}
	lane = s.live(lane)
	s.asked[l.request] = lane
	out.To(lane, line)
}

// live is the lane, or that of the session where nobody is on it.
func (s *Splitter) live(lane adapters.Lane) adapters.Lane {
	if c := s.on(lane); c != nil && !c.over && !c.left {
		return lane
	}
	return root
}

// on is the sub-agent of a lane.
func (s *Splitter) on(lane adapters.Lane) *sub {
	if lane > root {
		for _, c := range s.children {
			if c.lane == lane {
				return c
			}
		}
	}
	return nil
}

// sorted lists the sub-agents by their lanes.
func (s *Splitter) sorted() []*sub {
	return slices.SortedFunc(maps.Values(s.children), func(a, b *sub) int { return cmp.Compare(a.lane, b.lane) })
}

// contents are the blocks of a line's message.
func contents(line []byte) []content {
	var e struct {
		Message message `json:"message"`
	}
	_ = native.Decode(line, &e)
	return blocks(e.Message.Content)
}

func responseID(body []byte) string {
	var r struct {
		RequestID string `json:"request_id"`
	}
	_ = native.Decode(body, &r)
	return r.RequestID
}

// controlHead begins the control requests of translators.
var controlHead = []byte(`{"type":"control_request",`)

// Say passes on what a translator says.
func (s *Splitter) Say(lane adapters.Lane, line []byte, out *adapters.Split) {
	if bytes.HasPrefix(line, controlHead) {
		s.asking[readLabels(line).request] = lane
	}
	out.Line(line)
}

// Sent takes a line that somebody else sent: an answer is for the lane that was asked, all else for the session.
func (s *Splitter) Sent(line []byte, out *adapters.Split) {
	if !s.joined {
		return
	}
	lane := root
	switch l := readLabels(line); l.kind {
	case "control_response":
		id := responseID(l.body)
		lane = s.live(s.asked[id])
		delete(s.asked, id)
	case "control_request":
		s.asking[l.request] = root
	}
	out.Parts = append(out.Parts, adapters.Part{Lane: lane, Line: line, Sent: true})
}

// Leave ends a lane. The session's own process ends with it; a sub-agent is stopped.
func (s *Splitter) Leave(lane adapters.Lane, out *adapters.Split) {
	if lane == root {
		s.joined = false
		return
	}
	c := s.on(lane)
	if c == nil || c.left {
		return
	}
	running := !c.over
	c.left = true
	for _, below := range s.sorted() {
		if below.parent == lane {
			s.Leave(below.lane, out)
		}
	}
	if running && c.agent != "" {
		s.leaves++
		id := "rm-leave-" + strconv.Itoa(s.leaves)
		s.asking[id] = 0
		if line, err := json.Marshal(control{
			Type: "control_request", RequestID: id, Request: encode(stopTask{Subtype: "stop_task", TaskID: c.agent}),
		}); err == nil {
			out.Line(line)
		}
	}
}
