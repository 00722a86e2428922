package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/schema"
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
	if res.Header.Get("Content-Type") != schema.EventStream {
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
