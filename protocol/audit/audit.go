package audit

import (
	"errors"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What a log can break. Errors of Log wrap one of these.
var (
	ErrOrdered  = errors.New("not ordered")  // seq or time
	ErrEntries  = errors.New("entry broken") // starts once, ends once, deltas between, in its turn
	ErrTurns    = errors.New("turn broken")  // one at a time, each ended once, nothing after session_end
	ErrRequests = errors.New("request broken")
	ErrQueue    = errors.New("prompt queue broken")
	ErrStatus   = errors.New("status broken")
)

// Log audits one log. Make it with New.
type Log struct {
	seq      uint64
	time     int64
	ended    bool
	turn     string
	turns    map[string]bool
	entries  map[string]open                    // by id
	closed   map[string]bool                    // ended
	requests map[string]*protocol.RequestOpened // nil: resolved
	prompts  map[string]bool                    // true: waiting
	status   protocol.Status
}

// open is an open entry.
type open struct {
	turn string
	kind protocol.EntryType
}

// New makes an audit of a log that begins at seq 1.
func New() *Log {
	return &Log{
		turns: map[string]bool{}, entries: map[string]open{}, closed: map[string]bool{},
		requests: map[string]*protocol.RequestOpened{}, prompts: map[string]bool{},
	}
}

// Take checks the next event.
func (a *Log) Take(e *protocol.Event) error {
	if e.Seq != a.seq+1 {
		return fmt.Errorf("%w: seq %d after %d", ErrOrdered, e.Seq, a.seq)
	}
	if e.Time < a.time {
		return fmt.Errorf("%w: time went back at seq %d", ErrOrdered, e.Seq)
	}
	a.seq, a.time = e.Seq, e.Time
	if (e.Seq == 1) != (e.Payload.Type() == protocol.TypeSessionStart) {
		return fmt.Errorf("%w: %s at seq %d", ErrOrdered, e.Payload.Type(), e.Seq)
	}
	if a.ended {
		if st, ok := e.Payload.(*protocol.Status); !ok || st.State.Ended() { // a status revives the session
			return fmt.Errorf("%w: %s after session_end", ErrTurns, e.Payload.Type())
		}
		a.ended = false
	}
	return a.payload(e.Payload)
}

func (a *Log) payload(p protocol.Payload) error {
	switch p := p.(type) {
	case *protocol.SessionEnd:
		if a.turn != "" || len(a.entries) > 0 {
			return fmt.Errorf("%w: session_end with turn %q and %d entries open", ErrTurns, a.turn, len(a.entries))
		}
		if !a.status.State.Ended() {
			return fmt.Errorf("%w: session_end in state %s", ErrTurns, a.status.State)
		}
		a.ended = true
	case *protocol.TurnStart:
		if a.turn != "" || a.turns[p.TurnID] {
			return fmt.Errorf("%w: turn %s begins in turn %q", ErrTurns, p.TurnID, a.turn)
		}
		a.turn, a.turns[p.TurnID] = p.TurnID, true
	case *protocol.TurnEnd:
		if p.TurnID != a.turn {
			return fmt.Errorf("%w: turn %s ends in turn %q", ErrTurns, p.TurnID, a.turn)
		}
		for id, o := range a.entries { // commands may run on
			if o.kind != protocol.EntryToolCall {
				return fmt.Errorf("%w: turn %s ends and %s %s is open", ErrEntries, p.TurnID, o.kind, id)
			}
		}
		if id := a.unresolved(ownRequest); id != "" {
			return fmt.Errorf("%w: turn %s ends and request %s is open", ErrRequests, p.TurnID, id)
		}
		a.turn = ""
	case *protocol.EntryStart:
		if _, already := a.entries[p.EntryID]; already || a.closed[p.EntryID] {
			return fmt.Errorf("%w: entry %s starts again", ErrEntries, p.EntryID)
		}
		if p.TurnID != a.turn {
			return fmt.Errorf("%w: entry %s of turn %q starts in turn %q", ErrEntries, p.EntryID, p.TurnID, a.turn)
		}
		a.entries[p.EntryID] = open{p.TurnID, p.EntryType}
	case *protocol.EntryDelta:
		if _, is := a.entries[p.EntryID]; !is {
			return fmt.Errorf("%w: delta of entry %s, which is not open", ErrEntries, p.EntryID)
		}
	case *protocol.EntryEnd:
		o, is := a.entries[p.EntryID]
		if !is || o.turn != p.TurnID {
			return fmt.Errorf("%w: end of entry %s of turn %q, open %v", ErrEntries, p.EntryID, p.TurnID, is)
		}
		delete(a.entries, p.EntryID)
		a.closed[p.EntryID] = true
	case *protocol.RequestOpened:
		if _, known := a.requests[p.RequestID]; known {
			return fmt.Errorf("%w: request %s opens again", ErrRequests, p.RequestID)
		}
		a.requests[p.RequestID] = p
	case *protocol.RequestResolved:
		r := a.requests[p.RequestID]
		if r == nil {
			return fmt.Errorf("%w: request %s is not open", ErrRequests, p.RequestID)
		}
		if p.Outcome == protocol.OutcomeFailed && r.Kind != protocol.RequestCallerTool {
			return fmt.Errorf("%w: %s %s has failed", ErrRequests, r.Kind, p.RequestID)
		}
		a.requests[p.RequestID] = nil
	case *protocol.PromptQueued:
		if _, known := a.prompts[p.PromptID]; known {
			return fmt.Errorf("%w: prompt %s is queued again", ErrQueue, p.PromptID)
		}
		a.prompts[p.PromptID] = true
	case *protocol.PromptMoved:
		if !a.prompts[p.PromptID] || p.Before != "" && !a.prompts[p.Before] || p.Before == p.PromptID {
			return fmt.Errorf("%w: prompt %s moves before %q", ErrQueue, p.PromptID, p.Before)
		}
	case *protocol.PromptRemoved:
		if !a.prompts[p.PromptID] {
			return fmt.Errorf("%w: prompt %s does not wait", ErrQueue, p.PromptID)
		}
		a.prompts[p.PromptID] = false
	case *protocol.Status:
		if *p == a.status {
			return fmt.Errorf("%w: the same status again: %+v", ErrStatus, *p)
		}
		if p.AgentStatus != p.State.AgentStatus() {
			return fmt.Errorf("%w: %s is shown as %s", ErrStatus, p.State, p.AgentStatus)
		}
		if !mayFollow(a.status.State, p.State) {
			return fmt.Errorf("%w: %s follows %q", ErrStatus, p.State, a.status.State)
		}
		waits := a.unresolved(func(r *protocol.RequestOpened) bool { return r.Kind != protocol.RequestCallerTool }) != ""
		if (p.State == protocol.StateAwaitingApproval || p.State == protocol.StateAwaitingInput) && !waits {
			return fmt.Errorf("%w: %s, and nothing waits for an answer", ErrStatus, p.State)
		}
		a.status = *p
	default:
	}
	return nil
}

// Settled says whether everything is closed, as it must be when no agent runs; what sessions ask that work for this one may stay
// open, as those have agents of their own.
func (a *Log) Settled() error {
	if a.turn != "" || len(a.entries) > 0 {
		return fmt.Errorf("%w: turn %q and %d entries are open, and no agent runs", ErrTurns, a.turn, len(a.entries))
	}
	if id := a.unresolved(ownRequest); id != "" {
		return fmt.Errorf("%w: request %s is open, and no agent runs", ErrRequests, id)
	}
	return nil
}

// unresolved is an open request of those that are meant; empty: there is none.
func (a *Log) unresolved(meant func(*protocol.RequestOpened) bool) string {
	for id, r := range a.requests {
		if r != nil && meant(r) {
			return id
		}
	}
	return ""
}

// ownRequest says that the session's own agent asks.
func ownRequest(r *protocol.RequestOpened) bool { return r.SessionID == "" }

// Status is the status after the last event.
func (a *Log) Status() protocol.Status { return a.status }

// Seq is the newest seq.
func (a *Log) Seq() uint64 { return a.seq }
