package codex

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// splitter routes the lines of one app-server to the threads that they are about.
type splitter struct {
	attached bool // to a server that has other clients as well
	lanes    map[adapters.Lane]*lane
	newest   adapters.Lane
	roots    []adapters.Lane          // lanes that are nobody's sub-agent, in the order of their beginning
	threads  map[string]adapters.Lane // by thread id
	parents  map[string]adapters.Lane // of threads that a lane's agent has told of
	asked    map[string]adapters.Lane // requests of the server that wait for an answer, by raw id
	ids      int                      // of own requests, last given

	ready    bool     // the handshake is done
	away     bool     // the connection is lost, and not open again
	lost     bool     // it was, and the handshake is not done again
	shaking  int      // id of the handshake
	refused  []byte   // the error that ended the handshake; nil: none
	waiting  []saying // lines of lanes that wait for it
	starting int      // requests that are not answered yet and give a lane its thread

	held  held    // lines of threads that nobody knows yet
	early []stray // lines of no thread, until there is a lane

	recorded bool // lines were sent by somebody else
	rpc      bool // the agent speaks JSON-RPC: this is no import of bare lines
	sent     map[string]*sent
}

// lane is one thread's part.
type lane struct {
	id      adapters.Lane
	parent  adapters.Lane
	joined  bool // a session asked for it; else it was born
	thread  string
	turn    string            // the turn that runs or is about to; empty: none
	running bool              // the server has said that it runs
	ended   string            // the turn that ended last
	pending map[string]string // methods of requests that give a thread or a turn, by the lane's id of them
	left    bool              // only waits to stop what it has started
}

// saying is a line of a lane that waits for the handshake.
type saying struct {
	lane adapters.Lane
	line []byte
}

// maxSayings is how many lines wait for a handshake.
const maxSayings = 4096

func newSplitter(spec adapters.Spec) *splitter {
	return &splitter{
		attached: spec.Endpoint != nil,
		lanes:    map[adapters.Lane]*lane{},
		threads:  map[string]adapters.Lane{},
		parents:  map[string]adapters.Lane{},
		asked:    map[string]adapters.Lane{},
		sent:     map[string]*sent{},
	}
}

// Start begins the handshake.
func (s *splitter) Start(out *adapters.Split) {
	s.shaking = s.ids + 1
	s.write("initialize", initialize{
		ClientInfo:   clientInfo{Name: "ringmaster", Title: "Ringmaster", Version: "1"},
		Capabilities: capabilities{ExperimentalAPI: true},
	}, out)
}

// initialize is the first request of a connection. Background terminals, paged history and much else is only there with
// experimentalApi.
type initialize struct {
	ClientInfo   clientInfo   `json:"clientInfo"`
	Capabilities capabilities `json:"capabilities"`
}

type clientInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
}

type capabilities struct {
	ExperimentalAPI bool `json:"experimentalApi"`
}

// write sends a request of the splitter's own: those have lane 0, and nobody waits for their responses.
func (s *splitter) write(method string, params any, out *adapters.Split) {
	s.ids++
	out.Line(withID(encode(call{Method: method, Params: params}), unique(0, strconv.AppendInt(nil, int64(s.ids), 10))))
}

// handshake takes the answer to initialize and lets go what waited for it.
func (s *splitter) handshake(m *message, out *adapters.Split) {
	if s.ready || s.refused != nil {
		return
	}
	waiting := s.waiting
	s.waiting = nil
	if m.fault != nil {
		s.refused = bytes.Clone(m.fault)
		for _, w := range waiting {
			s.refuse(w, s.refused, out)
		}
		return
	}
	s.ready = true
	out.Line([]byte(`{"method":"initialized"}`))
	for _, w := range waiting {
		out.Line(w.line)
	}
	s.resumeLeaving(out)
}

// refuse answers a lane's request in the name of a server that was not asked.
func (s *splitter) refuse(w saying, fault []byte, out *adapters.Split) {
	m, ok := parse(w.line)
	if !ok {
		return
	}
	if _, inner, ok := split(m.id); ok {
		out.To(w.lane, append(append(append(append([]byte(`{"id":`), inner...), `,"error":`...), fault...), '}'))
	}
}

// Join gives a session a lane. One that goes on with a thread owns it at once: a server where the thread runs speaks of it
// before it answers.
func (s *splitter) Join(spec adapters.Spec, out *adapters.Split) adapters.Lane {
	l := s.lane()
	l.joined = true
	s.roots = append(s.roots, l.id)
	if spec.Resume && spec.NativeSessionID != "" {
		if old := s.lanes[s.threads[spec.NativeSessionID]]; old != nil && old.left {
			delete(s.lanes, old.id)
		}
		s.bind(l, spec.NativeSessionID)
	}
	s.deliverEarly(l.id, out)
	return l.id
}

func (s *splitter) lane() *lane {
	s.newest++
	l := &lane{id: s.newest, pending: map[string]string{}}
	s.lanes[l.id] = l
	return l
}

// bind gives a lane its thread, instead of the one that it may have had.
func (s *splitter) bind(l *lane, thread string) {
	if s.threads[l.thread] == l.id {
		delete(s.threads, l.thread)
	}
	l.thread = thread
	s.threads[thread] = l.id
}

// Say takes a line of a lane's translator.
func (s *splitter) Say(id adapters.Lane, line []byte, out *adapters.Split) {
	l := s.lanes[id]
	m, ok := parse(line)
	if l == nil || !ok {
		return
	}
	switch {
	case m.isRequest():
		if givesThread(m.method) {
			s.starting++
		}
		if givesThread(m.method) || m.method == "turn/start" {
			l.pending[string(m.id)] = m.method
		}
		line = withID(line, unique(uint32(id), m.id))
	case m.isResponse():
		delete(s.asked, string(m.id))
	}
	switch {
	case s.ready:
		out.Line(line)
	case s.refused != nil:
		s.refuse(saying{id, line}, s.refused, out)
	case len(s.waiting) >= maxSayings:
		s.answered(l, string(m.id))
		s.refuse(saying{id, line}, notConnected, out)
	default:
		s.waiting = append(s.waiting, saying{id, bytes.Clone(line)})
	}
}

// givesThread says that the response to a request names the thread that its sender has from then on.
func givesThread(method string) bool {
	return method == "thread/start" || method == "thread/resume" || method == "thread/fork"
}

// Line takes one line of the server.
func (s *splitter) Line(line []byte, out *adapters.Split) {
	if l := s.lanes[s.deltaLane(line)]; l != nil && !l.left {
		out.To(l.id, line)
		return
	}
	s.route(line, out)
}

var deltaHead = []byte(`elta","params":{"threadId":"`)

// deltaLane is the short way for deltas, which nearly all lines of a busy server are: it looks at no more than the thread's
// id, which stands at their beginning. 0: this line is none, or it is of an unknown thread.
func (s *splitter) deltaLane(line []byte) adapters.Lane {
	rest, ok := bytes.CutPrefix(line, itemHead)
	if !ok {
		return 0
	}
	end := bytes.IndexByte(rest, '"') - len("elta")
	if end < 0 {
		return 0
	}
	if rest, ok = bytes.CutPrefix(rest[end:], deltaHead); !ok {
		return 0
	}
	if end = bytes.IndexByte(rest, '"'); end < 0 {
		return 0
	}
	return s.threads[string(rest[:end])]
}

// drop forgets a lane.
func (s *splitter) drop(l *lane) {
	delete(s.lanes, l.id)
	if s.threads[l.thread] == l.id {
		delete(s.threads, l.thread)
	}
	s.uproot(l)
}

// uproot takes a lane off those that hear what concerns everybody.
func (s *splitter) uproot(l *lane) {
	s.roots = slices.DeleteFunc(s.roots, func(id adapters.Lane) bool { return id == l.id })
}

// starts notes the turn that a response to turn/start names.
func (l *lane) starts(turn string) {
	if l.turn == "" && turn != l.ended {
		l.turn = turn
	}
}
