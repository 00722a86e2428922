package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/connection"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/api/starting"
)

// Server serves an API on any number of listeners: TCP, unix sockets, TLS listeners of crypto/tls.
type Server struct {
	api         atomic.Pointer[API] // nil: the daemon is starting
	answers     chan struct{}       // closed when api is there
	closing     chan struct{}       // closed when the server ends
	waits       time.Duration       // how long a request waits for api
	http        *http.Server
	peers       *http.Server // of the listener for peers
	connections *connection.Limit
	idle        connection.Idle
}

// NewServer makes the server of an API.
func NewServer(a *API) *Server {
	s := NewStarting(a.cfg)
	s.Answer(a)
	return s
}

// NewStarting makes a server that says that the daemon lives and is not ready, and has all else wait, until it has the API of this configuration (Answer).
func NewStarting(cfg Config) *Server {
	cfg = cfg.withDefaults()
	s := &Server{connections: connection.NewLimit(cfg.MaxConnections, surePlaces), waits: 30 * time.Second}
	s.answers, s.closing = make(chan struct{}), make(chan struct{})
	before := starting.Handler(starting.Config{Version: cfg.Version, Hosts: cfg.Hosts, Origins: cfg.Origins, WriteTimeout: cfg.WriteTimeout, NewID: cfg.NewID})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a := s.awaited(r); a != nil {
			a.handler.ServeHTTP(w, r)
		} else {
			before.ServeHTTP(w, r)
		}
	})
	s.http, s.peers = s.serverOf(&cfg, handler), s.serverOf(&cfg, handler)
	s.http.RegisterOnShutdown(sync.OnceFunc(func() { close(s.closing) }))
	return s
}

// serverOf makes one of the servers, which differ in what stands before the handler.
func (s *Server) serverOf(cfg *Config, handler http.Handler) *http.Server {
	server := &http.Server{
		Handler: handler,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return s.connections.Context(guard.Connected(ctx, c, cfg.OfAgent), c)
		},
		ConnState: func(c net.Conn, state http.ConnState) {
			s.connections.Changed(c, state)
			s.idle.Changed(c, state)
		},
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		// OPTIONS * is for the guard, too.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     zap.NewStdLog(cfg.Log.Named("http").WithOptions(zap.WrapCore(connection.Quiet))),
		// No WriteTimeout: it would end every stream. answer.Writer arms a deadline before each write.
	}
	server.RegisterOnShutdown(s.idle.Close)
	return server
}

// awaited gives the API, for which all but /health and /ready waits: clients that come back to the address of a daemon take a refusal for its answer.
func (s *Server) awaited(r *http.Request) *API {
	if a := s.api.Load(); a != nil || r.URL.Path == "/health" || r.URL.Path == "/ready" {
		return a
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.waits)
	defer cancel()
	select {
	case <-s.answers:
	case <-s.closing:
	case <-ctx.Done():
	}
	return s.api.Load()
}

// Answer has the API answer from now on. It is called once, before Close.
func (s *Server) Answer(a *API) {
	s.http.RegisterOnShutdown(a.close)
	s.api.Store(a)
	close(s.answers)
}

// Serve takes connections until Close; it closes the listener. The error is nil after Close.
func (s *Server) Serve(l net.Listener) error { return s.serve(s.http, l) }

// ServePeers is Serve for the one listener of peers, which lets in nobody else. It follows Answer.
func (s *Server) ServePeers(l net.Listener, who peer.Listener) error {
	front := s.api.Load().front
	who.NewID, who.Log = front.cfg.NewID, front.strangers
	s.peers.Handler = peer.Admit(who, s.peers.Handler)
	return s.serve(s.peers, l)
}

func (s *Server) serve(server *http.Server, l net.Listener) error {
	if err := server.Serve(s.connections.Listen(l)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close takes no further connections, ends the streams (their readers reconnect and go on elsewhere or later), lets requests
// at work finish, and returns when all connections are closed or ctx is done; those that are left then are cut.
func (s *Server) Close(ctx context.Context) error {
	servers := []*http.Server{s.http, s.peers}
	cut := make([]error, len(servers))
	var ending sync.WaitGroup
	for i, server := range servers {
		ending.Go(func() { // ends with ctx at the latest
			if err := server.Shutdown(ctx); err != nil {
				cut[i] = errors.Join(err, server.Close())
			}
		})
	}
	ending.Wait()
	err := errors.Join(cut...)
	if a := s.api.Load(); a != nil {
		a.mcp.Close() // what was still being sent has been cut by now
	}
	return err
}
