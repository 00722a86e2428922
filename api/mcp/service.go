package mcp

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/caller"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/join"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/poll"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/mcp/push"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
	"github.com/ringmaster-agents/ringmaster/api/mcp/tool"
	"github.com/ringmaster-agents/ringmaster/api/submission"
)

// Config is everything that a service needs. The zero value of a member marked "default" takes the default.
type Config struct {
	Backend Backend
	Away    control.Away  // to sessions of other nodes; nil: there are none
	Agents  []string      // names of those that the daemon has
	Compat  bool          // the tool session is there for every client
	Version string        // of the program
	Log     *zap.Logger   // default: none
	Audit   *access.Audit // default: none
	// Submissions keeps what became of calls with a key of idempotency, those of HTTP among them; default: such as are kept in memory.
	Submissions *submission.Submissions

	MaxRequests int           // at once, open streams among them, but not those whose body is still to come; default 4096
	MaxSessions int           // MCP sessions of the old era at once; an idle one of whoever has most makes room; default 1024
	IdleTimeout time.Duration // an MCP session without requests and without an open stream ends after it; default 1 h
	Heartbeat   time.Duration // of a stream without messages; default 15 s
	CallTimeout time.Duration // for a client to carry out a tool that it offers; default 60 s
	Now         func() time.Time
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = zap.NewNop()
	}
	if c.Audit == nil {
		c.Audit = access.NewAudit(zap.NewNop())
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Submissions == nil {
		c.Submissions = submission.New(c.Now)
	}
	if c.MaxRequests == 0 {
		c.MaxRequests = 4096
	}
	if c.MaxSessions == 0 {
		c.MaxSessions = 1024
	}
	if c.IdleTimeout == 0 {
		c.IdleTimeout = time.Hour
	}
	if c.Heartbeat == 0 {
		c.Heartbeat = 15 * time.Second
	}
	if c.CallTimeout == 0 {
		c.CallTimeout = time.Minute
	}
	return c
}

// sureRequests are those that each principal is sure of, whatever others have.
const sureRequests = 16

// Service serves MCP.
type Service struct {
	cfg      Config
	door     *control.Door
	log      *zap.Logger
	tell     *problem.Teller
	server   *sdk.Server
	clients  *client.Clients
	updates  *push.Updates
	pushes   *push.Pushes
	callers  *caller.Callers
	tools    *tool.Tools
	permits  permits
	catalog  *call.Catalog
	handler  http.Handler
	requests *access.Shares // at work

	life context.Context // done when everything shall end
	end  context.CancelFunc

	mu     sync.Mutex // of starting and closing
	closed bool
	wg     sync.WaitGroup
}

// New makes the service. It starts nothing before the first request; Close ends its goroutines.
func New(cfg Config) *Service {
	cfg = cfg.withDefaults()
	s := &Service{
		cfg: cfg, door: control.Through(cfg.Backend, cfg.Backend, cfg.Away), log: cfg.Log.Named("mcp"), tell: problem.NewTeller(cfg.Log.Named("mcp")),
		requests: access.NewShares(int64(cfg.MaxRequests), sureRequests),
	}
	s.life, s.end = context.WithCancel(context.Background())
	s.catalog = call.NewCatalog(map[string][]string{
		"agents": cfg.Agents, "events": output.WordsOf(output.ItemTypes), "states": output.WordsOf(output.States),
	}, s.tell, &call.Submissions{Kept: cfg.Submissions, Life: s.life, Wait: control.Timeout, Work: 2 * control.Timeout})
	s.permits = permits{s.catalog, cfg.Audit, s.tell}
	asked := form.NewRequests(s.door, cfg.Backend.Look, cfg.Audit, s.tell)
	s.clients = client.New(client.Config{
		Max: cfg.MaxSessions, Idle: cfg.IdleTimeout, Life: s.life, Start: s.start, Now: cfg.Now, Requests: asked,
		Ended: func(x *client.Client) {
			s.updates.Forget(x.Session)
			s.callers.Gone(x)
		},
	})
	s.pushes = push.New(s.door, s.clients, s.log)
	s.updates = push.NewUpdates(push.UpdatesConfig{
		Door: s.door, Clients: s.clients, Tell: s.tell, Log: s.log, Foreign: fixtureResource, Life: s.life, Start: s.start,
		Session: func(uri string) (string, bool) {
			id, _, _, ok := sessionURI(uri)
			return id, ok
		},
		Updated: func(ctx context.Context, uri string) {
			_ = s.server.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: uri})
		},
	})
	s.callers = caller.New(caller.Config{
		Door: s.door, Look: cfg.Backend.Look, Tell: s.tell, Server: s.newAgentServer, Within: cfg.CallTimeout, Life: s.life, Start: s.start,
		Own: func(tool string) bool {
			_, own := s.catalog.Own(tool)
			return own
		},
		Client: s.clientOf,
	})
	tasks := task.New(s.door, asked, s.tell, fixtureSource)
	polls := poll.New(s.door, tasks, s.callers, cfg.Backend.List)
	waits := join.New(s.door, tasks, s.callers, asked, s.clientOf, s.pushes.Asks)
	s.tools = tool.New(tool.Config{
		Backend: cfg.Backend, Door: s.door, Waits: waits, Polls: polls, Callers: s.callers, Pushes: s.pushes, Tell: s.tell, Tasks: tasks,
		Compat: cfg.Compat, Now: cfg.Now,
	})
	r := &resources{door: s.door, tell: s.tell, backend: cfg.Backend}
	s.server = sdk.NewServer(s.implementation(), &sdk.ServerOptions{
		Instructions:       instructions(cfg.Agents),
		Capabilities:       capabilities(),
		CompletionHandler:  r.complete,
		SubscribeHandler:   s.updates.Subscribe,
		UnsubscribeHandler: s.updates.Unsubscribe,
		SetCacheable:       private,
	})
	s.tools.AddForClients(call.Set{Catalog: s.catalog, Server: s.server})
	r.add(s.server)
	tasks.Add(s.server)
	s.addFixtures()
	s.server.AddReceivingMiddleware(recovered(s.log), call.Encoded, identified, s.lasting, s.tools.Compatible, s.permits.permitted,
		s.clients.SetLevel, tasks.Tasked, tool.Aliased, s.permits.audited)
	s.server.AddSendingMiddleware(s.clients.Gathered)
	s.handler = identify(eras(s.serverFor, s.clients, cfg.Heartbeat))
	return s
}

// private says that what a client reads of sessions is its own.
func private(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }

// ServeHTTP serves the one URL. Whoever calls has passed the guard, which has put the principal into the context.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if access.Of(r.Context()) == nil {
		problem.Refuse(w, problem.Refusal(http.StatusInternalServerError))
		return
	}
	if _, here := r.Body.(interface{ Whole() }); r.ContentLength != 0 && !here { // who sends a body slowly keeps nobody out, and opens no MCP session meanwhile
		body, status := whole(w, r)
		if status != http.StatusOK {
			problem.Refuse(w, problem.Refusal(status))
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	who := access.Of(r.Context())
	if !s.requests.Take(who, 1) {
		problem.Refuse(w, problem.Overloaded("Too many MCP requests are at work.", "Try again in a moment."))
		return
	}
	defer s.requests.Give(who, 1)
	s.handler.ServeHTTP(w, r)
}

// Close ends calls, streams and MCP sessions, and returns when all of it has ended: at the latest when the deadlines of
// writes to clients that do not read have passed.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	s.end()
	s.mu.Unlock()
	sessions := s.clients.All() // also those of agents whose server has gone with the token
	for _, server := range append(s.callers.All(), s.server) {
		sessions = slices.AppendSeq(sessions, server.Sessions())
	}
	for _, ss := range sessions {
		_ = ss.Close()
	}
	s.wg.Wait()
}

// start runs a goroutine that ends with life, unless that is over. Close waits for it.
func (s *Service) start(run func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.wg.Go(run)
	}
	return !s.closed
}

// lasting gives a request a context that ends with its MCP session and with the service. The SDK waits for calls when it
// closes a session, and a call may wait long for events.
func (s *Service) lasting(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		life := s.life
		if ss, ok := req.GetSession().(*sdk.ServerSession); ok && ss.ID() != "" {
			life = s.clients.Of(ss, access.Of(ctx)).Life
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(life, cancel)()
		return next(ctx, method, req)
	}
}

func capabilities() *sdk.ServerCapabilities {
	c := &sdk.ServerCapabilities{Logging: &sdk.LoggingCapabilities{}} //nolint:staticcheck // the old era has nothing else for pushes
	c.AddExtension(task.Extension, nil)
	return c
}

// clientOf is the MCP session of a call; nil: it has none.
func (s *Service) clientOf(c *call.Call) *client.Client {
	if c.Modern() || c.Session.ID() == "" {
		return nil
	}
	return s.clients.Of(c.Session, c.Who)
}

// serverFor is the MCP server of whoever asks.
func (s *Service) serverFor(r *http.Request) *sdk.Server {
	if p := access.Of(r.Context()); p.Scope == access.Agent {
		return s.callers.ServerOf(p)
	}
	return s.server
}

func (s *Service) newAgentServer() *sdk.Server {
	server := sdk.NewServer(s.implementation(), &sdk.ServerOptions{
		Instructions: agentInstructions, SetCacheable: private,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
	})
	s.tools.AddForAgents(call.Set{Catalog: s.catalog, Server: server})
	server.AddReceivingMiddleware(recovered(s.log), call.Encoded, identified, s.lasting, s.permits.audited)
	return server
}

func (s *Service) implementation() *sdk.Implementation {
	return &sdk.Implementation{Name: "ringmaster", Title: "Ringmaster", Version: s.cfg.Version}
}
