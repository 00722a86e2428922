package coreapi

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/connection"
	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// Config is what a Server works with.
type Config struct {
	// Connect opens a way to Core, with the logs that are in objects. It is called twice: beats have a way of their own.
	Connect func(ctx context.Context) (core.Core, error)
	// Objects opens the object store; nil: there is none.
	Objects func() (objects.Store, error)
	Doors   Doors
	// MetricsToken is of whoever may read GET /metrics, and good for nothing else; "": it is not served.
	MetricsToken string
	// Database says how many connections to the database there are; nil: it is not known.
	Database func() Connections
	// Moves says whether events can move into the object store, as far as is known; nil: this server moves none.
	Moves func() bool
	Hosts []string // further values of the Host header
	Build string
	Log   *zap.Logger

	Requests    int           // at once; 0: 256. One node has half of them at most
	Room        int64         // bytes of bodies at once; 0: 256 MiB. One node has half of it at most
	Wait        time.Duration // for a place or for room; 0: 2 s
	Connections int           // 0: 4096
}

// Times that nothing takes longer.
const (
	bodyTime  = time.Minute      // for a body to come
	callTime  = 2 * time.Minute  // for a call that is answered with one value
	writeTime = 30 * time.Second // for a reader to take what was written last
)

// Connections are those to a database.
type Connections struct{ Busy, Open, Most int }

// Server is Core's HTTP face.
type Server struct {
	cfg         Config
	work, beats *reach
	book        *book
	places      *room // requests
	pulses      *room // requests that nothing may hold up
	bodies      *room // bytes
	routes      *guard.Routes
	guard       *guard.Guard
	answers     health
	metrics     *metrics
	http        *http.Server
	idle        connection.Idle
	connections *connection.Limit

	mu      sync.Mutex
	store   objects.Store // nil: it was not opened yet
	isAway  bool          // Core was, when it was asked last
	refused time.Time     // when a refusal was told last
}

// New makes a server. It asks nobody anything yet.
func New(cfg Config) *Server {
	if cfg.Requests == 0 {
		cfg.Requests = 256
	}
	if cfg.Room == 0 {
		cfg.Room = 4 * wire.MaxBody
	}
	if cfg.Wait == 0 {
		cfg.Wait = 2 * time.Second
	}
	if cfg.Connections == 0 {
		cfg.Connections = 4096
	}
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	s := &Server{
		cfg: cfg, work: &reach{connect: cfg.Connect}, beats: &reach{connect: cfg.Connect}, book: newBook(cfg.Doors),
		places: newRoom(int64(cfg.Requests), int64(cfg.Requests+1)/2, cfg.Wait),
		pulses: newRoom(int64(cfg.Requests), 16, cfg.Wait),
		bodies: newRoom(cfg.Room, cfg.Room/2, cfg.Wait),
		routes: guard.NewRoutes(), metrics: newMetrics(), connections: connection.NewLimit(cfg.Connections, 0),
	}
	s.register()
	s.watch()
	s.guard = guard.New(s.routes, guard.Config{Token: cfg.MetricsToken, Hosts: cfg.Hosts, Tokens: access.NewTokens()})
	s.http = &http.Server{
		Handler: s,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return s.connections.Context(guard.Connected(ctx, c, nil), c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			s.connections.Changed(c, state)
			s.idle.Changed(c, state)
		},
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10, DisableGeneralOptionsHandler: true,
		ErrorLog: zap.NewStdLog(cfg.Log.Named("http").WithOptions(zap.WrapCore(connection.Quiet))),
	}
	s.http.RegisterOnShutdown(s.idle.Close)
	return s
}

// Try opens the way to Core, so that who starts the server is told what is wrong with it. A Core that is away is waited for by those who ask.
func (s *Server) Try() error {
	_, err := s.work.get()
	return err
}

// Serve takes connections until Close; it closes the listener. The error is nil after Close.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(s.connections.Listen(l)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close takes no further connections, lets calls that are under way finish until ctx is done, and cuts what is left then.
func (s *Server) Close(ctx context.Context) error {
	var err error
	if s.http.Shutdown(ctx) != nil {
		err = s.http.Close()
	}
	s.work.close()
	s.beats.close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store != nil {
		s.store.Close()
	}
	return err
}

// ServeHTTP has the guard look at a request before anything else.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer connection.Occupy(r.Context())()
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	in, no := s.guard.Check(r)
	if no != nil {
		s.metrics.rejections.WithLabelValues(no.Reason).Inc()
	}
	switch {
	case no != nil && no.Reason == "path" && isCall(r.URL.Path):
		s.other(w, r)
	case no != nil:
		if no.Allow != "" {
			h.Set("Allow", no.Allow)
		}
		p := no.Problem
		status := p.Status
		if status == 0 {
			status = statusOf[no.Reason]
		}
		if status == 0 {
			status = http.StatusForbidden
		}
		hint := p.Hint
		if no.Reason == "token" {
			h.Set("WWW-Authenticate", "Bearer")
			hint = "send the token of the file that `ringmaster core serve --metrics-token-file` names"
		}
		answer(w, status, problemMedia, guarded{string(p.Code), p.Detail, hint})
	case in.Preflight:
		w.WriteHeader(http.StatusNoContent)
	default:
		s.routes.ServeHTTP(w, r)
	}
}

// guarded is what the guard says: no problem of the wire, since nothing has been asked of Core.
type guarded struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"`
}

const problemMedia = "application/problem+json"

var statusOf = map[string]int{
	"token": http.StatusUnauthorized, "path": http.StatusNotFound, "method": http.StatusMethodNotAllowed, "body": http.StatusRequestEntityTooLarge,
	"content_type": http.StatusUnsupportedMediaType,
}

func isCall(path string) bool { return strings.HasPrefix(path, wire.Base) }

// other answers what this version of the wire does not have: to a client of another one with what is to be done.
func (s *Server) other(w http.ResponseWriter, r *http.Request) {
	version, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, wire.Base), "/")
	n, err := strconv.ParseUint(strings.TrimPrefix(version, "v"), 10, 31)
	p := wire.NewProblem(wire.CodeVersion, "this Core knows no such call",
		"it is older than the node: update `ringmaster core serve` first, then the nodes")
	if err == nil && n != wire.Version && strings.HasPrefix(version, "v") {
		p.Detail = "this Core speaks version " + strconv.Itoa(wire.Version) + " of its wire, and this node version " + strconv.FormatUint(n, 10)
		p.Have, p.Want = wire.Version, uint32(n)
		if n < wire.Version {
			p.Hint = "update the node: it is older than its Core"
		}
	}
	answer(w, p.Status, problemMedia, p)
}

// answer writes JSON.
func answer(w http.ResponseWriter, status int, media string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte("{}")
	}
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_, _ = w.Write(text) // whoever does not read it is gone
}

// bucket gives the object store.
func (s *Server) bucket() (objects.Store, error) {
	if s.cfg.Objects == nil {
		return nil, &objects.AccessError{Op: "open", Err: errors.New("there is none"), Hint: "name one with --objects, at `ringmaster core serve`"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.store != nil {
		return s.store, nil
	}
	store, err := s.cfg.Objects()
	if err == nil {
		s.store = store
	}
	return store, err
}

// note tells when Core begins to be away, or answers again.
func (s *Server) note(err error) {
	var away *core.AwayError
	var access *core.AccessError
	var schema *core.SchemaError
	var full *core.FullError
	isAway := errors.As(err, &away) && !errors.Is(err, context.Canceled) || errors.As(err, &access) || errors.As(err, &schema) || errors.As(err, &full)
	if err != nil && !isAway {
		return
	}
	s.mu.Lock()
	was := s.isAway
	s.isAway = isAway
	s.mu.Unlock()
	switch {
	case isAway && !was:
		s.cfg.Log.Warn("the database does not do what it is asked; nodes are told that Core is away", zap.Error(err))
	case !isAway && was:
		s.cfg.Log.Info("the database answers again")
	}
}

// noteRefusal tells that a node may not do something, once in a second.
func (s *Server) noteRefusal(c *caller, call string, p *wire.Problem) {
	s.mu.Lock()
	isTold := time.Since(s.refused) < time.Second
	if !isTold {
		s.refused = time.Now()
	}
	s.mu.Unlock()
	if !isTold {
		s.cfg.Log.Warn("a call was refused", zap.String("call", call), zap.String("credential", c.ID), zap.String("node", c.Node), zap.String("why", p.Detail))
	}
}
