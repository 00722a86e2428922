package codex

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// route is the long way of a line of the server.
func (s *splitter) route(line []byte, out *adapters.Split) {
	if httpline.Is(line) && s.stream(line, out) {
		return
	}
	m, ok := parse(line)
	switch {
	case !ok:
		s.common(line, false, out)
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
		if string(inner) == strconv.Itoa(s.shaking) {
			s.handshake(m, out)
		}
		return
	}
	l := s.lanes[adapters.Lane(id)]
	if l == nil {
		return
	}
	method := s.answered(l, string(inner))
	switch {
	case givesThread(method):
		if thread := text(m.result, "thread", "id"); thread != "" {
			s.bind(l, thread)
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
	id := s.first()
	if thread := threadOf(m); thread != "" {
		if id = s.threads[thread]; id == 0 {
			var held bool
			if id, held = s.unknown(thread, m, line, out); held {
				return
			}
		}
	}
	l := s.lanes[id]
	served := l != nil && !l.left && (l.joined || l.parent != 0)
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
	if thread == "" {
		if m.method == "configWarning" || m.method == "warning" {
			s.everybody(line, out)
			return
		}
		s.common(line, false, out)
		return
	}
	id := s.threads[thread]
	if id == 0 {
		var held bool
		if id, held = s.unknown(thread, m, line, out); held {
			return
		}
	}
	l := s.lanes[id]
	if l == nil {
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
			s.over(l, out)
		}
	}
}

// over ends the lane of a sub-agent, or of another client's thread.
func (s *splitter) over(l *lane, out *adapters.Split) {
	if !l.left {
		out.Over(l.id)
	}
	s.drop(l)
}

// first is the lane that hears what concerns the connection as a whole; 0: none yet.
func (s *splitter) first() adapters.Lane {
	for _, id := range s.roots {
		if s.lanes[id].joined {
			return id
		}
	}
	if len(s.roots) > 0 {
		return s.roots[0]
	}
	return 0
}

// everybody tells all sessions.
func (s *splitter) everybody(line []byte, out *adapters.Split) {
	first := s.first()
	if first == 0 || !s.lanes[first].joined {
		s.common(line, false, out)
		return
	}
	for _, id := range s.roots {
		if s.lanes[id].joined {
			out.To(id, line)
		}
	}
}

// stray is a line of no thread.
type stray struct {
	line []byte
	sent bool
}

// maxEarly is how many lines of no thread wait for the first lane; what comes after them is nobody's.
const maxEarly = 64

// common gives a line of no thread to one lane, so that it is said once.
func (s *splitter) common(line []byte, sent bool, out *adapters.Split) {
	if id := s.first(); id != 0 {
		out.Parts = append(out.Parts, adapters.Part{Lane: id, Line: line, Sent: sent})
	} else if len(s.early) < maxEarly {
		s.early = append(s.early, stray{bytes.Clone(line), sent})
	}
}

func (s *splitter) deliverEarly(id adapters.Lane, out *adapters.Split) {
	for _, e := range s.early {
		out.Parts = append(out.Parts, adapters.Part{Lane: id, Line: e.line, Sent: e.sent})
	}
	s.early = nil
}

// bare takes a line that is no JSON-RPC: of a rollout file or of `codex exec --json`, which hold one thread.
func (s *splitter) bare(m *message, line []byte, out *adapters.Split) {
	if s.first() == 0 && !s.rpc && isBare(m.kind) {
		thread := ""
		switch m.kind {
		case "session_meta":
			thread = text(line, "payload", "id")
		case "thread.started":
			thread = text(line, "thread_id")
		}
		s.born(thread, 0, out)
	}
	s.common(line, false, out)
}

func isBare(kind string) bool { return isRollout(kind) || strings.Contains(kind, ".") }
