package codex

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// lane is one thread's part of the connection.
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

// served says that a session hears the lane, or hears of it.
func (l *lane) served() bool { return !l.left && (l.joined || l.parent != 0) }

// answered notes that a request is not under way any more, and gives its method where that was followed.
func (l *lane) answered(id string) (method string) {
	method = l.pending[id]
	delete(l.pending, id)
	return method
}

// starts notes the turn that a response to turn/start names.
func (l *lane) starts(turn string) {
	if l.turn == "" && turn != l.ended {
		l.turn = turn
	}
}

// joins notes the turn that runs in a thread that was resumed.
func (l *lane) joins(result []byte) {
	l.turn, l.running = "", false
	if text(result, "thread", "status", "type") != "active" {
		return
	}
	var newest []json.RawMessage
	_ = native.Decode(member(member(result, "initialTurnsPage"), "data"), &newest)
	if len(newest) > 0 && text(newest[0], "status") == "inProgress" {
		l.turn, l.running = text(newest[0], "id"), true
	}
}

// lose forgets what was under way on a connection that was lost. What was about to run does by now.
func (l *lane) lose() {
	clear(l.pending)
	l.running = l.turn != ""
}

// lanes are those of one connection, and who has which thread.
type lanes struct {
	all     map[adapters.Lane]*lane
	newest  adapters.Lane
	roots   []adapters.Lane          // lanes that are nobody's sub-agent, in the order of their beginning
	threads map[string]adapters.Lane // by thread id
	parents map[string]adapters.Lane // of threads that a lane's agent has told of
	early   []stray                  // lines of no thread, until there is a lane
}

func newLanes() lanes {
	return lanes{all: map[adapters.Lane]*lane{}, threads: map[string]adapters.Lane{}, parents: map[string]adapters.Lane{}}
}

// of is the lane of a thread; nil: there is none.
func (s *lanes) of(thread string) *lane { return s.all[s.threads[thread]] }

func (s *lanes) add() *lane {
	s.newest++
	l := &lane{id: s.newest, pending: map[string]string{}}
	s.all[l.id] = l
	return l
}

// bind gives a lane its thread, instead of the one that it may have had.
func (s *lanes) bind(l *lane, thread string) {
	if s.threads[l.thread] == l.id {
		delete(s.threads, l.thread)
	}
	l.thread = thread
	s.threads[thread] = l.id
}

// drop forgets a lane.
func (s *lanes) drop(l *lane) {
	delete(s.all, l.id)
	if s.threads[l.thread] == l.id {
		delete(s.threads, l.thread)
	}
	s.uproot(l)
}

// over ends the lane of a sub-agent, or of another client's thread.
func (s *lanes) over(l *lane, out *adapters.Split) {
	if !l.left {
		out.Over(l.id)
	}
	s.drop(l)
}

// root has a lane hear what concerns everybody, and what nobody has heard so far.
func (s *lanes) root(l *lane, out *adapters.Split) {
	s.roots = append(s.roots, l.id)
	for _, e := range s.early {
		out.Parts = append(out.Parts, adapters.Part{Lane: l.id, Line: e.line, Sent: e.sent})
	}
	s.early = nil
}

// uproot takes a lane off those that hear what concerns everybody.
func (s *lanes) uproot(l *lane) {
	s.roots = slices.DeleteFunc(s.roots, func(id adapters.Lane) bool { return id == l.id })
}

// first is the lane that hears what concerns the connection as a whole; 0: none yet.
func (s *lanes) first() adapters.Lane {
	for _, id := range s.roots {
		if s.all[id].joined {
			return id
		}
	}
	if len(s.roots) > 0 {
		return s.roots[0]
	}
	return 0
}

// stray is a line of no thread.
type stray struct {
	line []byte
	sent bool
}

// maxEarly is how many lines of no thread wait for the first lane; what comes after them is nobody's.
const maxEarly = 64

// common gives a line of no thread to one lane, so that it is said once.
func (s *lanes) common(line []byte, sent bool, out *adapters.Split) {
	if id := s.first(); id != 0 {
		out.Parts = append(out.Parts, adapters.Part{Lane: id, Line: line, Sent: sent})
	} else if len(s.early) < maxEarly {
		s.early = append(s.early, stray{bytes.Clone(line), sent})
	}
}

// everybody tells all sessions.
func (s *lanes) everybody(line []byte, out *adapters.Split) {
	first := s.first()
	if first == 0 || !s.all[first].joined {
		s.common(line, false, out)
		return
	}
	for _, id := range s.roots {
		if s.all[id].joined {
			out.To(id, line)
		}
	}
}

// parent is the lane whose agent has started a thread, as far as a line of it tells; 0: not known.
func (s *lanes) parent(thread string, m *message) adapters.Lane {
	if l := s.all[s.parents[thread]]; l != nil && !l.left {
		return l.id
	}
	switch m.method {
	case "thread/started":
		info := member(m.params, "thread")
		for _, id := range []string{
			text(info, "parentThreadId"), text(info, "source", "subAgent", "thread_spawn", "parent_thread_id"),
		} {
			if l := s.of(id); id != thread && l != nil && !l.left {
				return l.id
			}
		}
	case "turn/started":
		root := text(m.params, "turn", "rootTurnId")
		if root == "" || root == text(m.params, "turn", "id") {
			return 0
		}
		for id := adapters.Lane(1); id <= s.newest; id++ {
			if l := s.all[id]; l != nil && !l.left && l.turn == root {
				return id
			}
		}
	}
	return 0
}
