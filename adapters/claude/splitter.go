package claude

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// Splitter gives the lines of sub-agents lanes of their own; everything else is the session's, on lane 1.
//
// A sub-agent is known by the tool call that started it, its native id. Its lane begins with its task_started, or with the first
// line that names the call; that line goes to the parent, too, which learns of the sub-agent by it. It ends with the result of
// the call, or, in the background, with its task_notification. One that is woken up again later has another lane from then
// on: its task_started and task_notification then name the call that woke it, and the agent's own id tells who it is.
type Splitter struct {
	joined bool
	lanes  lanes
	asked  map[string]adapters.Lane // which lane a request of the agent went to
	asking map[string]adapters.Lane // which lane sent a control request; 0: the splitter itself
	leaves int                      // stop_task requests of the splitter itself
}

func newSplitter() *Splitter {
	return &Splitter{lanes: newLanes(), asked: map[string]adapters.Lane{}, asking: map[string]adapters.Lane{}}
}

// Start says nothing: the handshake is the session's own.
func (s *Splitter) Start(*adapters.Split) {}

// Join gives the session its lane. There is only one.
func (s *Splitter) Join(adapters.Spec, *adapters.Split) adapters.Lane {
	s.joined = true
	return s.lanes.add()
}

// Line takes one line of the agent.
func (s *Splitter) Line(line []byte, out *adapters.Split) {
	switch {
	case !s.joined:
	case isPlain(line):
		out.To(root, line)
	default:
		s.route(line, out)
	}
}

func (s *Splitter) route(line []byte, out *adapters.Split) {
	l := readLabels(line)
	switch l.kind {
	case "control_request":
		s.control(&l, line, out)
	case "control_cancel_request":
		lane := s.lanes.live(s.asked[l.request])
		delete(s.asked, l.request)
		out.To(lane, line)
	case "control_response":
		id := responseID(l.body)
		lane, known := s.asking[id]
		delete(s.asking, id)
		if !known || lane != 0 {
			out.To(s.lanes.live(lane), line)
		}
	case "system":
		s.system(&l, line, out)
	case "result":
		s.result(line, out)
	default:
		s.speech(&l, line, out)
	}
}

// control routes a request of the agent: one about a call goes to the lane that made the call.
func (s *Splitter) control(l *labels, line []byte, out *adapters.Split) {
	var r struct {
		ToolUseID string `json:"tool_use_id"`
		AgentID   string `json:"agent_id"`
	}
	_ = native.Decode(l.body, &r)
	lane := s.lanes.caller(r.ToolUseID, r.AgentID)
	s.asked[l.request] = lane
	out.To(lane, line)
}

// speech routes what the main agent or a sub-agent says, and follows their calls.
func (s *Splitter) speech(l *labels, line []byte, out *adapters.Split) {
	lane := root
	if l.parent != "" {
		c := s.child(l, line, out)
		if c == nil {
			return
		}
		lane = c.lane
		s.lanes.named(c, l.agent, l.parent)
	}
	out.To(lane, line)
	switch l.kind {
	case "assistant":
		for _, c := range contents(line) {
			if c.isCall() && c.ID != "" {
				s.lanes.owners[c.ID] = lane
			}
		}
	case "user":
		for _, c := range contents(line) {
			if c.Type == "tool_result" {
				delete(s.lanes.owners, c.ToolUseID)
				s.returned(c.ToolUseID, line, out)
			}
		}
	}
}

// child finds the sub-agent that a line is of, and begins its lane where it has none. nil: the line is nobody's.
func (s *Splitter) child(l *labels, line []byte, out *adapters.Split) *sub {
	c := s.lanes.children[l.parent]
	switch {
	case c == nil:
	case c.left:
		return nil
	case !c.over:
		return c
	case l.kind == "user":
		return nil // what a stopped sub-agent still says: it does not go on
	}
	return s.born(l.parent, l.agent, line, out)
}

// born begins a lane, with the line that tells of it and names the agent's own id of the sub-agent.
func (s *Splitter) born(native, agent string, line []byte, out *adapters.Split) *sub {
	c := s.lanes.born(native, agent)
	out.To(c.parent, line)
	out.Born(c.lane, adapters.Birth{Parent: c.parent, NativeID: native})
	return c
}

// returned takes the result of a call: the sub-agent that it started is done, unless the call only launched it.
func (s *Splitter) returned(id string, line []byte, out *adapters.Split) {
	c := s.lanes.children[id]
	if c == nil || c.over || c.left {
		return
	}
	out.To(c.lane, line)
	var u userLine
	if json.Unmarshal(line, &u) == nil && u.launched() {
		c.background = true
		return
	}
	s.lanes.end(c, out)
}

// system routes the news of sub-agents.
func (s *Splitter) system(l *labels, line []byte, out *adapters.Split) {
	agent := l.toolUse != "" && (l.taskType == "local_agent" || l.subagentType != "")
	native := cmp.Or(s.lanes.names[l.task], l.toolUse)
	switch c := s.lanes.children[native]; {
	case l.subtype == "task_started" && agent && (c == nil || c.over && !c.left):
		c = s.born(native, l.task, line, out)
		c.background = l.background
		out.To(c.lane, line)
	case l.subtype == "task_notification" && c != nil && !c.over && !c.left:
		out.To(s.lanes.live(c.parent), line)
		out.To(c.lane, line)
		if c.background {
			s.lanes.end(c, out)
		}
	case l.subtype == "task_updated":
		if c := s.lanes.agent(l.task); c != nil && movedToBackground(line) {
			c.background = true
		}
		out.To(root, line)
	case l.subtype == "permission_denied" && s.lanes.agent(l.agent) != nil:
		out.To(s.lanes.live(s.lanes.agent(l.agent).lane), line)
	default:
		out.To(root, line)
	}
}

// result ends the turn of the session, and what its calls have left behind.
func (s *Splitter) result(line []byte, out *adapters.Split) {
	out.To(root, line)
	for _, c := range s.lanes.sorted() {
		if !c.over && !c.left && !c.background {
			out.To(c.lane, line)
			s.lanes.end(c, out)
		}
	}
	s.lanes.forgetCalls(root)
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
		lane = s.lanes.live(s.asked[id])
		delete(s.asked, id)
	case "control_request":
		s.asking[l.request] = root
	}
	out.Parts = append(out.Parts, adapters.Part{Lane: lane, Line: line, Sent: true})
}
