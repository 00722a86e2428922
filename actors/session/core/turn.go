package core

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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

// cause says why the agent ended the turn as it did.
func (t *turn) cause(l *link, d *adapters.TurnEnded) protocol.TurnCause {
	switch {
	case d.Status == protocol.TurnCompleted:
		return ""
	case d.Status == protocol.TurnInterrupted && l.interrupting:
		return l.asker()
	case d.Status == protocol.TurnInterrupted && t.denied:
		return protocol.CauseUser
	case d.Lost:
		return protocol.CauseLost
	default:
		return protocol.CauseAgent
	}
}
