package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// Times of a connection.
const (
	startWithin = 60 * time.Second // a server may take so long to say where it listens and to answer
	probeWithin = 2 * time.Second  // one probe; a first request that arrives while the server opens its port hangs for ever
	probeEvery  = 100 * time.Millisecond
	openWithin  = 20 * time.Second // opening a stream boots the folder
	callWithin  = 60 * time.Second // one call
	silence     = 25 * time.Second // a stream that is silent for so long is dead: heartbeats come every 10 s
	lingerFor   = 2 * time.Second  // what a server said before it died is read for so long
	giveUpAfter = 60 * time.Second // so long it is tried to open a lost stream again
)

// Variables by which a server and its clients agree on a password.
const (
	passwordEnv = "OPENCODE_SERVER_PASSWORD"
	usernameEnv = "OPENCODE_SERVER_USERNAME"
	defaultUser = "opencode"
)

// maxShown is how much of what a server said is in an error, and maxAddress how much of what should be an address, in bytes.
const (
	maxShown   = 2 << 10
	maxAddress = 200
)

// ConnectError says why there is no connection. errors.Is sees the cause.
type ConnectError struct {
	Op     string // "start", "attach", "probe", "open" or "boot"
	URL    string // empty: the server has not said where it listens
	Hint   string
	Stderr []string // last lines of a server that was started
	Err    error
}

func (e *ConnectError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "connect to opencode: %s", e.Op)
	if e.URL != "" {
		b.WriteString(" " + e.URL)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if n := len(e.Stderr); n > 0 {
		fmt.Fprintf(&b, "; standard error ended with: %s", native.Head(strings.Join(e.Stderr[max(0, n-5):], " / "), maxShown))
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, " (%s)", e.Hint)
	}
	return b.String()
}

func (e *ConnectError) Unwrap() error { return e.Err }

// Start starts a server on a free port, which takes the place of the one that launch has behind "--port", and opens its stream of events of
// all folders. A server gets a password, where the operator has set none: whoever is on the machine could use it otherwise. Errors are of
// type *ConnectError, or those of processes.
func Start(ctx context.Context, launch adapters.Launch, processes adapters.Transport, order Order) (adapters.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	if adapters.Variable(launch.Env, passwordEnv) == "" {
		launch.Env = append(launch.Env[:len(launch.Env):len(launch.Env)], passwordEnv+"="+rand.Text())
	}
	for n := 1; ; n++ {
		c, err := start(ctx, launch, processes, order)
		var failed *ConnectError
		if n == portTries || !errors.As(err, &failed) || !slices.ContainsFunc(failed.Stderr, portTaken.MatchString) {
			return c, err
		}
	}
}

// portTaken is what a server says that finds its port taken.
var portTaken = regexp.MustCompile(`(?i)EADDRINUSE|ServeError|(port|address).* in use`)

// portTries is how often a server is started that finds its port taken.
const portTries = 3

// start starts a server on a port that is free.
func start(ctx context.Context, launch adapters.Launch, processes adapters.Transport, order Order) (adapters.Conn, error) {
	port, err := freePort()
	if err != nil {
		return nil, &ConnectError{Op: "start", Err: err}
	}
	launch.Args = slices.Clone(launch.Args)
	launch.Args[slices.Index(launch.Args, "--port")+1] = port
	process, err := processes.Start(ctx, launch)
	if err != nil {
		return nil, err
	}
	c := newConn(process, order)
	s := server{
		username: cmp.Or(adapters.Variable(launch.Env, usernameEnv), defaultUser), password: adapters.Variable(launch.Env, passwordEnv),
		client: newClient(adapters.Dialer(processes)),
	}
	if err := c.await(ctx, s); err != nil {
		return nil, c.abandon(err)
	}
	return c, nil
}

// freePort is a port of this machine that nobody listens on. The system hands out the next one to whoever asks then, so that it stays
// free for the moment.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

// await waits for a server that was started. That it has ended is why there is no connection, whatever was seen of it first.
func (c *conn) await(ctx context.Context, s server) *ConnectError {
	err := c.awaitServer(ctx, s)
	if err != nil && ctx.Err() == nil && c.hasEnded() {
		return &ConnectError{Op: "start", Err: errServerEnded}
	}
	return err
}

var errServerEnded = errors.New("the server ended before it was ready")

// endSeen is how long the end of a process may be seen behind the end of its connections.
const endSeen = time.Second

func (c *conn) hasEnded() bool {
	timer := time.NewTimer(endSeen)
	defer timer.Stop()
	select {
	case <-c.drained:
		return true
	case <-timer.C:
		return false
	}
}

func (c *conn) awaitServer(ctx context.Context, s server) *ConnectError {
	select {
	case address := <-c.address:
		base, err := url.Parse(address)
		if err != nil || base.Host == "" {
			return &ConnectError{Op: "start", Err: fmt.Errorf("it listens at %q, which is no address", native.Head(address, maxAddress))}
		}
		s.base = base
	case <-c.drained:
		return &ConnectError{Op: "start", Err: errServerEnded}
	case <-ctx.Done():
		return &ConnectError{Op: "start", Err: fmt.Errorf("the server has not said where it listens: %w", ctx.Err())}
	}
	if err := c.establish(ctx, s, "/global/event"); err != nil {
		return err
	}
	// The first request boots the folder, and until it has, events of the folder do not come on the stream.
	if a := c.server.call(ctx, &httpline.Call{Method: http.MethodGet, Path: "/session/status"}); a.Error != "" {
		return &ConnectError{Op: "boot", URL: s.base.String(), Err: errors.New(a.Error)}
	}
	c.run()
	return nil
}

// Attach opens the stream of events of a server that runs already, by its path and query. Errors are of type *ConnectError.
func Attach(ctx context.Context, at adapters.Endpoint, stream string, network adapters.Transport, order Order) (adapters.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	base, err := url.Parse(strings.TrimRight(at.URL, "/"))
	if err == nil && (base.Scheme != "http" && base.Scheme != "https" || base.Host == "") {
		err = errors.New("not the URL of an HTTP server")
	}
	if err != nil {
		return nil, &ConnectError{Op: "attach", Err: err, Hint: "give http://HOST:PORT, as `opencode serve` says it"}
	}
	s := server{base: base, username: cmp.Or(at.Username, defaultUser), password: at.Password, client: newClient(adapters.Dialer(network))}
	base.User = nil
	c := newConn(nil, order)
	if err := c.establish(ctx, s, stream); err != nil {
		return nil, c.abandon(err)
	}
	c.run()
	return c, nil
}

// newClient makes the client of one connection. It uses no proxy, and goes nowhere that the server sends it.
func newClient(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext: dial, MaxConnsPerHost: maxCalls + 2, IdleConnTimeout: time.Minute, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// establish waits until the server answers, and opens its stream.
func (c *conn) establish(ctx context.Context, s server, stream string) *ConnectError {
	c.server = s
	if err := s.probe(ctx, c.drained); err != nil {
		return err
	}
	if err := c.open(ctx, stream); err != nil {
		return &ConnectError{Op: "open", URL: s.base.String() + stream, Err: err}
	}
	return nil
}

// probe asks for the server's health until it answers anything but that it is not ready.
func (s *server) probe(ctx context.Context, ended <-chan struct{}) *ConnectError {
	for {
		status, err := s.health(ctx)
		switch {
		case err == nil && status == http.StatusUnauthorized:
			return &ConnectError{
				Op: "probe", URL: s.base.String(), Err: errors.New("it does not accept the password"),
				Hint: "give the password that the server was started with, " + passwordEnv,
			}
		case err == nil && status < http.StatusInternalServerError:
			return nil
		case err == nil:
			err = &statusError{status}
		}
		timer := time.NewTimer(probeEvery)
		select {
		case <-timer.C:
		case <-ended:
			timer.Stop()
			return &ConnectError{Op: "probe", URL: s.base.String(), Err: errServerEnded}
		case <-ctx.Done():
			timer.Stop()
			return &ConnectError{Op: "probe", URL: s.base.String(), Err: err, Hint: "is `opencode serve` running there?"}
		}
	}
}

func (s *server) health(ctx context.Context) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	r, err := s.do(ctx, http.MethodGet, "/global/health", nil)
	if err != nil {
		return 0, err
	}
	return r.StatusCode, r.Body.Close()
}
