package opencode

import (
	"bytes"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// Splitter is one connection to an OpenCode server: a lane is a session of it. Events go to the lane of their session, answers
// to the lane that asked, states of the stream to all.
type Splitter struct {
	lanes     []*lane // lane n is lanes[n-1]
	sessions  map[string]*lane
	gone      map[string]bool // sessions whose lane has ended: their late events are nobody's
	calls     origins
	creating  int         // lanes that wait for their session's id
	early     earlyEvents // events of sessions that may be one of theirs
	strange   [][]byte    // events of no session, before there was a lane
	connected bool        // server.connected was seen on the stream that is open
	opened    bool        // the stream was opened, and says server.connected next
}

// lane is one session's part.
type lane struct {
	id      adapters.Lane
	session string // empty: not known yet
	parent  *lane
	folder  string // query of calls about it
	joined  bool   // a session joined; else the agent began it
	made    bool   // its session was made by it: nothing of it came before
	over    bool
	counted bool // a number of its stored changes was heard
	newest  int  // the newest of them
	past    bool // its session is taken up, and what it has said in its past was not told yet
}

func newSplitter() *Splitter {
	return &Splitter{
		sessions: map[string]*lane{}, gone: map[string]bool{}, calls: origins{pending: map[uint64]origin{}},
		early: earlyEvents{lines: map[string][][]byte{}, spilled: map[string]bool{}},
	}
}

// maxStrange is how many lines of no session wait for a lane.
const maxStrange = 64

// Start has nothing to do: Connect has found the server healthy.
func (s *Splitter) Start(*adapters.Split) {}

// Join gives a session a lane. One that the agent has already is bound to it at once.
func (s *Splitter) Join(spec adapters.Spec, out *adapters.Split) adapters.Lane {
	l := s.lane(nil)
	l.joined, l.folder, l.past = true, query(folder(&spec), ""), spec.Resume
	if spec.NativeSessionID != "" {
		s.bind(l, spec.NativeSessionID, out)
	}
	s.release(l, out)
	return l.id
}

func (s *Splitter) lane(parent *lane) *lane {
	l := &lane{id: adapters.Lane(len(s.lanes) + 1), parent: parent}
	if parent != nil {
		l.folder = parent.folder
	}
	s.lanes = append(s.lanes, l)
	return l
}

// bind makes a lane that of a session. Whoever had it before has it no more.
func (s *Splitter) bind(l *lane, session string, out *adapters.Split) {
	if old := s.sessions[session]; old != nil && old != l {
		s.finish(old, out)
	}
	l.session = session
	s.sessions[session] = l
	delete(s.gone, session)
}

// finish ends a lane by the agent's word.
func (s *Splitter) finish(l *lane, out *adapters.Split) {
	if l.over {
		return
	}
	s.close(l)
	out.Over(l.id)
}

func (s *Splitter) close(l *lane) {
	l.over = true
	if l.session != "" && s.sessions[l.session] == l {
		delete(s.sessions, l.session)
		s.gone[l.session] = true
	}
}

// Leave ends a lane and those of its sub-agents. What runs is aborted: OpenCode ends the sub-agents' work with that of the
// session.
func (s *Splitter) Leave(id adapters.Lane, out *adapters.Split) {
	l := s.find(id)
	if l == nil {
		return
	}
	s.leave(l)
	if l.session != "" {
		call := httpline.Call{N: s.calls.next(origin{}), Method: "POST", Path: "/session/" + l.session + "/abort" + l.folder}
		out.Line(call.Append(nil))
	}
}

func (s *Splitter) leave(l *lane) {
	s.close(l)
	for _, child := range s.lanes {
		if child.parent == l && !child.over {
			s.leave(child)
		}
	}
}

// find gives a lane that is not over.
func (s *Splitter) find(id adapters.Lane) *lane {
	if id == 0 || int(id) > len(s.lanes) || s.lanes[id-1].over {
		return nil
	}
	return s.lanes[id-1]
}

// Line takes a line of the server.
func (s *Splitter) Line(line []byte, out *adapters.Split) {
	if httpline.Is(line) {
		s.httpLine(line, out)
		return
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return
	}
	r := readRoute(line)
	switch {
	case r.bad:
		s.stranger(line, out)
	case r.kind == "sync":
		s.counted(&r, out)
	case r.session != "":
		s.event(&r, out)
	case r.kind == "server.heartbeat":
		s.all(r.event, false, out)
	case r.kind == "server.connected":
		s.greeted(out)
	case !aside(r.kind):
		s.stranger(r.event, out)
	}
}

// event gives an event to the lane of its session.
func (s *Splitter) event(r *route, out *adapters.Split) {
	l := s.sessions[r.session]
	if l == nil {
		if s.gone[r.session] {
			return
		}
		if l = s.unknown(r, out); l == nil {
			return
		}
	}
	if strings.HasPrefix(r.kind, "message.part.updated") && bytes.Contains(r.event, childMark) {
		s.childrenOfEvent(l, r.event, out)
	}
	out.To(l.id, r.event)
	if r.kind == "session.deleted" {
		s.finish(l, out)
	}
}

// counted takes a stored change, which /global/event says a second time, with a number of its session's. A number that is
// left out is an event that was lost: before a server has booted a folder, it loses some.
func (s *Splitter) counted(r *route, out *adapters.Split) {
	var e struct {
		Sync struct {
			Session string `json:"aggregateID"`
			Seq     *int   `json:"seq"`
		} `json:"syncEvent"`
	}
	_ = native.Decode(r.event, &e)
	l := s.sessions[e.Sync.Session]
	if l == nil || e.Sync.Seq == nil || *e.Sync.Seq < 0 {
		return
	}
	n := *e.Sync.Seq
	if missing := l.counted && n > l.newest+1 || !l.counted && l.made && n > 0; missing {
		s.resync(l, out)
	}
	l.counted, l.newest = true, max(l.newest, n)
}

// unknown gives the first event of a session a lane: its parent's child, or nobody's. While a lane waits for its session's
// id, the event may be its own and waits, too.
func (s *Splitter) unknown(r *route, out *adapters.Split) *lane {
	if parent := s.sessions[parentIn(r)]; parent != nil {
		l := s.born(r.session, parent, out)
		if r.kind != "session.created" { // its beginning was lost
			s.resync(l, out)
		}
		return l
	}
	if s.creating == 0 {
		return s.born(r.session, nil, out)
	}
	s.early.keep(r.session, r.event)
	return nil
}

// born makes the lane of a session that did not join.
func (s *Splitter) born(session string, parent *lane, out *adapters.Split) *lane {
	l := s.lane(parent)
	s.bind(l, session, out)
	birth := adapters.Birth{NativeID: session}
	if parent != nil {
		birth.Parent = parent.id
	}
	out.Born(l.id, birth)
	s.release(l, out)
	return l
}

// parentIn is the session whose sub-agent an event tells the beginning of.
func parentIn(r *route) string {
	if r.kind != "session.created" && r.kind != "session.updated" {
		return ""
	}
	var e struct {
		Properties struct {
			Info sessionInfo `json:"info"`
		} `json:"properties"`
		Data struct {
			Info sessionInfo `json:"info"`
		} `json:"data"`
	}
	_ = native.Decode(r.event, &e)
	if e.Properties.Info.ParentID != "" {
		return e.Properties.Info.ParentID
	}
	return e.Data.Info.ParentID
}

// release gives a lane what waited for it, and to the first one what is nobody's.
func (s *Splitter) release(l *lane, out *adapters.Split) {
	strange := s.strange
	s.strange = nil
	for _, line := range strange {
		out.To(l.id, line)
	}
	s.settle(l, out)
}

// settle gives a lane the events that came before its session's id, and those of other sessions to lanes of their own once
// nobody waits any more.
func (s *Splitter) settle(l *lane, out *adapters.Split) {
	if l.session != "" {
		s.deliver(l, out)
	}
	if s.creating > 0 {
		return
	}
	for _, session := range s.early.sessions() {
		for _, line := range s.early.take(session) {
			s.Line(line, out)
		}
	}
	s.early.reset()
}

// deliver gives a lane the events of its session that waited. Where some were dropped, it is told that the stream was lost, and
// asks for what it missed.
func (s *Splitter) deliver(l *lane, out *adapters.Split) {
	for _, line := range s.early.take(l.session) {
		out.To(l.id, line)
	}
	if s.early.misses(l.session) {
		s.resync(l, out)
	}
}

// resync has a lane ask for its messages.
func (s *Splitter) resync(l *lane, out *adapters.Split) {
	for _, state := range []httpline.State{httpline.Lost, httpline.Open} {
		stream := httpline.Stream{State: state}
		out.To(l.id, stream.Append(nil))
	}
}

// stranger gives a line of no session to the first lane, or to the first that comes.
func (s *Splitter) stranger(line []byte, out *adapters.Split) {
	for _, l := range s.lanes {
		if !l.over {
			out.To(l.id, line)
			return
		}
	}
	if len(s.strange) < maxStrange {
		s.strange = append(s.strange, bytes.Clone(line))
	}
}

// all gives a line to all lanes.
func (s *Splitter) all(line []byte, sent bool, out *adapters.Split) {
	for _, l := range s.lanes {
		if !l.over {
			out.Parts = append(out.Parts, adapters.Part{Lane: l.id, Line: line, Sent: sent})
		}
	}
}

// greeted takes the first event of a stream. Where none was said to be open, an earlier one was lost unnoticed.
func (s *Splitter) greeted(out *adapters.Split) {
	if s.connected && !s.opened {
		for _, l := range s.lanes {
			if !l.over {
				s.resync(l, out)
			}
		}
	}
	s.connected, s.opened = true, false
}
