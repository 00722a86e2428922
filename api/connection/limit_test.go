package connection

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// serve serves on a limited listener until the test ends, and gives its address. Who sends a password is a principal.
func serve(t *testing.T, r *Limit) (server *http.Server, addr string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	known := &access.Principal{Scope: access.Admin}
	server = &http.Server{
		ReadHeaderTimeout: time.Minute, ConnContext: r.Context, ConnState: r.Changed,
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
			defer Occupy(q.Context())()
			if _, _, ok := q.BasicAuth(); ok {
				Owned(q.Context(), known)
			}
		}),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(r.Listen(l)) }() // ends with Close
	t.Cleanup(func() {
		_ = server.Close() // a second time, where a test has closed it
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return server, l.Addr().String()
}

// caller is a connection on which HTTP is spoken by hand.
type caller struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func call(t *testing.T, addr string) *caller {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &caller{t, c, bufio.NewReader(c)}
}

// ask sends a request with a name, and reads its answer.
func (c *caller) ask() {
	c.t.Helper()
	if _, err := fmt.Fprint(c.conn, "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YTpi\r\n\r\n"); err != nil {
		c.t.Fatal(err)
	}
	res, err := http.ReadResponse(c.in, nil)
	if err != nil || res.StatusCode != http.StatusOK {
		c.t.Fatalf("%v, %v", res, err)
	}
	_ = res.Body.Close()
}

// gone waits for the end of the connection.
func (c *caller) gone() {
	c.t.Helper()
	if err := c.conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		c.t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, c.in); err != nil || n > 0 {
		c.t.Fatalf("%d bytes, %v", n, err)
	}
}

// TestStrangersAreFew: connections that say nothing take the place of each other, also where there is room for more; whoever has a token, and whoever asks for
// something, is not disturbed.
func TestStrangersAreFew(t *testing.T) {
	r := NewLimit(1000, 16)
	r.crowd = 3
	_, addr := serve(t, r)
	known := call(t, addr)
	known.ask()
	silent := make([]*caller, 10)
	for i := range silent {
		silent[i] = call(t, addr)
	}
	call(t, addr).ask() // it waits until the others have had their time
	for _, c := range silent[:len(silent)-2] {
		c.gone()
	}
	for range 2 {
		known.ask()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := r.strangers.Len(); n > 3 || n == 0 {
		t.Errorf("%d strangers", n)
	}
}

// TestWaitingEnds: a connection that waits for a place does not hold up the end of the server.
func TestWaitingEnds(t *testing.T) {
	r := NewLimit(1, 1)
	r.leaving = 1 // nobody makes room
	server, addr := serve(t, r)
	call(t, addr)
	call(t, addr)
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	for { // connections tell of their end when they have ended
		r.mu.Lock()
		n := len(r.seats)
		r.mu.Unlock()
		if n == 0 {
			break
		}
		runtime.Gosched()
	}
}

// TestStrangersGoFirst: the connection that makes room is the stranger that is idle longest, also where one with a name is idle for longer, and one with a
// name only where no stranger can go.
func TestStrangersGoFirst(t *testing.T) {
	r := NewLimit(4, 1)
	var seats [4]*seat
	for i := range seats {
		c, _ := net.Pipe()
		if !r.seat(c) {
			t.Fatalf("connection %d has no place", i)
		}
		seats[i] = r.seats[c]
	}
	who := &access.Principal{Scope: access.Admin}
	for i, x := range seats {
		ctx := r.Context(t.Context(), x.conn)
		done := Occupy(ctx)
		if i < 2 && !Owned(ctx, who) {
			t.Fatal("not owned")
		}
		done()
		x.since = time.Now().Add(-time.Hour)
	}
	for i, want := range []int{2, 3, 0, 1} {
		another, _ := net.Pipe()
		if r.seat(another) {
			t.Fatal("there is a place more")
		}
		if !seats[want].leaving || r.leaving != 1 {
			t.Fatalf("connection %d does not leave as number %d", want, i)
		}
		r.leaving = 0 // as if it had gone
	}
}

// TestUnreadIsNotIdle: a connection on which something has come is not idle, however long the daemon takes to read it.
func TestUnreadIsNotIdle(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := NewLimit(1, 1)
	if !r.seat(c) {
		t.Fatal("the first has no place")
	}
	x := r.seats[c]
	await := func(has bool) {
		t.Helper()
		until := time.Now().Add(10 * time.Second)
		for unread(c) != has && time.Now().Before(until) {
			runtime.Gosched()
		}
		x.since = time.Now().Add(-time.Hour)
		if r.seat(client) || x.leaving == has {
			t.Errorf("unread %v: it has to leave: %v", has, x.leaving)
		}
	}
	if _, err := io.WriteString(client, "G"); err != nil {
		t.Fatal(err)
	}
	await(true)
	r.Changed(c, http.StateActive)
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	x.since = time.Now()
	if r.seat(client); x.leaving {
		t.Error("a request that has just begun has to leave")
	}
	await(false)
}

// TestPrincipalOfAConnection: who comes again on a connection takes no further place, also where each request says anew who that is.
func TestPrincipalOfAConnection(t *testing.T) {
	l := NewLimit(1, 1)
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	if !l.seat(ours) {
		t.Fatal("no place")
	}
	ctx := l.Context(t.Context(), ours)
	for n := range 3 {
		if !Owned(ctx, &access.Principal{ID: "a", Scope: access.Owner, Owner: "ann"}) || l.of.Taken() != 1 {
			t.Fatalf("the principal's request %d: it has %d places", n, l.of.Taken())
		}
	}
	if Owned(ctx, &access.Principal{ID: "b", Scope: access.Owner, Owner: "bob"}) { // which takes its place before the other gives its own back
		t.Error("one place is two principals'")
	}
	l.Changed(ours, http.StateClosed)
	if n := l.of.Taken(); n != 0 {
		t.Errorf("%d places are taken", n)
	}
}
