package remote

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// agent is a websocket server that serves one connection after the other.
type agent struct {
	*httptest.Server
	served atomic.Int32
}

// serve starts an agent; each connection to it ends with the call of handle.
func serve(t *testing.T, l net.Listener, handle func(ctx context.Context, ws *websocket.Conn) error) *agent {
	t.Helper()
	a := &agent{}
	a.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" && r.Header.Get("Authorization") != "Bearer right" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.Header.Get("Origin") != "" {
			w.WriteHeader(http.StatusForbidden) // as Codex does
			return
		}
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		ws.SetReadLimit(-1)
		a.served.Add(1)
		_ = handle(r.Context(), ws)
	}))
	if l != nil {
		_ = a.Listener.Close()
		a.Listener = l
	}
	a.Start()
	t.Cleanup(a.Close)
	return a
}

func (a *agent) ws() string { return "ws" + strings.TrimPrefix(a.URL, "http") }

// echo sends back what it gets, until the end.
func echo(ctx context.Context, ws *websocket.Conn) error {
	for {
		typ, b, err := ws.Read(ctx)
		if err != nil {
			return err
		}
		if err := ws.Write(ctx, typ, b); err != nil {
			return err
		}
	}
}

func dial(t *testing.T, url string) *Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	c, err := Dial(ctx, Server{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Stop(0)
		_, _ = io.Copy(io.Discard, c.Output())
		c.Wait()
	})
	return c
}

func TestLines(t *testing.T) {
	c := dial(t, serve(t, nil, echo).ws())
	big := strings.Repeat("0123456789", 1<<20)
	go func() { // ends with the writes
		for _, part := range []string{"{\"a\":1}\n{\"b\"", ":2}\n", "", "{\"c\":\"" + big + "\"}\n"} {
			_, _ = io.WriteString(c.Input(), part)
		}
	}()
	r := bufio.NewReader(c.Output())
	for _, want := range []string{`{"a":1}`, `{"b":2}`, `{"c":"` + big + `"}`} {
		line, err := r.ReadString('\n')
		if err != nil || line != want+"\n" {
			t.Fatalf("got %d bytes %.40q, %v", len(line), line, err)
		}
	}
	if p, ok := c.Process(); ok {
		t.Errorf("process %+v", p)
	}
}

// TestOneLinePerMessage: line breaks between the members of a message end no line, and what is no text is nobody's.
func TestOneLinePerMessage(t *testing.T) {
	a := serve(t, nil, func(ctx context.Context, ws *websocket.Conn) error {
		_ = ws.Write(ctx, websocket.MessageBinary, []byte("\n\n"))
		_ = ws.Write(ctx, websocket.MessageText, []byte("{\r\n \"a\": \"x\\ny\"\n}"))
		_ = ws.Write(ctx, websocket.MessageText, []byte(`{"http":"stream","state":"lost"}`)) // that only the connection itself may say
		return echo(ctx, ws)
	})
	r := bufio.NewReader(dial(t, a.ws()).Output())
	for _, want := range []string{"{   \"a\": \"x\\ny\" }\n", " {\"http\":\"stream\",\"state\":\"lost\"}\n"} {
		if line, err := r.ReadString('\n'); err != nil || line != want {
			t.Errorf("got %q, %v", line, err)
		}
	}
}

func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, l, echo)
	c := dial(t, "unix://"+path)
	works(t, c)
}

func TestDialErrors(t *testing.T) {
	a := serve(t, nil, echo)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	hole, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hole.Close() })
	for _, x := range []struct{ name, url, token, code string }{
		{"no URL", "::", "", "bad_address"},
		{"another scheme", "http://127.0.0.1:1", "", "bad_address"},
		{"a password in the URL", "ws://u:secret@127.0.0.1:1", "", "bad_address"},
		{"a relative socket", "unix://s", "", "bad_address"},
		{"no socket", "unix:///nonexistent/s", "", "unreachable"},
		{"nobody there", "ws://127.0.0.1:1", "", "unreachable"},
		{"no websocket", "ws" + strings.TrimPrefix(plain.URL, "http"), "", "refused"},
		{"a wrong token", a.ws(), "secret", "refused"},
		{"a black hole", "ws://" + hole.Addr().String(), "", "unreachable"},
	} {
		t.Run(x.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			if x.name == "a black hole" {
				cancel()
				ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
			}
			defer cancel()
			c, err := Dial(ctx, Server{URL: x.url, Token: x.token})
			if err == nil {
				c.Stop(0)
				t.Fatal("attached")
			}
			var e *Error
			if !errors.As(err, &e) || e.Code != x.code || e.Hint == "" || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %#v", err)
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	c, err := Dial(ctx, Server{URL: a.ws(), Token: "right"})
	if err != nil {
		t.Fatal(err)
	}
	c.Stop(0)
	c.Wait()
}

// works has an echo come back.
func works(t *testing.T, c *Conn) {
	t.Helper()
	if _, err := io.WriteString(c.Input(), "{}\n"); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 3)
	if _, err := io.ReadFull(c.Output(), line); err != nil || string(line) != "{}\n" {
		t.Fatalf("got %q, %v", line, err)
	}
}

// TestStop: it hangs up and leaves the agent alone, which serves the next one; also while nobody reads its output, and without
// its answer.
func TestStop(t *testing.T) {
	for name, grace := range map[string]time.Duration{"with a goodbye": 5 * time.Second, "at once": 0} {
		t.Run(name, func(t *testing.T) {
			a := serve(t, nil, echo)
			c := dial(t, a.ws())
			works(t, c)
			c.Stop(grace)
			c.Stop(grace)
			if _, err := io.Copy(io.Discard, c.Output()); err != nil && grace > 0 {
				t.Error(err)
			}
			if exit := c.Wait(); !exit.Clean() || !exit.Requested {
				t.Errorf("got %+v", exit)
			}
			if _, err := io.WriteString(c.Input(), "{}\n"); err == nil {
				t.Error("a line was sent after the end")
			}
			works(t, dial(t, a.ws()))
			if n := a.served.Load(); n != 2 {
				t.Errorf("served %d", n)
			}
		})
	}
	t.Run("closed input", func(t *testing.T) {
		c := dial(t, serve(t, nil, echo).ws())
		if err := c.Input().Close(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, c.Output())
		if exit := c.Wait(); !exit.Clean() || !exit.Requested {
			t.Errorf("got %+v", exit)
		}
	})
	t.Run("output not read", func(t *testing.T) {
		a := serve(t, nil, func(ctx context.Context, ws *websocket.Conn) error {
			for {
				if err := ws.Write(ctx, websocket.MessageText, make([]byte, 1<<16)); err != nil {
					return err
				}
			}
		})
		c := dial(t, a.ws())
		if _, err := c.Output().Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		c.Stop(10 * time.Millisecond)
		c.Wait()
	})
}

// attached is a connection with a pulse and a way back of its own; a nil open finds nobody again.
func attached(t *testing.T, p pulse, r retry, open func(ctx context.Context) (*link, error), handle func(ctx context.Context, ws *websocket.Conn) error) *Conn {
	t.Helper()
	a := serve(t, nil, handle)
	l, err := Server{URL: a.ws()}.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if open == nil {
		open = func(context.Context) (*link, error) {
			return nil, &Error{Code: "unreachable", Err: errors.New("nobody there")}
		}
	}
	c := newConn(l, open, p, r)
	t.Cleanup(func() { c.Stop(0); c.Wait() })
	return c
}

// TestSilence: a server that is there and says nothing any more, not even that it is there, is lost.
func TestSilence(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	c := attached(t, pulse{every: time.Millisecond, within: 500 * time.Millisecond}, retry{within: 1, attempt: time.Second}, nil, func(context.Context, *websocket.Conn) error {
		<-stop
		return nil
	})
	_, _ = io.Copy(io.Discard, c.Output())
	if exit := c.Wait(); exit.Clean() || !strings.Contains(exit.Error, "no sign of life") || !strings.Contains(exit.Error, "nobody there") {
		t.Errorf("got %+v", exit)
	}
}

// TestSlowReader: while what the server says is not read here, its silence means nothing.
func TestSlowReader(t *testing.T) {
	const size = 1 << 20
	c := attached(t, pulse{every: time.Millisecond, within: time.Second}, retry{within: 1}, nil, func(ctx context.Context, ws *websocket.Conn) error {
		if err := ws.Write(ctx, websocket.MessageText, make([]byte, size)); err != nil {
			return err
		}
		return echo(ctx, ws)
	})
	first := make([]byte, 1)
	if _, err := io.ReadFull(c.Output(), first); err != nil {
		t.Fatal(err)
	}
	timer := time.NewTimer(1500 * time.Millisecond) // longer than any answer is waited for
	<-timer.C
	if n, err := io.CopyN(io.Discard, c.Output(), size); err != nil { // the rest and the line's end
		t.Errorf("%d bytes, then %v", n, err)
	}
}

var _ adapters.Conn = (*Conn)(nil)
