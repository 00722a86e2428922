package codex

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// sent is a request in a recording that is not answered yet.
type sent struct {
	method string
	thread string
	line   []byte // where the response says whose it is
}

// Sent takes a line that somebody else sent. The ids in it are his.
func (s *splitter) Sent(line []byte, out *adapters.Split) {
	s.recorded, s.rpc = true, true
	m, ok := parse(line)
	switch {
	case !ok, m.method == "initialized":
	case m.isResponse():
		if l := s.lanes.all[s.asked[string(m.id)]]; l != nil {
			out.Parts = append(out.Parts, adapters.Part{Lane: l.id, Line: line, Sent: true})
		}
		delete(s.asked, string(m.id))
	case m.isRequest():
		s.sentRequest(&m, line, out)
	}
}

func (s *splitter) sentRequest(m *message, line []byte, out *adapters.Split) {
	r := &sent{method: m.method, thread: threadOf(m)}
	if old := s.sent[string(m.id)]; old != nil {
		s.held.answered(old.method) // a line that came twice
	}
	s.sent[string(m.id)] = r
	switch {
	case m.method == "initialize":
		return
	case givesThread(m.method):
		s.held.asked(m.method)
		r.line = bytes.Clone(line)
		return
	}
	if id := s.lanes.threads[r.thread]; id != 0 {
		out.Parts = append(out.Parts, adapters.Part{Lane: id, Line: line, Sent: true})
	} else if r.thread == "" {
		s.lanes.common(line, true, out)
	}
}

// recordedResponse takes the response to a request of a recording. Where it gives a thread that nobody had, a session begins.
func (s *splitter) recordedResponse(m *message, line []byte, out *adapters.Split) {
	r := s.sent[string(m.id)]
	if r == nil {
		return
	}
	delete(s.sent, string(m.id))
	thread := r.thread
	if givesThread(r.method) {
		s.held.answered(r.method)
		thread = text(m.result, "thread", "id")
	}
	switch id := s.lanes.threads[thread]; {
	case r.method == "initialize":
	case r.line != nil && thread != "":
		if id == 0 {
			waiting := s.held.take() // they come behind the response
			id = s.born(thread, 0, out)
			for _, h := range waiting {
				s.held.add(h.thread, h.line)
			}
		}
		out.Parts = append(out.Parts, adapters.Part{Lane: id, Line: r.line, Sent: true})
		out.To(id, line)
	case id != 0:
		out.To(id, line)
	case thread == "":
		s.lanes.common(line, false, out)
	}
	if r.method == "turn/start" {
		if l := s.lanes.of(thread); l != nil {
			l.starts(text(m.result, "turn", "id"))
		}
	}
	if givesThread(r.method) {
		s.settle(out)
	}
}
