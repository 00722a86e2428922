package codex

import (
	"bytes"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// splitter routes the lines of one app-server to the threads that they are about.
type splitter struct {
	attached  bool // to a server that has other clients as well
	away      bool // the connection is lost, and not open again
	lost      bool // it was, and the handshake is not done again
	handshake handshake
	lanes     lanes
	held      held
	asked     map[string]adapters.Lane // requests of the server that wait for an answer, by raw id
	rpc       bool                     // the agent speaks JSON-RPC: this is no import of bare lines
	recorded  bool                     // lines were sent by somebody else
	sent      map[string]*sent         // requests of a recording that are not answered yet, by raw id
}

func newSplitter(spec adapters.Spec) *splitter {
	return &splitter{
		attached: spec.Endpoint != nil, lanes: newLanes(), asked: map[string]adapters.Lane{}, sent: map[string]*sent{},
	}
}

// Start begins the handshake.
func (s *splitter) Start(out *adapters.Split) { s.handshake.begin(out) }

// Join gives a session a lane. One that goes on with a thread owns it at once: a server where the thread runs speaks of it
// before it answers.
func (s *splitter) Join(spec adapters.Spec, out *adapters.Split) adapters.Lane {
	l := s.lanes.add()
	l.joined = true
	if spec.Resume && spec.NativeSessionID != "" {
		if old := s.lanes.of(spec.NativeSessionID); old != nil && old.left {
			delete(s.lanes.all, old.id)
		}
		s.lanes.bind(l, spec.NativeSessionID)
	}
	s.lanes.root(l, out)
	return l.id
}

// Say takes a line of a lane's translator.
func (s *splitter) Say(id adapters.Lane, line []byte, out *adapters.Split) {
	l := s.lanes.all[id]
	m, ok := parse(line)
	if l == nil || !ok {
		return
	}
	switch {
	case m.isRequest():
		s.held.asked(m.method)
		if givesThread(m.method) || m.method == "turn/start" {
			l.pending[string(m.id)] = m.method
		}
		line = withID(line, unique(uint32(id), m.id))
	case m.isResponse():
		delete(s.asked, string(m.id))
	}
	if !s.handshake.send(saying{id, line}, out) {
		s.held.answered(l.answered(string(m.id)))
	}
}

// Line takes one line of the server.
func (s *splitter) Line(line []byte, out *adapters.Split) {
	if thread := deltaThread(line); thread != nil {
		if l := s.lanes.all[s.lanes.threads[string(thread)]]; l != nil && !l.left {
			out.To(l.id, line)
			return
		}
	}
	s.route(line, out)
}

var deltaHead = []byte(`elta","params":{"threadId":"`)

// deltaThread is the short way for deltas, which nearly all lines of a busy server are: it looks at no more than the thread's
// id, which stands at their beginning. nil: this line is none.
func deltaThread(line []byte) []byte {
	rest, ok := bytes.CutPrefix(line, itemHead)
	if !ok {
		return nil
	}
	end := bytes.IndexByte(rest, '"') - len("elta")
	if end < 0 {
		return nil
	}
	if rest, ok = bytes.CutPrefix(rest[end:], deltaHead); !ok {
		return nil
	}
	if end = bytes.IndexByte(rest, '"'); end < 0 {
		return nil
	}
	return rest[:end]
}

// route is the long way of a line of the server.
func (s *splitter) route(line []byte, out *adapters.Split) {
	if httpline.Is(line) && s.stream(line, out) {
		return
	}
	m, ok := parse(line)
	switch {
	case !ok:
		s.lanes.common(line, false, out)
	case m.isResponse():
		s.rpc = true
		s.response(&m, line, out)
	case m.isRequest():
		s.request(&m, line, out)
	case m.isNotification():
		s.notification(&m, line, out)
	default:
		s.bare(&m, line, out)
	}
}

// response gives a response to the lane that asked.
func (s *splitter) response(m *message, line []byte, out *adapters.Split) {
	id, inner, ok := split(m.id)
	if !ok {
		s.recordedResponse(m, line, out)
		return
	}
	if id == 0 {
		if s.handshake.answered(inner, m, out) {
			s.shaken(out)
		}
		return
	}
	l := s.lanes.all[adapters.Lane(id)]
	if l == nil {
		return
	}
	method := l.answered(string(inner))
	s.held.answered(method)
	switch {
	case givesThread(method):
		if thread := text(m.result, "thread", "id"); thread != "" {
			s.lanes.bind(l, thread)
		}
		if method == "thread/resume" && m.fault == nil {
			l.joins(m.result)
		}
	case method == "turn/start":
		l.starts(text(m.result, "turn", "id"))
	}
	if l.left {
		s.leaving(l, out)
	} else {
		out.To(l.id, withID(line, inner))
	}
	if givesThread(method) {
		s.settle(out)
	}
}

// request gives a request of the server to the lane of its thread. One that nobody here would answer is answered here, or its
// turn would wait for ever; on a server with other clients it may be theirs to answer.
func (s *splitter) request(m *message, line []byte, out *adapters.Split) {
	id := s.lanes.first()
	if thread := threadOf(m); thread != "" {
		var held bool
		if id, held = s.laneOf(thread, m, line, out); held {
			return
		}
	}
	l := s.lanes.all[id]
	served := l != nil && l.served()
	if !served && !s.recorded && (l == nil || l.left || !s.attached) {
		out.Line(failure(m.id, "no session here has this thread"))
	}
	if l != nil && !l.left {
		s.asked[string(m.id)] = l.id
		out.To(l.id, line)
	}
}

// notification gives a notification to the lane of its thread.
func (s *splitter) notification(m *message, line []byte, out *adapters.Split) {
	thread := threadOf(m)
	switch {
	case thread == "" && (m.method == "configWarning" || m.method == "warning"):
		s.lanes.everybody(line, out)
		return
	case thread == "":
		s.lanes.common(line, false, out)
		return
	}
	id, held := s.laneOf(thread, m, line, out)
	l := s.lanes.all[id]
	if held || l == nil {
		return
	}
	if !l.left {
		out.To(id, line)
	}
	s.follow(l, m, out)
}

// threadOf is the thread that a message is about; empty: the whole connection.
func threadOf(m *message) string {
	if m.method == "thread/started" {
		return text(m.params, "thread", "id")
	}
	return text(m.params, "threadId")
}

// follow keeps what leaving a lane, and its sub-agents, need to be known of.
func (s *splitter) follow(l *lane, m *message, out *adapters.Split) {
	switch m.method {
	case "turn/started":
		l.turn, l.running = text(m.params, "turn", "id"), true
		if l.left {
			s.leaving(l, out)
		}
	case "turn/completed":
		l.turn, l.running, l.ended = "", false, text(m.params, "turn", "id")
	case "item/started", "item/completed":
		s.spawns(l, member(m.params, "item"), out)
	case "serverRequest/resolved":
		delete(s.asked, string(member(m.params, "requestId")))
	case "thread/closed", "thread/deleted":
		if l.parent != 0 || s.attached && !l.joined {
			s.lanes.over(l, out)
		}
	}
}

// bare takes a line that is no JSON-RPC: of a rollout file or of `codex exec --json`, which hold one thread.
func (s *splitter) bare(m *message, line []byte, out *adapters.Split) {
	if s.lanes.first() == 0 && !s.rpc && isBare(m.kind) {
		thread := ""
		switch m.kind {
		case "session_meta":
			thread = text(line, "payload", "id")
		case "thread.started":
			thread = text(line, "thread_id")
		}
		s.born(thread, 0, out)
	}
	s.lanes.common(line, false, out)
}

func isBare(kind string) bool { return isRollout(kind) || strings.Contains(kind, ".") }
