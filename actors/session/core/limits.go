package core

import (
	"cmp"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/secret"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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
	Tokens      *secret.Tokens      // the daemon's, which are taken out of prompts as they are out of the agent's words; nil: whatever looks like one
	// Capabilities are the agent's. A question that needs one which the agent does not have is refused before the agent hears of it.
	Capabilities adapters.Capabilities
}

// Grace is how long an agent has to end by itself.
func (l *Limits) Grace() time.Duration { return cmp.Or(l.StopGrace, stopGrace) }

// lostTurn is what becomes of a turn whose agent exited unasked.
func (l *Limits) lostTurn() protocol.TurnStatus { return cmp.Or(l.LostTurn, protocol.TurnError) }
