package opencode

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// origins are the calls of a connection that are not answered, by their number on it.
type origins struct {
	last    uint64
	pending map[uint64]origin
	order   []uint64 // of pending, oldest first; with numbers that are answered
}

// origin is where a call came from, and where its answer goes.
type origin struct {
	lane    *lane  // whose translator made it
	n       uint64 // its number there
	creates bool   // it makes the lane's session
	foreign bool   // somebody else made it: a recording
	session string // of a foreign one: whose it is; empty: all lanes get it
	line    []byte // of a foreign one whose session has no lane: the call
}

// foreignNumbers is where the numbers of foreign calls begin in lanes, so that they never meet those of the lanes' own.
const foreignNumbers = 1 << 32

// next numbers a call.
func (o *origins) next(from origin) uint64 {
	o.last++
	o.add(o.last, from)
	return o.last
}

// add notes a call. A server that answers nothing costs no more than maxOrigins of them.
func (o *origins) add(n uint64, from origin) {
	o.pending[n] = from
	if o.order = append(o.order, n); len(o.order) <= maxOrigins {
		return
	}
	delete(o.pending, o.order[0])
	o.order = o.order[1:]
}

// maxOrigins is how many calls may wait for an answer.
const maxOrigins = 16_384

// Say makes a call of a lane.
func (s *Splitter) Say(id adapters.Lane, line []byte, out *adapters.Split) {
	l := s.find(id)
	n, ok := httpline.Number(line)
	if l == nil || !ok {
		return
	}
	from := origin{lane: l, n: n}
	if l.session == "" && createsSession(line) {
		from.creates = true
		s.creating++
	}
	out.Line(httpline.Renumber(line, s.calls.next(from)))
}

func createsSession(line []byte) bool {
	l, _ := httpline.Parse(line)
	call, ok := l.(*httpline.Call)
	if !ok {
		return false
	}
	path, _, _ := strings.Cut(call.Path, "?")
	return call.Method == http.MethodPost && path == "/session"
}

// Sent takes a call that somebody else made: of a recording. One about a session that has no lane gives it one when it is
// answered well: until then it may not exist.
func (s *Splitter) Sent(line []byte, out *adapters.Split) {
	l, _ := httpline.Parse(line)
	call, ok := l.(*httpline.Call)
	if !ok {
		return
	}
	from := origin{foreign: true, session: sessionIn(call.Path)}
	number := call.N
	call.N += foreignNumbers
	from.n = call.N
	line = call.Append(nil)
	switch l := s.sessions[from.session]; {
	case from.session == "":
		s.all(line, true, out)
	case l != nil:
		out.Parts = append(out.Parts, adapters.Part{Lane: l.id, Line: line, Sent: true})
	default:
		from.line = line
	}
	s.calls.add(number, from)
}

// httpLine takes an answer, or a state of the stream.
func (s *Splitter) httpLine(line []byte, out *adapters.Split) {
	if n, ok := httpline.Number(line); ok {
		from, ok := s.calls.pending[n]
		if !ok {
			return
		}
		delete(s.calls.pending, n)
		s.answer(line, from, out)
		return
	}
	l, ok := httpline.Parse(line)
	if !ok {
		s.stranger(line, out)
		return
	}
	if state, ok := l.(*httpline.Stream); ok {
		s.opened = state.State == httpline.Open
		s.all(line, false, out)
	}
}

// answer gives an answer to whoever asked.
func (s *Splitter) answer(line []byte, from origin, out *adapters.Split) {
	line = httpline.Renumber(line, from.n)
	switch l := from.lane; {
	case from.foreign:
		s.foreignAnswer(line, from, out)
	case l == nil:
	case from.creates:
		s.creating--
		s.created(l, line, out)
	case !l.over:
		s.childrenOfAnswer(l, line, out)
		out.To(l.id, line)
	}
}

// created binds a lane to the session that was made for it.
func (s *Splitter) created(l *lane, line []byte, out *adapters.Split) {
	parsed, _ := httpline.Parse(line)
	a, ok := parsed.(*httpline.Answer)
	var info sessionInfo
	if ok && a.OK() {
		_ = native.Decode(a.Body, &info)
	}
	if l.over {
		if info.ID != "" {
			s.gone[info.ID] = true
		}
	} else {
		if info.ID != "" {
			s.bind(l, info.ID, out)
			l.made = true
		}
		out.To(l.id, line)
	}
	s.settle(l, out)
}

func (s *Splitter) foreignAnswer(line []byte, from origin, out *adapters.Split) {
	if from.session == "" {
		s.all(line, false, out)
		return
	}
	l := s.sessions[from.session]
	if l == nil {
		parsed, _ := httpline.Parse(line)
		if a, ok := parsed.(*httpline.Answer); !ok || !a.OK() || s.gone[from.session] || from.line == nil {
			return
		}
		l = s.born(from.session, nil, out)
		out.Parts = append(out.Parts, adapters.Part{Lane: l.id, Line: from.line, Sent: true})
	}
	s.childrenOfAnswer(l, line, out)
	out.To(l.id, line)
}

// childMark stands in parts of a task that name its session.
var childMark = []byte(`"sessionId":"ses_`)

// childrenOfEvent gives the session that a task names a lane, where its own beginning was not heard.
func (s *Splitter) childrenOfEvent(l *lane, event []byte, out *adapters.Split) {
	e, _ := readEvent(event)
	var p struct {
		Part partWire `json:"part"`
	}
	_ = native.Decode(e.properties, &p)
	s.child(l, &p.Part, out)
}

// childrenOfAnswer does the same for a list of messages. Of the first one that a session taken up asks for, only tasks that run
// count: the others are history.
func (s *Splitter) childrenOfAnswer(l *lane, line []byte, out *adapters.Split) {
	if !bytes.Contains(line, childMark) {
		l.past = l.past && !bytes.Contains(line, []byte(`"parts":`))
		return
	}
	parsed, _ := httpline.Parse(line)
	a, ok := parsed.(*httpline.Answer)
	if !ok || !a.OK() {
		return
	}
	var list []stored
	_ = native.Decode(a.Body, &list)
	for i := range list {
		for j := range list[i].Parts {
			if p := &list[i].Parts[j]; !l.past || p.State.Status == "running" {
				s.child(l, p, out)
			}
		}
	}
	l.past = false
}

// child gives the session of a task a lane below its parent's. It asks for what it has missed.
func (s *Splitter) child(l *lane, p *partWire, out *adapters.Split) {
	id := p.child()
	if id == "" || id == l.session || s.gone[id] {
		return
	}
	if old := s.sessions[id]; old != nil && (old.joined || old.parent != nil || l.descends(old)) {
		return
	}
	child := s.born(id, l, out)
	s.resync(child, out)
}

// descends says that a lane is below another.
func (l *lane) descends(from *lane) bool {
	for p := l.parent; p != nil; p = p.parent {
		if p == from {
			return true
		}
	}
	return false
}
