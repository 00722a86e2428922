package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Config is what decisions rest on and never changes. Times are those of the inputs.
type Config struct {
	Agents      map[string]adapters.Capabilities
	Roots       []string
	AttachHosts []string // besides this machine, where agents may be attached to
	Grants      bool     // agents can be given the daemon's MCP server
	Durability  Durability
	Boot        string // of the machine
	// Past is what is kept of removed sessions, and what owners may use; nil: nothing.
	Past *budget.Past
	Keep keep.Rule // of sessions that are at rest

	MaxSessions int           // not ended, at once, without sub-agents
	MaxChildren int           // sub-agents at work below one session
	SpawnDepth  int           // of sessions that agents make, below the one that a client made
	SpawnLimit  int           // of them, not ended, below that one
	PassiveAge  time.Duration // idle and unread for so long, a session is parked
	StopGrace   time.Duration // for an agent to end by itself

	NewID   func() string                           // of sessions
	Rand    func(n int64) int64                     // 0 to n-1
	Refresh func(*session.Summary) *session.Summary // gives it with the newest event, which a session announces with changes of its state only
	// Unsent says that Core may lack something of a session's log up to an event, which then is not to go by itself; nil: there is no Core.
	Unsent func(id string, seq uint64) bool
	// Over says of a session that is not here that it is known to have ended, or to be deleted; nil: there is no Core, and what is not here is nowhere.
	Over func(id string) bool
	// Moves says that a session may go on at another node while this one is alive; nil: none may.
	Moves  func(*session.Summary) bool
	Priced func(model string) bool // the daemon has a price of a model; nil: it has none
}

// jitter takes a random part, at least half.
func (c *Config) jitter(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return d/2 + time.Duration(c.Rand(int64(d/2+1)))
}

// Durability says when an event counts as written.
type Durability string

// The durabilities.
const (
	DurableAlways   Durability = "always"   // on disk (fdatasync) before it is shown: survives power loss
	DurableInterval Durability = "interval" // as os, and made safe every 100 ms: power loss may take the last 100 ms
	DurableOS       Durability = "os"       // written before it is shown, synced when the system likes: survives kill -9 of the daemon
)

// Found is a session of an earlier daemon, as it was read from the disk.
type Found struct {
	Summary     *session.Summary // which is the core's from then on
	Open        bool             // an earlier daemon left it at work
	Rests       bool             // its journal was closed in order, with the summary's event
	Copied      bool             // a copy of its session.json says so, and its folder was not asked yet: Proven or Corrected follows
	Stale       bool             // the summary is older than the journal, or the journal is to be looked at
	Unread      bool             // there is a session.json that this build cannot read: it stays as it is
	Rebooted    bool             // it was open before the machine's last boot
	Lost        bool             // it comes from a node that was lost
	Boot        string
	Durability  Durability
	Incarnation uint32
	Synced      uint64
	Untold      bool
	Endpoint    *adapters.Endpoint
	Came        *budget.Came // what it has brought from another node; nil: it was made here
	Past        *budget.Use  // what its record has of removed sessions below it; nil: nothing
}

// AgentInfo is one agent of the registry.
type AgentInfo struct {
	Name         string
	Installation adapters.Installation
	Capabilities adapters.Capabilities
	Checked      time.Time
	// Offers is what the newest session of the agent that told it lets one choose, without what is in force there; the zero value: none
	// has since the daemon was started.
	Offers session.Offers
}
