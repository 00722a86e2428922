package core

import (
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
type life struct {
	work
	above above
}

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
	budgets
	settings settings
	status   protocol.Status
	end      *protocol.SessionEnd // of the running incarnation; nil: not ended
	turns    int
	turn     *turn              // nil: between turns
	last     *protocol.LastTurn // the newest that has ended; nil: none has
	queue    queue
	entries  entries
	requests requests
	family   family
	undone   unsettled
	epochs   protocol.Epochs
	changed  uint64 // seq of the newest event that summaries tell of: a new summary follows it
	frame    protocol.Frame
	news     *news // of what this session does, for those that it works for; nil: none yet
	ids      ids
	limits   *Limits
}

// New makes the empty state of a session with an id, before any event. It shares the limits, which nobody changes: another goroutine
// may make a state of the same session beside it.
func New(id string, limits *Limits) *State {
	s := &State{}
	s.id, s.limits, s.of = id, limits, &s.logged
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
