package api

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/api/submission"
	"github.com/ringmaster-agents/ringmaster/api/webhook"
	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Supervisor is the tree above the sessions; *supervisor.Supervisor is one. The API reaches it through an access.Gate only.
type Supervisor = access.Tree

// Config is everything that an API needs. The zero value of a member marked "default" takes the default.
type Config struct {
	Supervisor Supervisor
	// Retention is its, for what need not be kept; nil: nothing goes and no session is pinned.
	Retention access.Keeper
	// Nodes are those on the same Core; nil: there is none.
	Nodes   access.Cluster
	Log     *zap.Logger // default: none
	Version string      // of the program, for /health and the description

	Token  string         // the bearer token that may do everything; empty: there is none
	Tokens *access.Tokens // those that people made, and of agents; default: such as are kept in memory
	// Submissions keeps what became of calls with a key of idempotency; default: such as are kept in memory.
	Submissions *submission.Submissions
	// Webhooks tell programs of what happens; Begin must follow New. Default: such as are kept in memory, and may send nowhere.
	Webhooks *webhook.Hooks
	Hosts    []string // further values of the Host header, exactly as sent, with their port where it is not the default
	// OfAgent says whether a process on the unix socket is an agent's of this daemon, or was started by one; nil: none is.
	OfAgent func(pid int) bool
	// Held says how processes of agents are known; nil: nobody knows.
	Held    func() resource.Processes
	Origins []string // web origins that may call, as browsers send them ("https://example.org"); none by default

	// RootAdded is called when a root was added, before that is answered; nil: nothing. Its error is the answer.
	RootAdded func(ctx context.Context) error

	// Peers passes on requests to the nodes that have their sessions; nil: there are none.
	Peers *peer.Forwarder

	// Reload reads the daemon's configuration again; nil: it has none.
	Reload func(ctx context.Context) (resource.Reloaded, error)

	MaxConnections       int           // over TCP, at once; the longest idle makes room for another, else that one waits; default: no bound
	MaxRequests          int           // at once; without streams, and without those whose body is still to come; default 1024
	SessionRate          int           // sessions that one token makes in a second, after 1000 at once; default DefaultSessionRate
	MaxStreams           int           // at once; default DefaultStreams
	MaxStreamsPerSession int           // at once; default 4096
	MaxBodies            int64         // bytes of the bodies of all requests at work and to come; default DefaultInFlight
	MaxAnswers           int64         // bytes of all answers that are made in memory, from their making until they are sent; default DefaultInFlight
	MaxCompressing       int           // logs compressed at once; default 8, the rest is sent as it is
	Heartbeat            time.Duration // of a stream without events; default 15 s
	WriteTimeout         time.Duration // for a client to take what one write holds; default 10 s
	BodyTimeout          time.Duration // for a client to send a body; default 30 s
	StartTimeout         time.Duration // how long a POST /sessions waits for the agent; default 2 s
	MCPCompat            bool          // the one tool session of an earlier system is there for every MCP client
	CallTimeout          time.Duration // for a client to carry out a tool that it offers to an agent; default 60 s

	Now   func() time.Time
	NewID func() string       // of requests; default UUID version 4
	Rand  func(n int64) int64 // 0 to n-1, for the jitter of reconnects
}

// The limits that are settings of the daemon.
const (
	DefaultSessionRate = 10
	DefaultStreams     = 16_384
	DefaultInFlight    = 64 << 20 // bytes
)

func (c Config) withDefaults() Config {
	set(&c.MaxRequests, 1024)
	set(&c.SessionRate, DefaultSessionRate)
	set(&c.MaxStreams, DefaultStreams)
	set(&c.MaxStreamsPerSession, 4096)
	set(&c.MaxBodies, DefaultInFlight)
	set(&c.MaxAnswers, DefaultInFlight)
	set(&c.MaxCompressing, 8)
	set(&c.Heartbeat, 15*time.Second)
	set(&c.WriteTimeout, 10*time.Second)
	set(&c.BodyTimeout, 30*time.Second)
	set(&c.StartTimeout, 2*time.Second)
	set(&c.CallTimeout, time.Minute)
	set(&c.Version, "dev")
	if c.Log == nil {
		c.Log = zap.NewNop()
	}
	if c.Tokens == nil {
		c.Tokens = access.NewTokens()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Submissions == nil {
		c.Submissions = submission.New(c.Now)
	}
	if c.Webhooks == nil {
		none := new(post.Allow)
		c.Webhooks = webhook.New(webhook.Config{Allow: none, Log: c.Log, Now: c.Now, Chance: rand.Float64, Sender: post.New(c.Version, c.Now, none)})
	}
	if c.NewID == nil {
		c.NewID = uuid.NewString
	}
	if c.Rand == nil {
		c.Rand = rand.Int64N
	}
	return c
}

func set[T comparable](p *T, byDefault T) {
	var zero T
	if *p == zero {
		*p = byDefault
	}
}

// DefaultAddress is where a daemon listens that was told nothing else: this machine only. The port belongs to no well-known
// service and lies below the ports that systems give to outgoing connections (32768 and up), so that none of these can hold it.
const DefaultAddress = "127.0.0.1:7433"

// surePlaces are those that each principal is sure of, whatever others have: among requests at work, streams and connections.
const surePlaces = 16
