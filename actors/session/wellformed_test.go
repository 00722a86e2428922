package session

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// audit checks the invariants of the package comment on a log, event by event, knowing nothing of the core.
type audit struct {
	seq      uint64
	time     int64
	ended    bool
	turn     string
	turns    map[string]bool
	entries  map[string]string // open: the turn they belong to
	closed   map[string]bool
	requests map[string]bool // true: open
	prompts  map[string]bool // true: waiting
	status   protocol.Status
}

func newAudit() *audit {
	return &audit{
		turns: map[string]bool{}, entries: map[string]string{}, closed: map[string]bool{},
		requests: map[string]bool{}, prompts: map[string]bool{},
	}
}

func (a *audit) take(e *protocol.Event) error {
	if e.Seq != a.seq+1 {
		return fmt.Errorf("I1: seq %d after %d", e.Seq, a.seq)
	}
	if e.Time < a.time {
		return fmt.Errorf("I2: time went back at seq %d", e.Seq)
	}
	a.seq, a.time = e.Seq, e.Time
	if (e.Seq == 1) != (e.Payload.Type() == protocol.TypeSessionStart) {
		return fmt.Errorf("I1: %s at seq %d", e.Payload.Type(), e.Seq)
	}
	if a.ended {
		return fmt.Errorf("I6: %s after session_end", e.Payload.Type())
	}
	return a.payload(e.Payload)
}

func (a *audit) payload(p protocol.Payload) error {
	switch p := p.(type) {
	case *protocol.SessionEnd:
		if a.turn != "" || len(a.entries) > 0 {
			return fmt.Errorf("I6: session_end with turn %q and %d entries open", a.turn, len(a.entries))
		}
		if !a.status.State.Ended() {
			return fmt.Errorf("I6: session_end in state %s", a.status.State)
		}
		a.ended = true
	case *protocol.TurnStart:
		if a.turn != "" || a.turns[p.TurnID] {
			return fmt.Errorf("I6: turn %s begins in turn %q", p.TurnID, a.turn)
		}
		a.turn, a.turns[p.TurnID] = p.TurnID, true
	case *protocol.TurnEnd:
		if p.TurnID != a.turn {
			return fmt.Errorf("I6: turn %s ends in turn %q", p.TurnID, a.turn)
		}
		a.turn = ""
	case *protocol.EntryStart:
		if _, open := a.entries[p.EntryID]; open || a.closed[p.EntryID] {
			return fmt.Errorf("I4: entry %s starts again", p.EntryID)
		}
		if p.TurnID != a.turn {
			return fmt.Errorf("I5: entry %s of turn %q starts in turn %q", p.EntryID, p.TurnID, a.turn)
		}
		a.entries[p.EntryID] = p.TurnID
	case *protocol.EntryDelta:
		if _, open := a.entries[p.EntryID]; !open {
			return fmt.Errorf("I4: delta of entry %s, which is not open", p.EntryID)
		}
	case *protocol.EntryEnd:
		turn, open := a.entries[p.EntryID]
		if !open || turn != p.TurnID {
			return fmt.Errorf("I4: end of entry %s of turn %q, open %v", p.EntryID, p.TurnID, open)
		}
		delete(a.entries, p.EntryID)
		a.closed[p.EntryID] = true
	case *protocol.RequestOpened:
		if _, known := a.requests[p.RequestID]; known {
			return fmt.Errorf("I6: request %s opens again", p.RequestID)
		}
		a.requests[p.RequestID] = true
	case *protocol.RequestResolved:
		if !a.requests[p.RequestID] {
			return fmt.Errorf("I6: request %s is not open", p.RequestID)
		}
		a.requests[p.RequestID] = false
	case *protocol.PromptQueued:
		if _, known := a.prompts[p.PromptID]; known {
			return fmt.Errorf("prompt %s is queued again", p.PromptID)
		}
		a.prompts[p.PromptID] = true
	case *protocol.PromptRemoved:
		if !a.prompts[p.PromptID] {
			return fmt.Errorf("prompt %s does not wait", p.PromptID)
		}
		a.prompts[p.PromptID] = false
	case *protocol.Status:
		if *p == a.status {
			return fmt.Errorf("I8: the same status again: %+v", *p)
		}
		if !Allowed(a.status.State, p.State) && p.State != a.status.State {
			return fmt.Errorf("I8: the table has no row from %q to %q", a.status.State, p.State)
		}
		a.status = *p
	}
	return nil
}

// settled is what must hold when no agent runs.
func (a *audit) settled() error {
	if a.turn != "" || len(a.entries) > 0 {
		return fmt.Errorf("turn %q and %d entries are open, and no agent runs", a.turn, len(a.entries))
	}
	for id, open := range a.requests {
		if open {
			return fmt.Errorf("request %s is open, and no agent runs", id)
		}
	}
	return nil
}
