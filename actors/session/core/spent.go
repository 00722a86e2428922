package core

import (
	"math"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// spent is the part of a state that counts what the session has used, over all the starts of its agent.
type spent struct {
	total   protocol.Spent
	cost    float64 // US dollars
	counted uint64  // seq of the newest event that has added to the total, time aside, or is a mark: a new summary follows it
}

// applySpent counts an event. turn says that a turn runs before it, and fresh that a child_session names its session for the first time.
func (u *spent) applySpent(e *protocol.Event, turn, fresh bool) {
	switch p := e.Payload.(type) {
	case *protocol.EntryDelta: // the most frequent of all, and of no account
		return
	case *protocol.TokenUsage:
		if p.Cost != nil && !math.IsInf(u.cost+p.Cost.Total, 0) { // an agent may say any number
			u.cost += p.Cost.Total
		}
		u.counted = e.Seq
	case *protocol.BudgetMark:
		u.counted = e.Seq
	case *protocol.EntryEnd:
		if p.EntryType == protocol.EntryToolCall {
			u.counted = e.Seq
		}
	case *protocol.ChildSession:
		if fresh {
			u.counted = e.Seq
		}
	default:
	}
	u.total.Apply(e, turn, fresh)
}
