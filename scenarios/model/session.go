package model

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Session is one session as its clients must see it: a list of what began and perhaps ended, a queue, and a map of the keys that
// were used. Its methods are what can happen to it.
type Session struct {
	Items  []Item
	Queue  []Prompt
	Keys   map[string]Prompt // by idempotency key, as accepted first
	Policy protocol.Policy
	Agent  Agent
	End    protocol.State // how it has ended; empty: it has not
	Told   []string       // what its agent must have been told, in order

	now      time.Duration
	readyBy  time.Duration  // an agent that starts is given up then; 0: none starts
	heedBy   time.Duration  // likewise one that was told to stop its turn
	phase    protocol.State // what the agent says it does; empty: nothing
	ending   bool           // it was asked to end
	began    bool           // it has taken up the running turn
	resumes  bool           // one was ready once
	anew     bool           // its own session is given up
	failures int            // exits since the last completed turn
	accepted int            // prompts
	turns    int
}

// New is a session that was just created: its agent is on its way.
func New(now time.Duration) *Session {
	return &Session{Keys: map[string]Prompt{}, Agent: Starting, now: now}
}

// Item is a turn, an entry or a request. Status is how it ended: a turn's status, "complete" or "incomplete", an outcome.
type Item struct {
	Kind   Kind
	Status string // empty: it is open
	ID     string // of a turn; a request's is the daemon's to choose
	Key    int    // the agent's own name for an entry or a request
	Turn   string // that it began in
	Text   string // of an entry; of a turn the id of the prompt that began it
	Tool   int    // of an approval: the tool call that it is about; 0: none
	Waits  bool   // of a tool call: for an approval
	By     string // who resolved it
	Due    time.Duration
	Late   string // the option that the policy takes then
}

// Kind is what an item is.
type Kind string

// The kinds of items. An approval can be given once or for always, or denied with or without stopping the turn.
const (
	Turn     Kind = "turn"
	Message  Kind = "assistant_message"
	Tool     Kind = "tool_call"
	Approval Kind = "approval"
	Question Kind = "question"
)

// Prompt is a prompt that waits. Sent: the agent has it, to steer its turn with.
type Prompt struct {
	ID, Text string
	Behavior protocol.Behavior
	Sent     bool
}

// Agent is where a session's agent is: not there, on its way, or ready for prompts.
type Agent int

// Where agents are.
const (
	Gone Agent = iota
	Starting
	Ready
)

// Answer is what a client must be told. An empty Code: it is done.
type Answer struct {
	Code            protocol.Code
	Prompt, Turn    string // ids
	Position        int
	Repeated        bool
	Outcome, Option string
	By              string // who answered, or was first
}

// Limits that the daemon is run with.
const (
	maxQueue    = 4
	maxRestarts = 5
	maxResumes  = 3
	readyGrace  = time.Minute
	heedGrace   = 10 * time.Second
)

// Now is how far the session's time has passed.
func (s *Session) Now() time.Duration { return s.now }

// Ending says that it was asked to end.
func (s *Session) Ending() bool { return s.ending }
