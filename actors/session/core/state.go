package core

import (
	"cmp"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// State is everything the core knows, in layers, each of which knows those below it and nothing above. This one takes what clients want.
//
//	State   what clients ask for: prompts, choices; Step, which knows all
//	life    how agents are started and ended, and the session with them
//	work    an agent at work: turns, entries, requests, and the status that follows from them
//	logged  what the log tells
//
// There is one for each of many sessions at rest: its maps are made when something comes into them.
type State struct{ life }

// life is the layer that starts agents and ends them, and closes what they leave open.
type life struct{ work }

// work is the layer of what the agent does while it runs. It starts none and ends none.
type work struct {
	logged
	link link // the running agent: none at every start of the actor
}

// logged is the layer of what the log tells: it is changed by apply alone, live and in replay alike.
type logged struct {
	writer
	about
	spent
	settings settings
	status   protocol.Status
	end      *protocol.SessionEnd // of the running incarnation; nil: not ended
	turns    int
	turn     *turn // nil: between turns
	queue    queue
	entries  entries
	requests requests
	family   family
	news     *news // of what this session does, for those that it works for; nil: none yet
	ids      ids
	limits   *Limits
}

// ids is the newest incarnation that made public ids, and how far its keys have come: a key is never used twice. Calls of caller
// tools are counted through all incarnations.
type ids struct{ incarnation, entry, request, call uint32 }

func (i *ids) seen(incarnation, entry, request uint32) {
	if incarnation > i.incarnation {
		*i = ids{incarnation: incarnation, call: i.call}
	}
	if incarnation == i.incarnation {
		i.entry, i.request = max(i.entry, entry), max(i.request, request)
	}
}

// last is how far the keys of an incarnation have come.
func (i *ids) last(incarnation uint32) (entry, request uint32) {
	if incarnation != i.incarnation {
		return 0, 0
	}
	return i.entry, i.request
}

// Limits bound what a session holds.
type Limits struct {
	Queue       int // prompts waiting
	Restarts    int // of the agent without a completed turn between
	Remembered  int // of resolved requests, and of idempotency keys
	Resumable   bool
	Restartable bool                // false: a recording is replayed, or nobody can start agents
	StopGrace   time.Duration       // for the agent to end by itself; 0: 5 s
	LostTurn    protocol.TurnStatus // of a turn whose agent exited unasked; empty: error
	StallAfter  time.Duration       // of silence, while the agent works, its status says so; 0: never
	MaxText     int                 // bytes of one text that go into the log; 0: the adapters' own
	Tokens      *secret.Tokens      // are taken out of prompts, as they are of what the agent says; nil: those that look like tokens
	// Capabilities are the agent's: what it cannot is refused before it is asked.
	Capabilities adapters.Capabilities
}

// turn is the running turn.
type turn struct {
	id     string
	prompt *protocol.Prompt
	opened int64 // up at its start; 0 after a replay
	began  bool  // the agent has said so
	denied bool  // somebody denied a request of it in a way that stops it
}

// ID is the turn's id; empty between turns.
func (t *turn) ID() string {
	if t == nil {
		return ""
	}
	return t.id
}

// Who resolves a request where no client did.
const (
	byAgent  = "agent"
	byDaemon = "daemon"
	byPolicy = "policy"
)

// ByParent says that the session that this one works for wants something: its agent, or its end.
const ByParent = "parent"

// New makes the empty state of a session with an id, before any event. It shares the limits, which nobody changes but for the defaults that it
// puts in.
func New(id string, limits *Limits) *State {
	limits.StopGrace = cmp.Or(limits.StopGrace, stopGrace)
	limits.LostTurn = cmp.Or(limits.LostTurn, protocol.TurnError)
	s := &State{}
	s.id, s.limits, s.epoch, s.of = id, limits, 1, &s.logged
	return s
}

// Rest gives back the memory that only work needs.
func (s *State) Rest() {
	s.out, s.todo, s.entries.last = nil, nil, nil
	s.link.silence.watching = false // the shell stops that timer
	if len(s.queue.waiting) == 0 {
		s.queue.waiting = nil
	}
	if len(s.entries.open) == 0 {
		s.entries.open = nil
	}
	if len(s.requests.open) == 0 {
		s.requests.open = nil
	}
}

// put sets an entry of a map, which it makes where there is none.
func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}
