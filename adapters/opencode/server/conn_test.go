package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode/server"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// fake is a server in memory. Its streams say what say sends them.
type fake struct {
	t        *testing.T
	listener *pipes
	server   *http.Server
	password string
	deaf     bool // it answers nothing
	mu       sync.Mutex
	heard    []string // method and path of the calls, in the order of arrival
	streams  []*fakeStream
	handle   func(w http.ResponseWriter, r *http.Request)
	fatal    string // the path of the call at which it ends
	end      func()
}

type fakeStream struct {
	events chan string // closed: the stream ends
	path   string
}

// pipes is a listener whose connections are pipes.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) DialContext(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func newFake(t *testing.T) *fake {
	f := &fake{t: t, listener: &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}}
	f.server = &http.Server{Handler: f}
	go func() { _ = f.server.Serve(f.listener) }()
	return f
}

// close ends the server and everything of it.
func (f *fake) close() {
	_ = f.listener.Close()
	_ = f.server.Close()
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.heard = append(f.heard, r.Method+" "+r.URL.RequestURI())
	deaf, handle := f.deaf, f.handle
	f.mu.Unlock()
	switch _, password, _ := r.BasicAuth(); {
	case f.fatal == r.URL.Path:
		f.end()
		panic(http.ErrAbortHandler) // its connection ends as well
	case deaf:
		<-r.Context().Done()
	case f.password != "" && password != f.password:
		w.WriteHeader(http.StatusUnauthorized)
	case strings.HasSuffix(r.URL.Path, "/event"):
		f.stream(w, r)
	case handle != nil && r.URL.Path != "/global/health":
		handle(w, r)
	default:
		_, _ = io.WriteString(w, "{}")
	}
}

func (f *fake) stream(w http.ResponseWriter, r *http.Request) {
	s := &fakeStream{events: make(chan string), path: r.URL.RequestURI()}
	f.mu.Lock()
	f.streams = append(f.streams, s)
	f.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
	for {
		select {
		case e, ok := <-s.events:
			if !ok {
				return
			}
			_, _ = io.WriteString(w, e)
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// newest is the stream that was opened last.
func (f *fake) newest() *fakeStream {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.streams[len(f.streams)-1]
}

func (f *fake) calls() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.heard, ", ")
}

// machine starts one process, which is the fake server's.
type machine struct {
	out    *io.PipeWriter
	in     *io.PipeReader
	ended  chan struct{}
	once   sync.Once
	exit   adapters.Exit
	launch adapters.Launch
	stops  []time.Duration
	says   string // at its start
	dies   *adapters.Exit
}

func (m *machine) Start(_ context.Context, launch adapters.Launch) (adapters.Conn, error) {
	m.launch = launch
	m.in, m.out = io.Pipe()
	m.ended = make(chan struct{})
	if m.says != "" {
		go func() { _, _ = io.WriteString(m.out, m.says) }()
	}
	if m.dies != nil {
		m.die(*m.dies)
	}
	return m, nil
}

func (m *machine) Output() io.Reader                 { return m.in }
func (m *machine) Input() io.WriteCloser             { return nil }
func (m *machine) Wait() adapters.Exit               { <-m.ended; return m.exit }
func (m *machine) Process() (adapters.Process, bool) { return adapters.Process{PID: 7}, true }
func (*machine) EndOrphans(_, _ time.Time)           {}

func (m *machine) Stop(grace time.Duration) {
	m.stops = append(m.stops, grace)
	m.die(adapters.Exit{Code: 143})
}

func (m *machine) die(exit adapters.Exit) {
	m.once.Do(func() {
		m.exit = exit
		_ = m.out.Close()
		close(m.ended)
	})
}

// ownPort is a call with a port that was free: 0 would be 4096 where the user's own server does not run.
var ownPort = regexp.MustCompile(`^serve --hostname 127\.0\.0\.1 --port [1-9][0-9]{4}$`)

const saysListening = "a warning\nopencode server listening on http://127.0.0.1:4096\n"

// heard reads the lines of a connection.
type heard struct {
	mu    sync.Mutex
	lines []string
	ended bool
}

func hear(conn adapters.Conn) *heard {
	h := &heard{}
	go func() { // ends with the connection
		r := bufio.NewReader(conn.Output())
		for {
			line, err := r.ReadString('\n')
			h.mu.Lock()
			if err != nil {
				h.ended = true
				h.mu.Unlock()
				return
			}
			h.lines = append(h.lines, strings.TrimSuffix(line, "\n"))
			h.mu.Unlock()
		}
	}()
	return h
}

// forget forgets the lines so far.
func (h *heard) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = nil
}

// is checks all lines so far.
func (h *heard) is(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if got := strings.Join(h.lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("heard\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func write(t *testing.T, conn adapters.Conn, calls ...httpline.Call) {
	t.Helper()
	for _, c := range calls {
		if _, err := conn.Input().Write(append(c.Append(nil), '\n')); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	opened       = `{"http":"stream","state":"open","path":"/global/event"}`
	attachedPath = "/event?directory=%2Fw"
	attachedOpen = `{"http":"stream","state":"open","path":"` + attachedPath + `"}`
)

// launch starts a server on any port.
var launch = adapters.Launch{Path: "/bin/opencode", Args: []string{"serve", "--hostname", "127.0.0.1", "--port", "0"}, Dir: "/w", Env: []string{"A=b"}}

// over starts processes whose addresses are reached through pipes.
type over struct {
	adapters.Transport
	*pipes
}

// attach opens a connection to a fake that runs already.
func attach(t *testing.T, f *fake, password string) (adapters.Conn, error) {
	t.Helper()
	at := adapters.Endpoint{URL: "http://127.0.0.1:4096/", Password: password}
	return server.Attach(t.Context(), at, attachedPath, over{nil, f.listener}, path.Dir)
}

// attached is a connection to a fake that runs already, whose stream is open.
func attached(t *testing.T, f *fake) (adapters.Conn, *heard) {
	t.Helper()
	conn, err := attach(t, f, f.password)
	if err != nil {
		t.Fatal(err)
	}
	h := hear(conn)
	synctest.Wait()
	return conn, h
}

// inBubble runs a test in virtual time. It fails where a goroutine is left.
func inBubble(t *testing.T, test func(t *testing.T, f *fake)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := newFake(t)
		defer f.close()
		test(t, f)
	})
}

// TestSpawned: a server is started with a password of its own, waited for, booted, and ends with the connection.
func TestSpawned(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		m := &machine{says: saysListening}
		conn, err := server.Start(t.Context(), launch, over{m, f.listener}, path.Dir)
		if err != nil {
			t.Fatal(err)
		}
		h := hear(conn)
		if got := f.calls(); got != "GET /global/health, GET /global/event, GET /session/status" {
			t.Errorf("called %s", got)
		}
		if env := strings.Join(m.launch.Env, " "); !strings.HasPrefix(env, "A=b OPENCODE_SERVER_PASSWORD=") ||
			!ownPort.MatchString(strings.Join(m.launch.Args, " ")) {
			t.Errorf("launched %+v", m.launch)
		}
		if p, ok := conn.Process(); !ok || p.PID != 7 {
			t.Errorf("process %+v, %v", p, ok)
		}
		s := f.newest()
		s.events <- "data: {\"type\":\"a\"}\n\n"
		s.events <- ": ping\r\n\r\ndata:{\"http\":\"answer\",\"n\":1,\"status\":200}\r\n\r\ndata: {\"b\":\ndata: 1}\nid: 3\n\n"
		h.is(t, opened, `{"type":"a"}`, ` {"http":"answer","n":1,"status":200}`, `{"b": 1}`)
		conn.Stop(time.Second)
		if exit := conn.Wait(); !exit.Requested || exit.Code != 143 || len(m.stops) != 1 || m.stops[0] != time.Second {
			t.Errorf("ended with %+v after %v", exit, m.stops)
		}
		if _, err := conn.Input().Write([]byte("{}\n")); err == nil {
			t.Error("a call was taken after the end")
		}
	})
}

// TestServerDies: what it said last is still heard, and the end is its own.
func TestServerDies(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		m := &machine{says: saysListening}
		conn, err := server.Start(t.Context(), launch, over{m, f.listener}, path.Dir)
		if err != nil {
			t.Fatal(err)
		}
		h := hear(conn)
		m.die(adapters.Exit{Code: -1, Signal: "killed"})
		synctest.Wait()
		f.newest().events <- "data: {\"type\":\"last\"}\n\n"
		synctest.Wait()
		f.close()
		if exit := conn.Wait(); exit.Requested || exit.Signal != "killed" {
			t.Errorf("ended with %+v", exit)
		}
		h.is(t, opened, `{"type":"last"}`)
	})
}

// TestPortTaken: a server that finds its port taken is started again with another one, and not for ever.
func TestPortTaken(t *testing.T) {
	for _, taken := range []int{1, 2, 3} {
		inBubble(t, func(t *testing.T, f *fake) {
			ports := map[string]bool{}
			var m *machine
			start := starter(func(ctx context.Context, l adapters.Launch) (adapters.Conn, error) {
				ports[l.Args[len(l.Args)-1]] = true
				m = &machine{says: saysListening}
				if len(ports) <= taken {
					m.says, m.dies = "", &adapters.Exit{Code: 1, Stderr: []string{"Failed to start server. Is port 4567 in use?"}}
				}
				return m.Start(ctx, l)
			})
			conn, err := server.Start(t.Context(), launch, over{start, f.listener}, path.Dir)
			if tries := min(taken+1, 3); len(ports) != tries || (err == nil) != (taken < 3) {
				t.Errorf("taken %d times: %d ports, %v", taken, len(ports), err)
			}
			if err == nil {
				hear(conn)
				conn.Stop(0)
				conn.Wait()
			}
		})
	}
}

func TestConnectFails(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(f *fake, m *machine)
		want string
	}{
		{"it never says where it listens", func(_ *fake, m *machine) { m.says = "booting\n" }, "start: the server has not said where it listens"},
		{"it ends at once", func(_ *fake, m *machine) {
			m.says, m.dies = "", &adapters.Exit{Code: 1, Stderr: []string{"bad config"}}
		}, "start: the server ended before it was ready; standard error ended with: bad config"},
		{"it says nonsense", func(_ *fake, m *machine) { m.says = "listening on http://:%zz\n" }, "no address"},
		{"it never answers", func(f *fake, _ *machine) { f.deaf = true }, "probe http://127.0.0.1:4096"},
		{"it has another password", func(f *fake, _ *machine) { f.password = "x" }, "does not accept the password"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, f *fake) {
				m := &machine{says: saysListening}
				start := starter(func(ctx context.Context, l adapters.Launch) (adapters.Conn, error) {
					c.set(f, m)
					return m.Start(ctx, l)
				})
				conn, err := server.Start(t.Context(), launch, over{start, f.listener}, path.Dir)
				var failed *server.ConnectError
				if !errors.As(err, &failed) || !strings.Contains(err.Error(), c.want) || conn != nil {
					t.Errorf("got %v, want %s", err, c.want)
				}
			})
		})
	}
	for _, address := range []string{"", "ftp://x", "127.0.0.1:4096", "http://"} {
		if _, err := server.Attach(t.Context(), adapters.Endpoint{URL: address}, "/event", nil, path.Dir); err == nil || !strings.Contains(err.Error(), "attach") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestServerEndsAtItsStart: its end is told in the same words wherever it comes, and whether the end of the process or of its connections is
// seen first.
func TestServerEndsAtItsStart(t *testing.T) {
	for _, fatal := range []string{"/global/health", "/global/event", "/session/status"} {
		for _, later := range []time.Duration{0, 100 * time.Millisecond} {
			inBubble(t, func(t *testing.T, f *fake) {
				m := &machine{says: saysListening}
				f.fatal, f.end = fatal, func() {
					time.AfterFunc(later, func() {
						_ = f.listener.Close()
						m.die(adapters.Exit{Code: 3, Stderr: []string{"bad config"}})
					})
					if later == 0 {
						synctest.Wait()
					}
				}
				_, err := server.Start(t.Context(), launch, over{m, f.listener}, path.Dir)
				const want = "connect to opencode: start: the server ended before it was ready; standard error ended with: bad config"
				if err == nil || err.Error() != want {
					t.Errorf("%s, its process %s later: %v, want %s", fatal, later, err, want)
				}
			})
		}
	}
}

type starter func(context.Context, adapters.Launch) (adapters.Conn, error)

func (s starter) Start(ctx context.Context, l adapters.Launch) (adapters.Conn, error) {
	return s(ctx, l)
}

// TestAttached: with a password, without a process; the server is left alone.
func TestAttached(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		f.password = "secret"
		if _, err := attach(t, f, "wrong"); err == nil || !strings.Contains(err.Error(), "password") {
			t.Errorf("with a wrong password: %v", err)
		}
		conn, h := attached(t, f)
		if _, ok := conn.Process(); ok {
			t.Error("it has a process")
		}
		f.handle = func(w http.ResponseWriter, _ *http.Request) {
			<-time.After(300 * time.Millisecond)
			_, _ = io.WriteString(w, "true")
		}
		write(t, conn, httpline.Call{N: 1, Method: "POST", Path: "/session/ses_1/abort"})
		conn.Stop(time.Second) // the call is still made, and answered
		if exit := conn.Wait(); !exit.Requested || !exit.Clean() {
			t.Errorf("ended with %+v", exit)
		}
		h.is(t, attachedOpen, `{"http":"answer","n":1,"status":200,"body":true}`)
	})
}

// TestReconnect: a stream that ends, and one that says nothing any more, are opened again.
// Proves: T22
func TestReconnect(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		conn, h := attached(t, f)
		close(f.newest().events)
		time.Sleep(time.Second)
		f.newest().events <- "data: 1\n\n"
		for range 3 {
			time.Sleep(20 * time.Second) // less than it may be silent
			f.newest().events <- ":\n\n"
		}
		time.Sleep(26 * time.Second) // half open
		f.newest().events <- "data: 2\n\n"
		lost := `{"http":"stream","state":"lost","path":"` + attachedPath + `","error":`
		h.is(t, attachedOpen, lost+`"unexpected EOF"}`, attachedOpen, "1", lost+`"nothing was heard for 25s"}`, attachedOpen, "2")
		if n := len(f.streams); n != 3 {
			t.Errorf("%d streams", n)
		}
		conn.Stop(0)
		conn.Wait()
	})
}

// TestGone: a server that cannot be heard again ends the connection, after a while.
func TestGone(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		conn, _ := attached(t, f)
		began := time.Now()
		f.close()
		exit := conn.Wait()
		if exit.Requested || !strings.Contains(exit.Error, "could not be heard again") || exit.Clean() {
			t.Errorf("ended with %+v", exit)
		}
		if after := time.Since(began); after < 50*time.Second || after > 70*time.Second {
			t.Errorf("gave up after %v", after)
		}
	})
}

// TestCalls: calls that change a session keep their order, others overtake them; one may wait for its time; answers are
// bounded.
func TestCalls(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		conn, h := attached(t, f)
		f.handle = func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/session/ses_1/prompt_async":
				<-time.After(2 * time.Second)
				w.WriteHeader(http.StatusNoContent)
			case "/big":
				_, _ = io.WriteString(w, strings.Repeat("x", 8<<20))
			case "/text":
				w.WriteHeader(http.StatusBadGateway)
				_, _ = io.WriteString(w, "no \"gate\"\nhere")
			case "/elsewhere":
				http.Redirect(w, r, "http://other.example/", http.StatusFound)
			default:
				body, _ := io.ReadAll(r.Body)
				_, _ = fmt.Fprintf(w, `{"heard": %q}`, body)
			}
		}
		write(t, conn,
			httpline.Call{N: 1, Method: "POST", Path: "/session/ses_1/prompt_async", Body: []byte(`{"a":1}`)},
			httpline.Call{N: 2, Method: "POST", Path: "/session/ses_1/abort"},
			httpline.Call{N: 3, Method: "POST", Path: "/session/ses_2/abort", Body: []byte(`{"b":2}`)},
			httpline.Call{N: 4, AfterMs: 5000, Method: "GET", Path: "/later"})
		h.is(t, attachedOpen, `{"http":"answer","n":3,"status":200,"body":{"heard":"{\"b\":2}"}}`)
		time.Sleep(3 * time.Second)
		h.is(t, attachedOpen, `{"http":"answer","n":3,"status":200,"body":{"heard":"{\"b\":2}"}}`,
			`{"http":"answer","n":1,"status":204}`, `{"http":"answer","n":2,"status":200,"body":{"heard":""}}`)
		h.forget()
		write(t, conn, httpline.Call{N: 5, Method: "GET", Path: "/big"})
		synctest.Wait()
		write(t, conn, httpline.Call{N: 6, Method: "GET", Path: "/text"})
		synctest.Wait()
		write(t, conn, httpline.Call{N: 7, Method: "GET", Path: "//other.example/"})
		synctest.Wait()
		write(t, conn, httpline.Call{N: 8, Method: "GET", Path: "/elsewhere"})
		synctest.Wait()
		if _, err := conn.Input().Write([]byte("no call\n{\"http\":\"answer\",\"n\":1,\"status\":200}\n")); err != nil {
			t.Error(err)
		}
		h.is(t, `{"http":"answer","n":5,"status":200,"error":"the answer has more than 7340032 bytes"}`,
			`{"http":"answer","n":6,"status":502,"body":"no \"gate\"\nhere"}`,
			`{"http":"answer","n":7,"error":"\"//other.example/\" is no path"}`,
			`{"http":"answer","n":8,"status":302,"body":"\u003ca href=\"http://other.example/\"\u003eFound\u003c/a\u003e."}`)
		h.forget()
		time.Sleep(2 * time.Second)
		h.is(t, `{"http":"answer","n":4,"status":200,"body":{"heard":""}}`)
		conn.Stop(time.Second)
		conn.Wait()
	})
}

// TestSlowCalls: so many calls at once and no more; one that is never answered ends after a while, and an end does not wait
// for them.
func TestSlowCalls(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		conn, h := attached(t, f)
		f.handle = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
		written := make(chan int, 100)
		go func() { // ends with the connection
			for n := range 100 {
				c := httpline.Call{N: uint64(n + 1), Method: "GET", Path: "/x"}
				if _, err := conn.Input().Write(append(c.Append(nil), '\n')); err != nil {
					return
				}
				written <- n
			}
		}()
		synctest.Wait()
		if n := strings.Count(f.calls(), "GET /x"); n != 32 {
			t.Errorf("%d calls at once", n)
		}
		time.Sleep(61 * time.Second)
		synctest.Wait()
		h.mu.Lock()
		answered := len(h.lines) - 1
		timeout := answered > 0 && strings.Contains(strings.Join(h.lines, ""), "deadline exceeded")
		h.mu.Unlock()
		if answered < 32 || !timeout {
			t.Errorf("%d answers: %q", answered, h.lines)
		}
		began := time.Now()
		conn.Stop(3 * time.Second)
		conn.Wait()
		if after := time.Since(began); after != 3*time.Second {
			t.Errorf("it ended after %v", after)
		}
	})
}

// TestUnread: a connection whose output nobody reads ends all the same.
func TestUnread(t *testing.T) {
	inBubble(t, func(t *testing.T, f *fake) {
		conn, err := attach(t, f, "")
		if err != nil {
			t.Fatal(err)
		}
		s := f.newest()
		stop := make(chan struct{})
		go func() { // ends with stop
			for {
				select {
				case s.events <- "data: {}\n\n":
				case <-stop:
					return
				}
			}
		}()
		time.Sleep(time.Minute) // it is not silent, only not heard
		conn.Stop(time.Second)
		conn.Wait()
		close(stop)
		if len(f.streams) != 1 {
			t.Errorf("%d streams", len(f.streams))
		}
	})
}
