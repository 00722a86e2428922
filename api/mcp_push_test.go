package api

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// dripping says n messages of a size, one each pause, in one turn.
func dripping(n, size int, pause time.Duration) behavior {
	return func(a *fakeAgent, m session.AdapterMessage) {
		switch m := m.(type) {
		case started:
			a.say(adapters.Ready{})
		case *session.Tell:
			p, ok := m.Command.(adapters.Prompt)
			if !ok {
				return
			}
			a.say(adapters.PromptAnswered{ID: p.ID}, adapters.TurnBegan{})
			go func() { // ends with the turn
				tick := time.NewTicker(pause)
				defer tick.Stop()
				for i := range n {
					<-tick.C
					a.say(a.message(fmt.Sprintf("%d %s", i, strings.Repeat("x", size)), 1)...)
				}
				a.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
			}()
		default:
			stopped(a, m)
		}
	}
}

// watch makes a client a watcher of a session.
func (c *mcpClient) watch(id string) {
	c.t.Helper()
	callTool[args](c, "session_watch", args{"session_id": id})
}

// mcpPost sends one message of an MCP session; empty: of one that begins with it.
func (h *harness) mcpPost(session, body string) *http.Response {
	h.t.Helper()
	header := []string{"Accept", "application/json, text/event-stream"}
	if session != "" {
		header = append(header, "Mcp-Session-Id", session)
	}
	res, err := h.http.Do(h.request("POST", "/mcp", body, header...))
	if err != nil {
		h.t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if res.StatusCode >= 300 {
		h.t.Fatalf("%s: %s", body, res.Status)
	}
	return res
}

// mcpSession begins an MCP session of the old era that can be pushed to, without its stream.
func (h *harness) mcpSession() (session string) {
	h.t.Helper()
	session = h.mcpPost("", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`).Header.Get("Mcp-Session-Id")
	h.mcpPost(session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	h.mcpPost(session, `{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}`)
	return session
}

// mcpWatch has a session pushed to an MCP session.
func (h *harness) mcpWatch(session, id string) {
	h.t.Helper()
	h.mcpPost(session, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"session_watch","arguments":{"session_id":"`+id+`"}}}`)
}

// mcpPushes opens the stream of an MCP session and counts the pushes up to the last one of a session.
func (h *harness) mcpPushes(session, id string) (seen, want int) {
	h.t.Helper()
	_, pushed := h.expected(id)
	list, _ := h.mcpPushed(session, id, "")
	return len(list), len(pushed)
}

// mcpPushed opens the stream of an MCP session behind what it has had, and closes it behind the last push of a session.
func (h *harness) mcpPushed(session, id, had string) (list []string, last string) {
	h.t.Helper()
	_, pushed := h.expected(id)
	return h.mcpUntil(session, fmt.Sprintf(`"seq":%d,`, pushed[len(pushed)-1].Seq), had)
}

// mcpUntil opens the stream of an MCP session behind what it has had, and closes it behind a push that has a text.
func (h *harness) mcpUntil(session, end, had string) (list []string, last string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute) // a push that is missing would be waited for until testing's own end
	defer cancel()
	r := h.request("GET", "/mcp", "", "Accept", "text/event-stream", "Mcp-Session-Id", session, "Last-Event-ID", had)
	res, err := h.http.Do(r.WithContext(ctx))
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	for frames := protocol.NewSSEReader(res.Body, 0); ; {
		frame, err := frames.Next()
		if err != nil {
			h.t.Fatal(err)
		}
		if text := string(frame.Data); strings.Contains(text, `"notifications/message"`) {
			if list = append(list, text); strings.Contains(text, end) {
				return list, frame.ID
			}
		}
	}
}

// stuckWatcher is a client of the old era that watches a session and reads nothing of its stream, over a connection that
// holds little.
func (h *harness) stuckWatcher(id string) *stuckClient {
	h.t.Helper()
	session := h.mcpSession()
	l := &narrowListener{Listener: listenLocal(h.t)}
	server := NewServer(h.api)
	go func() { _ = server.http.Serve(l) }() // ends with the listener
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		_ = conn.Close()
		_ = server.http.Close()
	})
	_ = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	var req bytes.Buffer
	fmt.Fprintf(&req, "GET /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n", l.Addr(), testToken, session)
	if _, err := conn.Write(req.Bytes()); err != nil {
		h.t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	if err != nil || res.StatusCode != http.StatusOK {
		h.t.Fatalf("%v, %+v", err, res)
	}
	h.mcpWatch(session, id)
	return &stuckClient{session: session, conn: conn}
}

type stuckClient struct {
	session string
	conn    net.Conn
}

// narrowListener gives connections that hold little of what is not read.
type narrowListener struct{ net.Listener }

func (l *narrowListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetWriteBuffer(4 << 10)
	}
	return c, err
}

func listenLocal(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestMCPStuckWatcherIsLetGo: its connection is cut at the write's deadline, and the session goes on for it when it is back.
func TestMCPStuckWatcherIsLetGo(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.WriteTimeout = 200 * time.Millisecond })
	h.tree.agents["drip"] = dripping(100, 4096, time.Millisecond)
	id := h.create("drip")
	stuck := h.stuckWatcher(id)
	c := h.connect(oldEra)
	c.say(id, "", "go")
	c.settled(id, -1)
	all, err := io.ReadAll(stuck.conn) // to the end: the daemon has closed it
	if len(all) > 256<<10 {
		t.Errorf("%d bytes, %v", len(all), err)
	}
	if seen, _ := h.mcpPushes(stuck.session, id); seen < 100 {
		t.Errorf("only %d pushes were kept", seen)
	}
}

// TestMCPPushesWaitForTheStream: what a client watches before it listens is not kept in memory, which is bounded, but read when it does.
// Proves: 004.risks/stream
func TestMCPPushesWaitForTheStream(t *testing.T) {
	h := newHarness(t)
	h.tree.agents["drip"] = dripping(180, 32<<10, time.Microsecond) // more than is kept
	id := h.create("drip")
	late := h.mcpSession()
	h.mcpWatch(late, id)
	c := h.connect(oldEra)
	c.say(id, "", "go")
	c.settled(id, -1)
	if seen, want := h.mcpPushes(late, id); seen != want {
		t.Errorf("%d pushes of %d", seen, want)
	}
}

// TestMCPAwayLeavesTheSession: a client that does not listen is no reader of what it watches, and gets what it missed when it listens again.
func TestMCPAwayLeavesTheSession(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	c := h.mcpSession()
	h.mcpWatch(c, id)
	h.turn(id, "one")
	first, had := h.mcpPushed(c, id, "")
	h.awaitReaders(id, "mcp push", 0)
	h.turn(id, "two")
	h.awaitReaders(id, "mcp push", 0)
	second, _ := h.mcpPushed(c, id, had)
	if len(first) < 3 || len(second) != len(first) {
		t.Errorf("%d pushes of the first turn, %d of the second", len(first), len(second))
	}
}

// TestMCPPushesTellWhatIsMissing: a log that has lost events that were pushed is pushed anew, behind a reset.
func TestMCPPushesTellWhatIsMissing(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	c := h.mcpSession()
	h.mcpWatch(c, id)
	h.turn(id, "one")
	log, before := h.log(id, ""), seqOf(h, id)
	h.turn(id, "two")
	_, had := h.mcpPushed(c, id, "")
	h.awaitReaders(id, "", 0) // who reads would have its actor run again, on what is about to go
	h.tree.rewrite(id, store.Batch{First: 1, Count: int(before), Lines: log, Time: 1})
	list, _ := h.mcpPushed(c, id, had)
	want := fmt.Sprintf(`{"type":"reset","session_id":%q,"epoch":1,"oldest":1,"newest":%d}`, id, before)
	if _, pushed := h.expected(id); !strings.Contains(list[0], want) || len(list)-1 != len(pushed) {
		t.Errorf("%d pushes of %d, behind\n%s", len(list)-1, len(pushed), list[0])
	}
}
