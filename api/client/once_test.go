package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// prompter takes prompts as a daemon does: one turn for a key. What becomes of each request, fate says, before or behind its effect.
type prompter struct {
	fates []fate
	turns map[string]string // by key
	tries int
}

type fate int

const (
	answers     fate = iota
	lostBefore       // the request never comes
	lostBehind       // it is done, and the answer is lost
	unconnected      // nobody listens
	starting         // the daemon is there and not ready
)

func (p *prompter) RoundTrip(r *http.Request) (*http.Response, error) {
	f := p.fates[min(p.tries, len(p.fates)-1)]
	p.tries++
	switch f {
	case unconnected:
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	case lostBefore:
		return nil, io.EOF
	case starting:
		return answer(http.StatusServiceUnavailable, protocol.ProblemType, `{"code":"unavailable","title":"t","status":503}`), nil
	}
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		key = strings.Repeat(".", len(p.turns)+1) // as if it were a new one each time
	}
	if p.turns[key] == "" {
		p.turns[key] = protocol.PromptID(uint64(len(p.turns) + 1))
	}
	if f == lostBehind {
		return nil, syscall.ECONNRESET
	}
	return answer(http.StatusAccepted, "application/json", `{"promptId":"`+p.turns[key]+`"}`), nil
}

// TestPromptIsSentAgain: a prompt that was lost is sent again with the key that it had; one that nobody was there for, or that the daemon refuses, is not.
//
// Proves: I13.5/prompts
func TestPromptIsSentAgain(t *testing.T) {
	for name, c := range map[string]struct {
		fates []fate
		id    string // empty: it fails
		sent  bool
		turns int
		tries int // 0: as many as fates
	}{
		"at once":                    {[]fate{answers}, "p1", false, 1, 0},
		"answer lost":                {[]fate{lostBehind, answers}, "p1", false, 1, 0},
		"request lost":               {[]fate{lostBefore, lostBefore, answers}, "p1", false, 1, 0},
		"restarted under it":         {[]fate{lostBehind, unconnected, unconnected, starting, answers}, "p1", false, 1, 0},
		"nobody there":               {[]fate{unconnected, answers}, "", false, 0, 1},
		"refused":                    {[]fate{starting, answers}, "", false, 0, 1},
		"away for good, and unknown": {[]fate{lostBehind, unconnected}, "", true, 1, 9},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &prompter{fates: c.fates, turns: map[string]string{}}
				client := newClient("http://localhost", "the fake", "", p, nil)
				r, err := client.Prompt(t.Context(), "s", Prompt{Text: "hi"})
				var away *Unreachable
				switch {
				case c.id != "" && (err != nil || r.PromptID != c.id):
					t.Errorf("got %+v, %v", r, err)
				case c.id == "" && (err == nil || errors.As(err, &away) && away.Sent != c.sent):
					t.Errorf("got %+v, %v", r, err)
				}
				if want := max(c.tries, len(c.fates)*min(1, len(c.id))); len(p.turns) != c.turns || c.tries != 9 && p.tries != want || p.tries > 12 {
					t.Errorf("%d turns after %d tries, want %d after %d", len(p.turns), p.tries, c.turns, want)
				}
			})
		})
	}
}

// Every prompt has a key, a caller's own is taken as it is, and a context ends the trying.
func TestKeysOfPrompts(t *testing.T) {
	p := &prompter{fates: []fate{answers}, turns: map[string]string{}}
	client := newClient("http://localhost", "the fake", "", p, nil)
	for _, key := range []string{"", "", "own", "own"} {
		if _, err := client.Prompt(t.Context(), "s", Prompt{Text: "hi", Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	if p.turns["own"] == "" || p.turns["."] != "" || len(p.turns) != 3 {
		t.Errorf("keys %v", p.turns)
	}
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		lost := newClient("http://localhost", "the fake", "", &prompter{fates: []fate{lostBefore}}, nil)
		if _, err := lost.Prompt(ctx, "s", Prompt{Text: "hi"}); !errors.Is(err, why) {
			t.Errorf("got %v", err)
		}
	})
}

// connections counts those that a server has open.
type connections struct {
	net.Listener

	open atomic.Int32
	gone chan struct{}
}

func (c *connections) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil {
		c.open.Add(1)
		conn = &counted{Conn: conn, of: c}
	}
	return conn, err
}

type counted struct {
	net.Conn

	of     *connections
	closed atomic.Bool
}

func (c *counted) Close() error {
	if !c.closed.Swap(true) {
		c.of.open.Add(-1)
		c.of.gone <- struct{}{}
	}
	return c.Conn.Close()
}

// TestLeavingALoopClosesTheConnection: who breaks out of a loop over a log or a stream leaves no connection behind.
//
// Proves: I13.5/closing
func TestLeavingALoopClosesTheConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	counting := &connections{Listener: l, gone: make(chan struct{}, 100)}
	srv := &http.Server{Handler: http.HandlerFunc(endless), ReadHeaderTimeout: time.Minute}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(counting) }()
	defer func() {
		_ = srv.Close()
		<-done
	}()
	c := at(t, l.Addr().String())
	loops := map[string]func(){
		"follow": func() {
			for range c.Follow(t.Context(), "s", protocol.Cursor{}) {
				return
			}
		},
		"log": func() {
			for range c.Log(t.Context(), "s", protocol.Cursor{}) {
				return
			}
		},
	}
	for name, loop := range loops {
		for range 10 {
			loop()
			<-counting.gone
			if n := counting.open.Load(); n != 0 {
				t.Fatalf("%s leaves %d connections", name, n)
			}
		}
	}
}

// endless answers a log or a stream that goes on until the client goes.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Session-Version", "1000000")
	w.Header().Set("X-Session-Epoch", "1")
	for seq := uint64(1); r.Context().Err() == nil; seq++ {
		text := event(seq) + "\n"
		if strings.HasSuffix(r.URL.Path, "/stream") {
			text = "id: " + protocol.Cursor{Epoch: 1, Seq: seq}.String() + "\ndata: " + text + "\n"
		}
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

// TestChangesAreSentOnce: whatever changes something has a key, the same for each try and another for each call, or the caller's; what reads has none.
//
// Proves: I13.4/client
func TestChangesAreSentOnce(t *testing.T) {
	calls := map[string]func(context.Context, *Client) error{
		"create":    func(ctx context.Context, c *Client) error { _, err := c.Create(ctx, New{}); return err },
		"end":       func(ctx context.Context, c *Client) error { _, err := c.Session("s").End(ctx, ""); return err },
		"remove":    func(ctx context.Context, c *Client) error { return c.Session("s").Remove(ctx) },
		"interrupt": func(ctx context.Context, c *Client) error { _, err := c.Session("s").Interrupt(ctx); return err },
		"cancel":    func(ctx context.Context, c *Client) error { return c.Session("s").Cancel(ctx, "p1") },
		"revoke":    func(ctx context.Context, c *Client) error { return c.Tokens().Revoke(ctx, "t") },
	}
	for name, do := range calls {
		synctest.Test(t, func(t *testing.T) {
			p := &prompter{fates: []fate{lostBehind, answers}, turns: map[string]string{}}
			c := newClient("http://localhost", "the fake", "", p, nil)
			if err := do(t.Context(), c); err != nil || p.tries != 2 || len(p.turns) != 1 {
				t.Errorf("%s: %v after %d tries, done %d times", name, err, p.tries, len(p.turns))
			}
			p.fates = []fate{answers}
			if err := do(t.Context(), c); err != nil || len(p.turns) != 2 {
				t.Errorf("%s: another call is not another: %v, %v", name, err, p.turns)
			}
			for range 2 {
				if err := do(WithKey(t.Context(), "own"), c); err != nil || p.turns["own"] == "" || len(p.turns) != 3 {
					t.Errorf("%s: the caller's key: %v, %v", name, err, p.turns)
				}
			}
		})
	}
	p := &prompter{fates: []fate{answers}, turns: map[string]string{}}
	if _, err := newClient("http://localhost", "the fake", "", p, nil).Session("s").Show(t.Context()); err != nil || p.turns["."] == "" {
		t.Errorf("a reading call: %v, %v", err, p.turns)
	}
}
