package supervisor

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/pace"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/shipper"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
	"go.uber.org/zap"
)

// Health is the state of a running supervisor, for readiness and metrics.
type Health struct {
	Ready    bool // booted, and not draining
	Draining bool
	Problem  string // why it is not ready, for people
	NoRoom   string // why the disk of the data folder takes nothing, for people; empty: it does

	Sessions      int // known
	Live          int // with an actor
	Agents        int // sessions that have a connection to their agent: a process, or a part of one
	Events        uint64
	DeadLetters   uint64            // messages that reached no actor, and with which something was lost
	Failures      uint64            // messages that the supervisor failed at
	UnknownLines  map[string]uint64 // by agent: native lines of a kind that its translator does not know
	AgentRestarts uint64
	ActorRestarts uint64
	TornBytes     uint64           // cut from journals at recovery
	WriteErrors   uint64           // failed journal writes and syncs
	Illegal       uint64           // changes of a status that the status machine does not have
	Stalled       int              // sessions whose agent works and says nothing
	OpenRequests  int              // of live sessions
	FloodHeld     time.Duration    // that agents which flood were made to wait for others
	RawBytes      uint64           // native lines that were kept, in bytes before they are compressed
	RawGaps       uint64           // times at which native lines could not be kept
	RawLost       uint64           // native lines that were not
	Retention     retention.Counts // what it has removed
	Damaged       int              // sessions that are read-only because their journal is damaged
	Core          *shipper.State   // how far Core has the sessions' logs; nil: there is none
}

// health holds the counters: actors write them, any goroutine reads them.
type health struct {
	ready, draining                       atomic.Bool
	sessions, live, agents, damaged       atomic.Int64
	events, deadLetters, agentRestarts    atomic.Uint64
	actorRestarts, tornBytes, writeErrors atomic.Uint64
	failures                              atomic.Uint64

	pace   *pace.Keeper
	raw    raw.Counters
	gauges session.Gauges

	mu      sync.Mutex
	unknown map[string]uint64
}

func (h *health) actorFailed(log *zap.Logger, id string, times int) {
	h.actorRestarts.Add(1)
	log.Error("session actor failed", zap.String("session", id), zap.Int("times", times))
}

func (h *health) countUnknown(agent string) {
	h.mu.Lock()
	h.unknown[agent]++
	h.mu.Unlock()
}

// Health is safe to call at any time.
func (s *Supervisor) Health() Health {
	h := s.health
	h.mu.Lock()
	unknown := maps.Clone(h.unknown)
	h.mu.Unlock()
	out := Health{
		Ready: h.ready.Load() && !h.draining.Load(), Draining: h.draining.Load(),
		Sessions: int(h.sessions.Load()), Live: int(h.live.Load()), Agents: int(h.agents.Load()), Damaged: int(h.damaged.Load()),
		Events: h.events.Load(), DeadLetters: h.deadLetters.Load(), Failures: h.failures.Load(), UnknownLines: unknown,
		AgentRestarts: h.agentRestarts.Load(), ActorRestarts: h.actorRestarts.Load(),
		TornBytes: h.tornBytes.Load(), WriteErrors: h.writeErrors.Load(),
		Illegal: h.gauges.Illegal.Load(), FloodHeld: h.pace.Held(),
		Stalled: int(h.gauges.Stalled.Load()), OpenRequests: int(h.gauges.Requests.Load()),
		Retention: s.retention.audit.Counts(), Core: s.Outbox.Stands(),
		RawBytes: h.raw.Bytes.Load(), RawGaps: h.raw.Gaps.Load(), RawLost: h.raw.Lost.Load(),
	}
	out.NoRoom = folder.NoRoom(s.data.Root)
	switch {
	case out.Draining:
		out.Problem = "The daemon is shutting down."
	case !out.Ready:
		out.Problem = "The daemon is starting."
	}
	return out
}
