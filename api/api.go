package api

import (
	"context"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/document"
	"github.com/ringmaster-agents/ringmaster/api/fold"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/intake"
	"github.com/ringmaster-agents/ringmaster/api/login"
	"github.com/ringmaster-agents/ringmaster/api/mcp"
	tasks "github.com/ringmaster-agents/ringmaster/api/mcp/task"
	"github.com/ringmaster-agents/ringmaster/api/merged"
	"github.com/ringmaster-agents/ringmaster/api/nodes"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/api/profile"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/api/raw"
	"github.com/ringmaster-agents/ringmaster/api/stream"
	"github.com/ringmaster-agents/ringmaster/api/wait"
	"github.com/ringmaster-agents/ringmaster/api/web"
	"github.com/ringmaster-agents/ringmaster/api/webhook"
)

// API is the HTTP side of a daemon.
type API struct {
	cfg     Config
	routes  *guard.Routes
	table   *operation.Table
	streams *stream.Limit
	folds   *fold.Memory
	mcp     *mcp.Service
	front   *front
	handler http.Handler
	specs   *document.Specs

	closing context.Context // done when the streams shall end
	close   context.CancelFunc
}

// New builds the API. It starts nothing; Server serves it.
func New(cfg Config) (*API, error) {
	cfg = cfg.withDefaults()
	a := &API{
		cfg: cfg, routes: guard.NewRoutes(), folds: fold.NewMemory(cfg.MaxAnswers),
		streams: stream.NewLimit(cfg.MaxStreams, cfg.MaxStreamsPerSession, surePlaces),
	}
	gate := access.NewGate(cfg.Supervisor, cfg.SessionRate)
	gate.OnRemoved(cfg.Submissions.Removed)
	a.closing, a.close = context.WithCancel(context.Background())
	requests := access.NewShares(int64(cfg.MaxRequests), surePlaces)
	a.front = &front{
		cfg: cfg, strangers: cfg.Log.WithOptions(zap.WrapCore(few)), audit: access.NewAudit(cfg.Log), routes: a.routes,
		guard:    guard.New(a.routes, guard.Config{Token: cfg.Token, Tokens: cfg.Tokens, Hosts: cfg.Hosts, Origins: cfg.Origins}),
		requests: requests, bodies: intake.New(cfg.MaxBodies, cfg.BodyTimeout), metrics: newMetrics(gate, a.streams.Open, requests.Taken),
		peers: cfg.Peers, closing: a.closing,
	}
	a.table = operation.NewTable(a.routes, cfg.Log, "http://"+DefaultAddress)
	a.register(a.table, gate)
	a.specs = document.ServeSpecs(a.table, examplesOfBodies())
	document.ServePage(a.routes)
	if err := web.Serve(a.routes); err != nil {
		return nil, err
	}
	a.handler = a.front.answers(a.front.guarded(a.routes))
	return a, nil
}

// register puts all operations into the table. The subjects share a door to sessions, behind the gate.
func (a *API) register(t *operation.Table, gate *access.Gate) {
	pins := access.NewRetention(gate, a.cfg.Retention)
	door, encoders := control.New(gate, pins), compress.NewPool(a.cfg.MaxCompressing)
	folds := tasks.New(door, nil, nil, nil)
	prompts := queue.New(gate, door, fatesOf(folds), a.cfg.Log)
	creation := &creation{gate, door, prompts, a.cfg.Log, a.cfg.StartTimeout}
	states := fold.New(gate, door, a.folds, encoders, a.cfg.Log)
	registerSessions(t, gate, door, creation)
	prompts.Register(t)
	registerRequests(t, door, gate)
	registerInbox(t, gate)
	registerSettings(t, door)
	registerBudgets(t, gate, door)
	refused := func() { a.front.metrics.rejections.WithLabelValues("streams").Inc() }
	logs := stream.New(stream.Config{
		Door: door, Encoders: encoders, Streams: a.streams, Log: a.cfg.Log, Closing: a.closing, Heartbeat: a.cfg.Heartbeat,
		Now: a.cfg.Now, Rand: a.cfg.Rand, Refused: refused,
	})
	merged.New(merged.Config{
		Gate: gate, Door: door, Streams: a.streams, Summary: summaryOf, Log: a.cfg.Log, Closing: a.closing, Heartbeat: a.cfg.Heartbeat,
		Now: a.cfg.Now, Rand: a.cfg.Rand, Refused: refused, NoRoom: logs.NoRoom,
	}).Register(t)
	registerWait(t, &wait.Config{
		Gate: gate, List: a.cfg.Supervisor.Roster, Streams: a.streams, Closing: a.closing, Refused: refused, Away: a.cfg.Peers.Wait,
	}, folds)
	logs.Register(t)
	states.Register(t)
	raw.Register(t, gate, a.folds, encoders, a.cfg.Log)
	registerAgents(t, gate, a.cfg.Held)
	registerHealth(a.closing, t, gate, a.cfg.Version)
	registerTokens(t, a.cfg.Tokens)
	login.Register(t, login.Config{Tokens: a.cfg.Tokens, Audit: a.front.audit, Now: a.cfg.Now, Info: tokenInfo})
	registerOwnerBudgets(t, gate)
	a.cfg.Webhooks.Attach(webhook.World{Gate: gate, Door: door, Tokens: a.cfg.Tokens})
	a.cfg.Webhooks.Register(t)
	a.front.metrics.registry.MustRegister(a.cfg.Webhooks)
	registerRoots(t, gate, a.cfg.RootAdded)
	registerRetention(t, pins)
	registerReload(t, a.cfg.Reload)
	registerNative(t, gate)
	nodes.Register(t, access.NewNodes(gate, a.cfg.Nodes))
	a.front.metrics.register(t)
	profile.Register(a.closing, t)
	if a.cfg.Peers != nil {
		a.front.metrics.passesOn(a.cfg.Peers.Open)
	}
	away := peer.Away{Forwarder: a.cfg.Peers}
	a.mcp = serveMCP(a.closing, t, mcp.Config{
		Backend: mcpBackend{gate, pins, creation, prompts, states, away}, Away: away, Agents: gate.AgentNames(), Compat: a.cfg.MCPCompat,
		Version: a.cfg.Version, Log: a.cfg.Log, Audit: a.front.audit, Submissions: a.cfg.Submissions, Heartbeat: a.cfg.Heartbeat,
		CallTimeout: a.cfg.CallTimeout, Now: a.cfg.Now,
	})
}

// Handler serves all routes, guarded. Requests need the connection's local address in their context, as http.Server puts it
// there; its connections are not known to be unix sockets.
func (a *API) Handler() http.Handler { return a.handler }

// LastAsked is when somebody last asked for anything, besides /health and /metrics: now, while something is being answered, a stream
// also; zero, where nobody has.
func (a *API) LastAsked() time.Time { return a.front.activity.lastAsked() }
