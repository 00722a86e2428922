package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// guest is a connection on which HTTP is spoken by hand.
type guest struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

func (h *harness) guest(t *testing.T) *guest {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(h.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &guest{t, c, bufio.NewReader(c)}
}

func (g *guest) ask(path, bearer string) {
	g.t.Helper()
	text := "GET " + path + " HTTP/1.1\r\nHost: " + g.conn.RemoteAddr().String() + "\r\n"
	if bearer != "" {
		text += "Authorization: Bearer " + bearer + "\r\n"
	}
	if _, err := io.WriteString(g.conn, text+"\r\n"); err != nil {
		g.t.Fatal(err)
	}
}

// answered reads an answer's head; of one that ends also its body.
func (g *guest) answered(want int) {
	g.t.Helper()
	res, err := http.ReadResponse(g.in, nil)
	if err != nil || res.StatusCode != want {
		g.t.Fatalf("%v, %v", res, err)
	}
	if res.Header.Get("Content-Type") != eventStream {
		_, _ = io.Copy(io.Discard, res.Body)
	}
}

// gone waits for the end of the connection, which comes sooner than that of one that is idle for long.
func (g *guest) gone() {
	g.t.Helper()
	if err := g.conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		g.t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, g.in); err != nil || n > 0 {
		g.t.Errorf("%d bytes, %v", n, err)
	}
}

// TestRoomIsFull: who comes takes the place of the longest idle connection, of one that never said whose it is before any other, and waits
// where all are at work; that does not hold up the end of the server.
func TestRoomIsFull(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.MaxConnections = 3 })
	h.http.Transport.(*http.Transport).DisableKeepAlives = true
	id := h.create("echo")
	known, stranger, silent := h.guest(t), h.guest(t), h.guest(t)
	known.ask("/agents", testToken)
	known.answered(http.StatusOK)
	stranger.ask("/health", "")
	stranger.answered(http.StatusOK)
	for range 2 { // silent is idle longer than stranger, who has just asked
		g := h.guest(t)
		g.ask("/sessions/"+id+"/stream", testToken)
		g.answered(http.StatusOK)
	}
	silent.gone()
	stranger.gone()
	last := h.guest(t)
	last.ask("/sessions/"+id+"/stream", testToken)
	last.answered(http.StatusOK)
	known.gone()

	waits := h.guest(t) // all are at work
	waits.ask("/health", "")
	if err := waits.conn.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := waits.in.Peek(1); err == nil {
		t.Error("a connection more than there may be is served")
	}
	if err := waits.conn.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	_ = last.conn.Close()
	waits.answered(http.StatusOK)
}

// TestStrangersAreFew: connections that say nothing take the place of each other, also where there is room for more; whoever has a token, and whoever asks for
// something, is not disturbed.
func TestStrangersAreFew(t *testing.T) {
	a, err := New(Config{Supervisor: newTree(t), Token: testToken, MaxConnections: 1000})
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(a)
	s.room.crowd = 3
	h := served(t, s)
	known := h.guest(t)
	known.ask("/agents", testToken)
	known.answered(http.StatusOK)
	silent := make([]*guest, 10)
	for i := range silent {
		silent[i] = h.guest(t)
	}
	last := h.guest(t)
	last.ask("/agents", testToken) // it waits until the others have had their time
	last.answered(http.StatusOK)
	for _, g := range silent[:len(silent)-2] {
		g.gone()
	}
	for range 2 {
		known.ask("/agents", testToken)
		known.answered(http.StatusOK)
	}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if n := s.room.strangers.Len(); n > 3 || n == 0 {
		t.Errorf("%d strangers", n)
	}
}

// A connection on which something has come is not idle, however long the daemon takes to read it.
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
	r := newRoom(1)
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
	r.changed(c, http.StateActive)
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if r.seat(client); x.leaving {
		t.Error("a request that has just begun has to leave")
	}
	await(false)
}

// TestRoomEnds: a connection that waits for a place does not hold up the end of the server.
func TestRoomEnds(t *testing.T) {
	a, err := New(Config{Supervisor: newTree(t), Token: testToken, MaxConnections: 1})
	if err != nil {
		t.Fatal(err)
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, served := NewServer(a), make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Close
	h := &harness{t: t, base: "http://" + l.Addr().String()}
	s.room.mu.Lock()
	s.room.leaving = 1 // nobody makes room
	s.room.mu.Unlock()
	h.guest(t)
	h.guest(t)
	if err := s.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	for { // connections tell of their end when they have ended
		s.room.mu.Lock()
		n := len(s.room.seats)
		s.room.mu.Unlock()
		if n == 0 {
			break
		}
		runtime.Gosched()
	}
}

// TestConnectionsHaveShares: one token does not take all connections, however many it opens.
func TestConnectionsHaveShares(t *testing.T) {
	const most = 64 // 48 of one, and 8 that each is sure of
	h := newHarness(t, func(c *Config) { c.MaxConnections = most })
	h.http.Transport.(*http.Transport).DisableKeepAlives = true
	id := h.create("echo")
	mine := h.secretOf(access.Token{Scope: access.AdminRead})
	for range most - most/4 {
		g := h.guest(t)
		g.ask(fmt.Sprintf("/sessions/%s/stream", id), mine)
		g.answered(http.StatusOK)
	}
	h.token = mine
	p := h.want(http.StatusServiceUnavailable, "GET", "/agents", "")
	if p.problem(t).Code != protocol.CodeOverloaded || !p.Close {
		t.Errorf("%+v", p)
	}
	h.token = ""
	h.want(http.StatusOK, "GET", "/agents", "")
}
