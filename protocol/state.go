package protocol

import (
	"math"
	"strings"
)

// SessionState is what a log says, folded up to one event (spec §10.1).
//
// Its JSON is what GET /sessions/{id}/state answers; folding goes on from a decoded one as from the original. The zero
// value is the state before the first event. It is not safe for concurrent use.
type SessionState struct {
	SessionID       string            `json:"sessionId"`                 // the session's id, a UUID
	AgentBackend    string            `json:"agentBackend"`              // the agent's name
	Metadata        Metadata          `json:"metadata"`                  // as in session_start
	Title           string            `json:"title,omitempty"`           // for people
	Model           string            `json:"model,omitempty"`           // in force, in the agent's own words
	Mode            string            `json:"mode,omitempty"`            // in force, in the agent's own words
	PendingModel    string            `json:"pendingModel,omitempty"`    // chosen, and not in force yet
	PendingMode     string            `json:"pendingMode,omitempty"`     // chosen, and not in force yet
	NativeSessionID string            `json:"nativeSessionId,omitempty"` // the agent's own id of the session
	AgentVersion    string            `json:"agentVersion,omitempty"`    // the version that the agent's program says it has
	Labels          map[string]string `json:"labels,omitempty"`          // for programs: free keys and values
	Capabilities    []string          `json:"capabilities,omitempty"`    // what the agent can do, as words such as "steer" and "resume"
	Policy          *Policy           `json:"policy,omitempty"`          // absent: everything is asked
	Budget          *Budget           `json:"budget,omitempty"`          // what it may use; absent: whatever it needs

	Epoch uint64 `json:"epoch"` // 0 before the first event
	Seq   uint64 `json:"seq"`   // of the last event
	Ts    int64  `json:"ts"`    // of the last event

	Status   *Status         `json:"status,omitempty"`   // the last status event
	End      *SessionEnd     `json:"end,omitempty"`      // the last session_end, until the session is revived
	Turns    []*TurnState    `json:"turns,omitempty"`    // in the order of their starts
	Entries  []*EntryState   `json:"entries,omitempty"`  // in the order of their starts
	Requests []*RequestState `json:"requests,omitempty"` // in the order in which they were opened, the resolved ones too
	Queue    []*QueuedPrompt `json:"queue,omitempty"`    // prompts that wait
	Children []*ChildState   `json:"children,omitempty"` // sessions that work for this one
	Usage    UsageTotals     `json:"usage"`              // what the session's model requests used
	Spent    *Spent          `json:"spent,omitempty"`    // what the session has used of what budgets limit; absent: nothing
	Marks    []*BudgetMark   `json:"marks,omitempty"`    // limits that are near or reached, of its own budget and of those above it

	turns    map[string]*TurnState
	entries  map[string]*EntryState
	requests map[string]*RequestState
}

// TurnState is one turn. It has no status while it runs.
type TurnState struct {
	TurnID   string     `json:"turnId"`            // the turn's id
	Status   TurnStatus `json:"status,omitempty"`  // how it ended; absent while it runs
	Cause    TurnCause  `json:"cause,omitempty"`   // why it ended, where it has not completed
	Error    string     `json:"error,omitempty"`   // what went wrong, or what stopped it
	Hint     string     `json:"hint,omitempty"`    // what mends it
	Prompt   *Prompt    `json:"prompt,omitempty"`  // what the turn works on; absent: no prompt started it
	StartSeq uint64     `json:"startSeq"`          // seq of its first event
	StartTs  int64      `json:"startTs"`           // Unix ms of its first event
	EndSeq   uint64     `json:"endSeq,omitempty"`  // seq of its turn_end
	EndTs    int64      `json:"endTs,omitempty"`   // Unix ms of its turn_end
	Entries  []string   `json:"entries,omitempty"` // entry ids, in the order of their starts
	Usage    *Usage     `json:"usage,omitempty"`   // the sum of the turn's token_usage events
}

// EntryState is one entry, as far as it is there.
//
// Data is always current: it may be read between two events, and must not be changed.
type EntryState struct {
	EntryID      string    `json:"entryId"`                // the entry's id
	EntryType    EntryType `json:"entryType"`              // says what data holds
	TurnID       string    `json:"turnId,omitempty"`       // the turn of the entry; absent between turns
	Round        int       `json:"round,omitempty"`        // model round inside the turn, from 1
	PersistentID string    `json:"persistentId,omitempty"` // the agent's own id of it
	Open         bool      `json:"open,omitempty"`         // no entry_end yet
	Incomplete   bool      `json:"incomplete,omitempty"`   // closed by the daemon, or open when the session ended
	Reason       string    `json:"reason,omitempty"`       // why it is incomplete
	StartSeq     uint64    `json:"startSeq"`               // of its first event
	StartTs      int64     `json:"startTs"`                // Unix ms of its first event
	EndSeq       uint64    `json:"endSeq,omitempty"`       // seq of its entry_end
	EndTs        int64     `json:"endTs,omitempty"`        // Unix ms of its entry_end
	Data         EntryData `json:"data"`                   // the content, as far as it is there

	text, args grower
	summary    []grower
}

// RequestState is a request and, once it has one, its answer.
type RequestState struct {
	RequestOpened
	OpenedSeq   uint64           `json:"openedSeq"`             // seq of its request_opened
	OpenedTs    int64            `json:"openedTs"`              // Unix ms of its request_opened
	Resolved    *RequestResolved `json:"resolved,omitempty"`    // its answer; absent: it is open
	ResolvedSeq uint64           `json:"resolvedSeq,omitempty"` // seq of its request_resolved
	ResolvedTs  int64            `json:"resolvedTs,omitempty"`  // Unix ms of its request_resolved
}

// QueuedPrompt is a prompt that waits.
type QueuedPrompt struct {
	PromptQueued
	Seq uint64 `json:"seq"` // of its prompt_queued event
	Ts  int64  `json:"ts"`  // Unix ms of its prompt_queued event
}

// ChildState is a sub-agent's session.
type ChildState struct {
	ChildSession
	Seq uint64 `json:"seq"` // of its first child_session event
	Ts  int64  `json:"ts"`  // Unix ms of its first child_session event
}

// UsageTotals adds up what token_usage events said.
type UsageTotals struct {
	Sum      Usage  `json:"sum"`                // of all events
	Reported *Usage `json:"reported,omitempty"` // the last sessionTotal, as the agent gave it: show this where it is there
	Cost     *Cost  `json:"cost,omitempty"`     // of all events that had one
}

// OpenRequests are the requests that wait for an answer, in the order they were opened.
func (s *SessionState) OpenRequests() []*RequestState {
	var open []*RequestState
	for _, r := range s.Requests {
		if r.Resolved == nil {
			open = append(open, r)
		}
	}
	return open
}

// Turn returns a turn by its id, or nil.
func (s *SessionState) Turn(id string) *TurnState { return s.turns[id] }

// Entry returns an entry by its id, or nil.
func (s *SessionState) Entry(id string) *EntryState { return s.entries[id] }

// Request returns a request by its id, or nil.
func (s *SessionState) Request(id string) *RequestState { return s.requests[id] }

// Cursor is where the log goes on after this state.
func (s *SessionState) Cursor() Cursor { return Cursor{max(s.Epoch, 1), s.Seq} }

// AppendJSON encodes the state after b, in the member order of the spec.
func (s *SessionState) AppendJSON(b []byte) []byte {
	c := newCoder()
	defer c.release()
	c.out = b
	c.write(s)
	return c.out
}

// pieceBytes is how long a piece is that Stream hands on, at least.
const pieceBytes = 64 << 10

// Stream encodes the state as AppendJSON does, and passes it to write in pieces of at least 64 KiB, which are valid until write returns. The last piece is
// returned instead. Before a turn, an entry or another member of a list is encoded, load, where it is not nil, may complete it: it gets a *TurnState, an
// *EntryState and so on. Encoded parts are freed, so the state is empty afterwards. Stream ends with the first error of load or write.
func (s *SessionState) Stream(load func(part any) error, write func([]byte) error) (last []byte, err error) {
	s.turns, s.entries, s.requests = nil, nil, nil
	defer func() { *s = SessionState{} }()
	c := newCoder()
	defer c.release()
	c.out = nil
	c.spill = &spill{load: load, write: write}
	c.write(s)
	return c.out, c.spill.err
}

// MarshalJSON encodes the state.
func (s *SessionState) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// UnmarshalJSON decodes a state as strictly as Decode an event; the error is a *SyntaxError.
func (s *SessionState) UnmarshalJSON(b []byte) error {
	if err := check(b, stateDepth); err != nil {
		return err
	}
	c := newCoder()
	defer c.release()
	c.dec, c.most = true, math.MaxInt
	*s = SessionState{}
	b = b[skipBlank(b, 0):]
	if b[0] != '{' {
		return &SyntaxError{Problem: "want an object"}
	}
	c.fields = split(c.fields, b)
	c.in = c.fields
	s.code(c)
	if c.err != nil {
		*s = SessionState{}
		return c.err
	}
	s.reindex()
	return nil
}

// stateDepth: the data of an entry lies two levels deeper than in its event.
const stateDepth = MaxDepth + 2

func (s *SessionState) reindex() {
	for _, t := range s.Turns {
		put(&s.turns, t.TurnID, t)
	}
	for _, e := range s.Entries {
		put(&s.entries, e.EntryID, e)
	}
	for _, r := range s.Requests {
		put(&s.requests, r.RequestID, r)
	}
}

// grower appends to a string without copying it each time. Its zero value is ready.
type grower struct{ b *strings.Builder }

// add appends text to *s, which the grower alone changes from its first call on.
func (g *grower) add(s *string, text string) {
	if g.b == nil {
		g.b = new(strings.Builder)
		g.b.WriteString(*s)
	}
	g.b.WriteString(text)
	*s = g.b.String()
}
