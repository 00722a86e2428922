package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/pace"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Config is what a pool needs.
type Config struct {
	// Marker begins the markers of shared processes: a shared process belongs to no session. The pool adds a number.
	Marker string
	Log    *zap.Logger      // nil: none
	Now    func() time.Time // nil: time.Now
	Pace   *pace.Keeper     // keeps agents from flooding where others speak; nil: nothing does

	MaxLine   int           // bytes of one native line; 0: the framer's default
	LaneBytes int           // of one lane's queue; 0: 4 MiB
	Patience  time.Duration // how long the reader waits for a lane that takes nothing; 0: 5 s
}

// Pool holds the live connections. Its methods are safe for concurrent use. It needs no end of its own: its connections end
// with their lanes.
type Pool struct {
	cfg Config

	mu     sync.Mutex
	shared map[key]*shared
	number uint64 // of the newest shared process
}

// key names a connection that sessions share. The password is a part of it: a session with another password must not get the connection.
type key struct {
	agent, connection string
	endpoint          adapters.Endpoint
}

// shared is a connection that sessions share, or its start. Members below ready are valid once it is closed.
type shared struct {
	key     key
	cancel  context.CancelFunc // of the start
	waiters int                // sessions that wait for it to start, or are about to join; with Pool.mu
	ready   chan struct{}
	conn    *connection
	err     error
}

// New makes a pool.
func New(cfg Config) *Pool {
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.LaneBytes <= 0 {
		cfg.LaneBytes = 4 << 20
	}
	if cfg.Patience <= 0 {
		cfg.Patience = 5 * time.Second
	}
	return &Pool{cfg: cfg, shared: map[key]*shared{}}
}

// Open gives a session its connection to the agent: its own, or its lane of one that is there or is made. ctx counts until
// it returns. A lane is also an adapters.Parent. An error is that of the start, or of ctx.
func (p *Pool) Open(ctx context.Context, agent adapters.Agent, spec adapters.Spec, transport adapters.Transport) (adapters.Conn, error) {
	splits, ok := agent.(adapters.Splitting)
	if !ok {
		return dial(ctx, agent, spec, transport)
	}
	name := splits.Connection(spec)
	if name == "" {
		conn, err := dial(ctx, agent, spec, transport)
		if err != nil {
			return nil, err
		}
		lane, _ := newConnection(p, nil, conn, splits, spec).join(spec, true) // no other session can have closed it
		return lane, nil
	}
	k := key{agent: agent.Name(), connection: name}
	if spec.Endpoint != nil {
		k.endpoint = *spec.Endpoint
	}
	for {
		s, starting := p.find(k, splits, spec, transport)
		lane, err := p.join(ctx, s, spec, starting)
		if !errors.Is(err, errEnding) {
			return lane, err
		}
	}
}

// errEnding: the connection ends, another one must be made.
var errEnding = errors.New("the connection is ending")

// dial makes a connection.
func dial(ctx context.Context, agent adapters.Agent, spec adapters.Spec, transport adapters.Transport) (adapters.Conn, error) {
	if c, ok := agent.(adapters.Connector); ok {
		return c.Connect(ctx, spec, transport)
	}
	if spec.Endpoint != nil {
		return nil, fmt.Errorf("connect: the agent %s cannot be attached to", agent.Name())
	}
	return transport.Start(ctx, agent.Launch(spec))
}

// find gives the connection of a name, or begins to make it, and counts the caller as one that waits for it. starting says that the caller came
// before it was made: what becomes of the start is for the caller too, however soon the start is over.
func (p *Pool) find(k key, agent adapters.Splitting, spec adapters.Spec, transport adapters.Transport) (s *shared, starting bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s = p.shared[k]
	starting = s == nil || !s.isReady()
	if s == nil {
		ctx, cancel := context.WithCancel(context.Background())
		s = &shared{key: k, cancel: cancel, ready: make(chan struct{})}
		p.shared[k] = s
		p.number++
		spec.Env = marked(spec.Env, fmt.Sprintf("%s/%d", p.cfg.Marker, p.number))
		go p.start(ctx, s, agent, spec, transport) // ends with the start, which ends with ctx
	}
	s.waiters++
	return s, starting
}

// marked is an environment with another marker.
func marked(env []string, marker string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasPrefix(v, adapters.MarkerEnv+"=") })
	return append(env, adapters.MarkerEnv+"="+marker)
}

// start makes a connection for all sessions that wait for it. Where none waits any more, the connection is ended before ready is closed.
func (p *Pool) start(ctx context.Context, s *shared, agent adapters.Splitting, spec adapters.Spec, transport adapters.Transport) {
	defer close(s.ready)
	defer s.cancel()
	conn, err := dial(ctx, agent, spec, transport)
	p.mu.Lock()
	unwanted := s.waiters == 0
	if err != nil || unwanted {
		p.forget(s)
	}
	p.mu.Unlock()
	switch {
	case err != nil:
		s.err = err
	case unwanted:
		s.err = context.Canceled
		conn.Stop(0)
		drain(conn)
		conn.Wait()
	default:
		s.conn = newConnection(p, s, conn, agent, spec)
	}
}

// join waits for a connection and takes a lane of it. The last session that gives up waiting ends the start, and waits for its end:
// nothing of it is left when Open returns.
func (p *Pool) join(ctx context.Context, s *shared, spec adapters.Spec, starting bool) (adapters.Conn, error) {
	select {
	case <-s.ready:
	case <-ctx.Done():
		if p.leave(s) {
			s.cancel()
			<-s.ready
			s.abandon()
		}
		return nil, ctx.Err()
	}
	if s.err != nil {
		p.leave(s)
		return nil, s.err
	}
	lane, ok := s.conn.join(spec, starting)
	p.leave(s)
	if !ok {
		return nil, errEnding
	}
	return lane, nil
}

func (s *shared) isReady() bool {
	select {
	case <-s.ready:
		return true
	default:
		return false
	}
}

// abandon ends a connection that became ready when the last session gave up.
func (s *shared) abandon() {
	if s.conn != nil {
		s.conn.endUnused()
	}
}

// leave counts a waiter out and says whether it was the last one. Then the pool forgets the start, unless it is over.
func (p *Pool) leave(s *shared) (last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.waiters--
	if s.waiters == 0 && !s.isReady() {
		p.forget(s)
	}
	return s.waiters == 0
}

// forget has the next session of the name make another connection. With mu held.
func (p *Pool) forget(s *shared) {
	if p.shared[s.key] == s {
		delete(p.shared, s.key)
	}
}
