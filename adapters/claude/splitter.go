package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"

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
	joined   bool
	newest   adapters.Lane
	children map[string]*sub          // by native id
	agents   map[string]string        // native ids, by the agent's own id of the sub-agent
	names    map[string]string        // the same, as the parent learned it with the first line
	owners   map[string]adapters.Lane // who called a tool, by the call, while it runs
	asked    map[string]adapters.Lane // whom a request of the agent went to
	asking   map[string]adapters.Lane // who sent a control request
	leaves   int                      // stop_task requests of the splitter itself
}

// sub is a sub-agent.
type sub struct {
	lane       adapters.Lane
	parent     adapters.Lane
	agent      string
	background bool
	over       bool
	left       bool // the session has left it: what it still says is nobody's
}

// root is the session's lane.
const root adapters.Lane = 1

func newSplitter() *Splitter {
	return &Splitter{
		children: map[string]*sub{}, agents: map[string]string{}, names: map[string]string{}, owners: map[string]adapters.Lane{},
		asked: map[string]adapters.Lane{}, asking: map[string]adapters.Lane{},
	}
}

// Start says nothing: the handshake is the session's own.
func (s *Splitter) Start(*adapters.Split) {}

// Join gives the session its lane. There is only one.
func (s *Splitter) Join(adapters.Spec, *adapters.Split) adapters.Lane {
	s.joined = true
	s.newest++
	return s.newest
}

// labels are the members by which a line finds its lane.
type labels struct {
	kind, subtype          string
	parent                 string // parent_tool_use_id
	toolUse, task, agent   string
	taskType, subagentType string
	request                string // request_id
	body                   []byte // the value of request or response
	background             bool
}

func readLabels(line []byte) (l labels) {
	m := native.Scan(line)
	for {
		key, value, ok := m.Next()
		if !ok {
			return l
		}
		switch string(key) {
		case "type":
			l.kind = native.Text(value)
		case "subtype":
			l.subtype = native.Text(value)
		case "parent_tool_use_id":
			l.parent = native.Text(value)
		case "tool_use_id":
			l.toolUse = native.Text(value)
		case "task_id":
			l.task = native.Text(value)
		case "agent_id":
			l.agent = native.Text(value)
		case "task_type":
			l.taskType = native.Text(value)
		case "subagent_type":
			l.subagentType = native.Text(value)
		case "request_id":
			l.request = native.Text(value)
		case "request", "response":
			l.body = value
		case "is_backgrounded":
			l.background = string(value) == "true"
		}
	}
}

// parentOfNone says that a line is the main agent's, as nearly all are in a busy session.
var parentOfNone = []byte(`"parent_tool_use_id":null,`)

// Line takes one line of the agent.
func (s *Splitter) Line(line []byte, out *adapters.Split) {
	switch {
	case !s.joined:
	case s.plain(line):
		out.To(root, line)
	default:
		s.route(line, out)
	}
}

// plain says that a line is of the main agent's stream: that is told without a look at the names of its members, where the
// rest of the line holds no object that could have them too.
func (s *Splitter) plain(line []byte) bool {
	if !bytes.HasPrefix(line, eventHead) {
		return false
	}
	i := bytes.Index(line, parentOfNone)
	return i >= 0 && bytes.IndexByte(line[i:], '{') < 0 && bytes.IndexByte(line[i:len(line)-1], '}') < 0 && line[len(line)-1] == '}'
}

func (s *Splitter) route(line []byte, out *adapters.Split) {
	l := readLabels(line)
	switch l.kind {
	case "control_request":
		s.control(&l, line, out)
	case "control_cancel_request":
		lane := s.live(s.asked[l.request])
		delete(s.asked, l.request)
		out.To(lane, line)
	case "control_response":
		id := responseID(l.body)
		lane, known := s.asking[id]
		delete(s.asking, id)
		if !known || lane != 0 {
			out.To(s.live(lane), line)
		}
	case "system":
		s.system(&l, line, out)
	case "result":
		s.result(line, out)
	default:
		s.speech(&l, line, out)
	}
}

// speech routes what the main agent or a sub-agent says, and follows their calls.
func (s *Splitter) speech(l *labels, line []byte, out *adapters.Split) {
	lane := root
	if l.parent != "" {
		c := s.child(l, line, out)
		if c == nil {
			return
		}
		if lane = c.lane; l.agent != "" {
			c.agent = l.agent
			s.agents[l.agent] = l.parent
		}
	}
	out.To(lane, line)
	switch l.kind {
	case "assistant":
		for _, c := range contents(line) {
			if c.isCall() && c.ID != "" {
				s.owners[c.ID] = lane
			}
		}
	case "user":
		for _, c := range contents(line) {
			if c.Type == "tool_result" {
				delete(s.owners, c.ToolUseID)
				s.returned(c.ToolUseID, line, out)
			}
		}
	}
}

// child finds the sub-agent that a line is of, and begins its lane where it has none. nil: the line is nobody's.
func (s *Splitter) child(l *labels, line []byte, out *adapters.Split) *sub {
	c := s.children[l.parent]
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
	parent := s.live(s.owners[native])
	s.newest++
	c := &sub{lane: s.newest, parent: parent}
	if was := s.children[native]; was != nil {
		c.agent, c.background = was.agent, true // nobody waits for its result any more
	}
	if s.children[native] = c; agent != "" {
		c.agent, s.agents[agent], s.names[agent] = agent, native, native
	}
	out.To(parent, line)
	out.Born(c.lane, adapters.Birth{Parent: parent, NativeID: native})
	return c
}

// returned takes the result of a call: the sub-agent that it started is done, unless the call only launched it.
func (s *Splitter) returned(id string, line []byte, out *adapters.Split) {
	c := s.children[id]
	if c == nil || c.over || c.left {
		return
	}
	out.To(c.lane, line)
	var u userLine
	if json.Unmarshal(line, &u) == nil && u.launched() {
		c.background = true
		return
	}
	s.end(c, out)
}

// end ends a sub-agent's lane, and the lanes of those that it waits for.
func (s *Splitter) end(c *sub, out *adapters.Split) {
	for _, below := range s.sorted() {
		if below.parent == c.lane && !below.background {
			s.end(below, out)
		}
	}
	c.over = true
	s.forgetCalls(c.lane)
	out.Over(c.lane)
}

func (s *Splitter) forgetCalls(lane adapters.Lane) {
	maps.DeleteFunc(s.owners, func(_ string, owner adapters.Lane) bool { return owner == lane })
}

// system routes the news of sub-agents.
func (s *Splitter) system(l *labels, line []byte, out *adapters.Split) {
	agent := l.toolUse != "" && (l.taskType == "local_agent" || l.subagentType != "")
	native := cmp.Or(s.names[l.task], l.toolUse)
	switch c := s.children[native]; {
	case l.subtype == "task_started" && agent && (c == nil || c.over && !c.left):
		c = s.born(native, l.task, line, out)
		c.background = l.background
		out.To(c.lane, line)
	case l.subtype == "task_notification" && c != nil && !c.over && !c.left:
		out.To(s.live(c.parent), line)
		out.To(c.lane, line)
		if c.background {
			s.end(c, out)
		}
	case l.subtype == "task_updated":
		if c := s.children[s.agents[l.task]]; c != nil && movedToBackground(line) {
			c.background = true
		}
		out.To(root, line)
	case l.subtype == "permission_denied" && s.children[s.agents[l.agent]] != nil:
		out.To(s.live(s.children[s.agents[l.agent]].lane), line)
	default:
		out.To(root, line)
	}
}

func movedToBackground(line []byte) bool {
	var e struct {
		Patch struct {
			Backgrounded bool `json:"is_backgrounded"`
		} `json:"patch"`
	}
	_ = native.Decode(line, &e)
	return e.Patch.Backgrounded
}

// result ends the turn of the session, and what its calls have left behind.
func (s *Splitter) result(line []byte, out *adapters.Split) {
	out.To(root, line)
	for _, c := range s.sorted() {
		if !c.over && !c.left && !c.background {
			out.To(c.lane, line)
			s.end(c, out)
		}
	}
	s.forgetCalls(root)
}
