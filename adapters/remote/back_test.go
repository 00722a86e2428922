package remote

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// quick is a way back that does not wait.
var quick = retry{first: time.Millisecond, most: 2 * time.Millisecond, within: 10 * time.Second, attempt: 5 * time.Second, steady: time.Hour}

// next reads one line.
func next(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	line, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("got %q, %v", line, err)
	}
	return strings.TrimSuffix(line, "\n")
}

func write(t *testing.T, c *Conn, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(c.Input(), l+"\n"); err != nil {
			t.Fatal(err)
		}
	}
}

// dropping is a server that drops its first websockets, each after one message, in all the ways there are, and then echoes.
func dropping(t *testing.T, drops int) (open func(context.Context) (*link, error)) {
	var served atomic.Int32
	a := serve(t, nil, func(ctx context.Context, ws *websocket.Conn) error {
		n := int(served.Add(1))
		if n > drops {
			return echo(ctx, ws)
		}
		if _, _, err := ws.Read(ctx); err != nil {
			return err
		}
		switch n % 3 {
		case 0:
			return ws.Close(websocket.StatusGoingAway, "restart")
		case 1:
			return ws.CloseNow()
		}
		w, err := ws.Writer(ctx, websocket.MessageText) // in the middle of a message
		if err != nil {
			return err
		}
		_, _ = io.WriteString(w, `{"half":"`+strings.Repeat("x", 1<<16))
		return ws.CloseNow()
	})
	return Server{URL: a.ws()}.open
}

// TestBack: a websocket that is lost is opened again, and both is told; what was meant for the lost one never gets to the new
// one, whenever it is written.
func TestBack(t *testing.T) {
	const drops = 6
	open := dropping(t, drops)
	c := newConn(must(open(t.Context())), open, defaultPulse, quick)
	t.Cleanup(func() { c.Stop(0); c.Wait() })
	r := bufio.NewReader(c.Output())
	for n := 1; n <= drops; n++ {
		write(t, c, `"go"`)
		if line := next(t, r); !strings.HasPrefix(line, `{"http":"stream","state":"lost","path":"","error":"`) {
			t.Fatalf("loss %d: got %q", n, line)
		}
		write(t, c, `"stale, while it is away or not known to be back"`)
		opened := fmt.Sprintf(`{"http":"stream","state":"open","path":"%d"}`, n)
		if line := next(t, r); line != opened {
			t.Fatalf("got %q", line)
		}
		write(t, c, `"stale"`, strings.Replace(opened, `"path":"`, `"path":"9`, 1), `"stale, too"`, opened)
	}
	write(t, c, `"fresh"`)
	if line := next(t, r); line != `"fresh"` {
		t.Errorf("got %q", line)
	}
}

func must(l *link, err error) *link {
	if err != nil {
		panic(err)
	}
	return l
}

// TestServerRestarts: a server that ends and comes back at the same address is found again.
func TestServerRestarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	listen := func() net.Listener {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	gone := make(chan struct{})
	first := listen()
	serve(t, first, func(_ context.Context, ws *websocket.Conn) error {
		_ = first.Close()
		close(gone)
		return ws.CloseNow()
	})
	tries := make(chan struct{}, 1)
	open := func(ctx context.Context) (*link, error) {
		l, err := Server{URL: "unix://" + path}.open(ctx)
		if err != nil {
			select {
			case tries <- struct{}{}:
			default:
			}
		}
		return l, err
	}
	c := newConn(must(open(t.Context())), open, defaultPulse, quick)
	t.Cleanup(func() { c.Stop(0); c.Wait() })
	r := bufio.NewReader(c.Output())
	next(t, r)
	<-gone
	<-tries
	serve(t, listen(), echo)
	write(t, c, next(t, r))
	works(t, c)
}

// TestNeverBack: whoever does not come back, or refuses, or comes and goes, ends the connection with what was wrong.
func TestNeverBack(t *testing.T) {
	drop := func(_ context.Context, ws *websocket.Conn) error { return ws.CloseNow() }
	short := quick
	short.within = 20 * time.Millisecond
	flapping := dropping(t, 0)
	for _, x := range []struct {
		name string
		open func(ctx context.Context) (*link, error)
		want string
	}{
		{"gone", nil, "not found again for 20ms: attach: : nobody there"},
		{"refused", func(context.Context) (*link, error) {
			return nil, &Error{Code: "refused", Op: "log in", Err: errors.New("wrong token")}
		}, "wrong token"},
		{"flapping", func(ctx context.Context) (*link, error) {
			l, err := flapping(ctx)
			if err == nil {
				_ = l.ws.CloseNow()
			}
			return l, err
		}, "it comes and goes"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := attached(t, defaultPulse, short, x.open, drop)
			_, _ = io.Copy(io.Discard, c.Output())
			exit := c.Wait()
			if exit.Clean() || exit.Requested || !strings.HasPrefix(exit.Error, "connection to the agent lost: ") || !strings.Contains(exit.Error, x.want) {
				t.Errorf("got %+v", exit)
			}
			if _, err := io.WriteString(c.Input(), "{}\n"); err == nil {
				t.Error("a line was taken after the end")
			}
		})
	}
}

// TestStopOnTheWayBack: nobody waits for a server that is away, not for its answer either.
func TestStopOnTheWayBack(t *testing.T) {
	drop := func(_ context.Context, ws *websocket.Conn) error { return ws.CloseNow() }
	dialing := make(chan struct{}, 1)
	for name, x := range map[string]struct {
		retry retry
		open  func(ctx context.Context) (*link, error)
	}{
		"waiting": {retry{first: time.Hour, most: time.Hour, within: 2 * time.Hour, attempt: time.Hour}, nil},
		"dialing": {retry{within: time.Hour, attempt: time.Hour}, func(ctx context.Context) (*link, error) {
			dialing <- struct{}{}
			<-ctx.Done()
			return nil, &Error{Code: "unreachable", Err: ctx.Err()}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := attached(t, defaultPulse, x.retry, x.open, drop)
			r := bufio.NewReader(c.Output())
			next(t, r)
			if name == "dialing" {
				<-dialing
			}
			c.Stop(time.Hour)
			_, _ = io.Copy(io.Discard, r)
			if exit := c.Wait(); !exit.Clean() || !exit.Requested {
				t.Errorf("got %+v", exit)
			}
		})
	}
}
