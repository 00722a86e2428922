package scenarios

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/scenarios/clock"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// bubble is a whole daemon inside a synctest bubble: supervisor, HTTP server, agents in process. Time is virtual and starts
// at 2000-01-01; ids are counted.
type bubble struct {
	t      *testing.T
	dir    string // of the data folder; a killed daemon leaves it and the next one works on a copy
	copies int
	limits func() map[string]string
	root   string
	ids    int
	stage  *stage
	disk   *limitedDisk
	log    *zap.Logger
	logged *observer.ObservedLogs
	http   *http.Client
	grants sync.Map     // tokens of agents by session
	dead   uint64       // dead letters of daemons that have ended
	set    atomic.Int64 // by how much the daemons' clock was set, in nanoseconds

	super    *supervisor.Supervisor
	server   *api.Server
	listener *listener
	served   chan error
}

const bubbleAddress = "127.0.0.1:7777"

func newBubble(w *world) *bubble {
	core, logged := observer.New(zapcore.InfoLevel)
	b := &bubble{
		t: w.t, dir: filepath.Join(w.t.TempDir(), "data"), root: w.root, limits: func() map[string]string { return w.limits },
		stage: newStage(), disk: &limitedDisk{}, log: zap.New(core), logged: logged,
	}
	b.http = &http.Client{Transport: &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return b.listener.dial(ctx) },
		DisableKeepAlives: true, DisableCompression: true,
	}}
	return b
}

func (b *bubble) config() (supervisor.Config, api.Config, error) {
	s := supervisor.Config{
		Data: b.dir, Roots: []string{b.root}, Agents: b.stage.agents(),
		Transport: b.stage, Log: b.log, NewID: b.newID, Files: b.disk, CheckpointBytes: 1, Rand: func(n int64) int64 { return n - 1 }, Now: b.now,
	}
	tokens := access.NewTokens()
	s.Grant = func(sessionID, owner string) (*adapters.MCPServer, func()) {
		secret, revoke := tokens.Grant(sessionID, owner)
		b.grants.Store(sessionID, secret)
		return &adapters.MCPServer{Name: adapters.MCPServerName, URL: b.url() + "/mcp", Token: secret, CallTimeout: time.Minute}, revoke
	}
	a := api.Config{Tokens: tokens, Log: b.log, Token: b.token(), Version: "scenario", NewID: func() string { return "request" }, Rand: func(int64) int64 { return 0 }, Now: b.now}
	for name, value := range b.limits() {
		if err := setLimit(&s, &a, b.disk, name, value); err != nil {
			return s, a, err
		}
	}
	return s, a, nil
}

// setLimit is the table of the limits that scenarios may set.
func setLimit(s *supervisor.Config, a *api.Config, d *limitedDisk, name, value string) error {
	n, numErr := strconv.Atoi(value)
	wait, waitErr := time.ParseDuration(value)
	switch name {
	case "sessions":
		s.MaxSessions = n
	case "queue":
		s.MaxQueue = n
	case "restarts":
		s.MaxRestarts = n
	case "ring":
		s.RingBytes = n
	case "passive":
		s.PassiveAge, numErr = wait, waitErr
	case "stall":
		s.StallAfter, numErr = wait, waitErr
	case "streams":
		a.MaxStreams = n
	case "durability":
		s.Durability, numErr = supervisor.Durability(value), nil
	case "disk":
		numErr = d.set(value)
	default:
		return fmt.Errorf("unknown limit %q; there are sessions, queue, restarts, ring, passive, stall, streams, durability, disk", name)
	}
	return numErr
}

// now is what the daemons' clock shows.
func (b *bubble) now() time.Time { return clock.Set(time.Now(), time.Duration(b.set.Load())) }

// newID counts sessions.
func (b *bubble) newID() string {
	b.ids++
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", b.ids)
}

func (b *bubble) start() error {
	sc, ac, err := b.config()
	if err != nil {
		return err
	}
	if b.super, err = supervisor.Start(context.Background(), sc); err != nil {
		return err
	}
	ac.Supervisor = b.super
	handler, err := api.New(ac)
	if err != nil {
		return errors.Join(err, b.super.Close(context.Background()))
	}
	b.server, b.listener, b.served = api.NewServer(handler), newListener(), make(chan error, 1)
	server, l, served := b.server, b.listener, b.served
	go func() { served <- server.Serve(l) }() // ends with Server.Close
	return nil
}

// drain closes as the serve command does: first the sessions, then the server.
func (b *bubble) drain() error {
	if b.super == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := b.super.Close(ctx)
	err = errors.Join(err, b.server.Close(ctx), <-b.served)
	b.over()
	return err
}

// over lets the engine's own timers pass and notes what only the supervisor knows.
func (b *bubble) over() {
	// Virtual: the engine looks at its dead letters a second later. Up to a whole second, since net/http looks once or twice
	// whether its connections have gone, a millisecond apart.
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(3 * time.Second)))
	b.dead += b.super.Health().DeadLetters
	b.super = nil
}

// kill leaves the data folder as it is at this moment: the next daemon works on a copy. What the old one does from here
// on, nobody sees.
func (b *bubble) kill(midWrite bool, lost int) error {
	b.listener.cut()
	synctest.Wait()
	b.copies++
	to := filepath.Join(filepath.Dir(b.dir), "data"+strconv.Itoa(b.copies))
	if err := os.CopyFS(to, os.DirFS(b.dir)); err != nil {
		return err
	}
	if err := damage(to, midWrite, lost); err != nil {
		return err
	}
	if err := b.drain(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	b.dir = to
	return nil
}

// damage takes whole events off the end of each journal and leaves half a record there.
func damage(data string, midWrite bool, lost int) error {
	return filepath.WalkDir(filepath.Join(data, "sessions"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ndjson") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		b = firstLines(b, bytes.Count(b, []byte("\n"))-lost)
		if midWrite {
			b = append(b, `{"seq":9999,"ts":9466848`...)
		}
		return os.WriteFile(path, b, 0o600)
	})
}

func (b *bubble) client() *http.Client     { return b.http }
func (b *bubble) url() string              { return "http://" + bubbleAddress }
func (b *bubble) token() string            { return "token-of-the-scenario" }
func (b *bubble) settle()                  { synctest.Wait() }
func (b *bubble) puppet(id string) *puppet { return b.stage.find(id) }
func (b *bubble) agentToken(session string) string {
	secret, _ := b.grants.Load(session)
	text, _ := secret.(string)
	return text
}

func (b *bubble) endpoint(agent string) (string, error) { return b.stage.fake.Endpoint(agent) }
func (b *bubble) journals() string                      { return filepath.Join(b.dir, "sessions") }

func (b *bubble) problems(errorsDeclared bool) []string {
	var problems []string
	if b.dead > 0 {
		var types []string
		for _, e := range b.logged.FilterMessage("message reached nobody").All() {
			types = append(types, fmt.Sprint(e.ContextMap()["type"]))
		}
		problems = append(problems, fmt.Sprintf("%d dead letters: %v", b.dead, types))
	}
	if n := b.stage.left() + b.stage.fake.Running(); n > 0 {
		problems = append(problems, fmt.Sprintf("%d agents left", n))
	}
	problems = append(problems, b.stage.fake.Close()...)
	failures := b.logged.Filter(func(e observer.LoggedEntry) bool { return e.Level >= zapcore.ErrorLevel }).All()
	for _, e := range failures {
		if !errorsDeclared {
			problems = append(problems, fmt.Sprintf("the daemon logged an error: %s %v", e.Message, e.ContextMap()))
		}
	}
	if errorsDeclared && len(failures) == 0 {
		problems = append(problems, "the head declares errors, and the daemon logged none")
	}
	return problems
}

// listener hands out connections without a network.
type listener struct {
	arrive chan net.Conn
	closed chan struct{}
	once   sync.Once

	mu    sync.Mutex
	conns []net.Conn
}

func newListener() *listener {
	return &listener{arrive: make(chan net.Conn), closed: make(chan struct{})}
}

// conn has the addresses that the guard wants to see.
type conn struct{ net.Conn }

func (conn) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7777} }
func (conn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40000} }

func (l *listener) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.arrive <- conn{far}:
		l.mu.Lock()
		l.conns = append(l.conns, near)
		l.mu.Unlock()
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// cut breaks all connections, as the daemon's death does.
func (l *listener) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		c.Close()
	}
	l.conns = nil
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.arrive:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *listener) Addr() net.Addr { return conn{}.LocalAddr() }

var _ adapters.Network = (*stage)(nil)
