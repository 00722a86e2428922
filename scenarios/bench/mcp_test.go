package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// caller is an MCP client of the revision that can be pushed to.
type caller struct {
	p  *process
	id string // of its MCP session
	n  int
}

// connect shakes hands.
func (p *process) connect() *caller {
	c := &caller{p: p}
	c.rpc("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "bench", "version": "1"},
	}, nil)
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}).Body.Close()
	return c
}

func (c *caller) request(method string, body any) *http.Request {
	c.p.t.Helper()
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			c.p.t.Fatal(err)
		}
		in = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(c.p.t.Context(), method, c.p.base+"/mcp", in)
	if err != nil {
		c.p.t.Fatal(err)
	}
	r.Header.Set("Authorization", c.p.auth)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	if c.id != "" {
		r.Header.Set("Mcp-Session-Id", c.id)
	}
	return r
}

func (c *caller) send(body any) *http.Response {
	c.p.t.Helper()
	res, err := plain.Do(c.request("POST", body))
	if err != nil {
		c.p.t.Fatal(err)
	}
	return res
}

// rpc asks, and reads the result.
func (c *caller) rpc(method string, params, to any) {
	c.p.t.Helper()
	c.n++
	res := c.send(map[string]any{"jsonrpc": "2.0", "id": c.n, "method": method, "params": params})
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		c.p.t.Fatal(err)
	}
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.id = id
	}
	for line := range bytes.Lines(text) { // one message, plain or in a frame
		line = bytes.TrimPrefix(line, []byte("data: "))
		var m struct {
			Result json.RawMessage
			Error  json.RawMessage
		}
		if json.Unmarshal(line, &m) != nil || m.Result == nil && m.Error == nil {
			continue
		}
		if m.Error != nil {
			c.p.t.Fatalf("%s: %s", method, m.Error)
		}
		if to != nil {
			if err := json.Unmarshal(m.Result, to); err != nil {
				c.p.t.Fatal(err)
			}
		}
		return
	}
	c.p.t.Fatalf("%s: %d %s", method, res.StatusCode, text)
}

// TestMCPPoll pages through a session's events.
func TestMCPPoll(t *testing.T) {
	needsProgram(t)
	const events = 100_000
	p := startDaemon(t, "")
	session := p.create()
	p.prompt(session, fmt.Sprintf("flood %d", events))
	p.idle(session)
	c := p.connect()
	m := medians(t, []string{"rate", "cpu"}, func() []float64 {
		since, got := -1, 0
		before, begin := p.cpu(), time.Now()
		for more := true; more; {
			var r struct {
				StructuredContent struct {
					Events    []struct{}
					LastIndex int  `json:"last_index"`
					HasMore   bool `json:"has_more"`
				}
			}
			c.rpc("tools/call", map[string]any{"name": "session_events", "arguments": map[string]any{
				"session_id": strings.TrimPrefix(session, "/sessions/"), "since_index": since, "max_events": 1000,
				"types": []string{"delta", "message", "status", "completion"},
			}}, &r)
			got += len(r.StructuredContent.Events)
			since, more = r.StructuredContent.LastIndex, r.StructuredContent.HasMore
		}
		if got < events {
			t.Fatalf("%d events of %d", got, events)
		}
		return []float64{float64(got) / time.Since(begin).Seconds(), (p.cpu() - before) * 1e6 / float64(got)}
	})
	atLeast(t, "MCP poll", m["rate"], 150_000, "events/s")
	aside(t, "MCP poll: CPU per event", m["cpu"], "µs")
}

// listen opens the client's stream and counts what is pushed, until it is told that the session is idle again.
func (c *caller) listen(count chan<- int) {
	res, err := plain.Do(c.request("GET", nil))
	if err != nil {
		c.p.t.Error(err)
		count <- 0
		return
	}
	go func() {
		defer res.Body.Close()
		buf, n, tail := make([]byte, 64<<10), 0, 0
		for {
			got, err := res.Body.Read(buf[tail:])
			have := buf[:tail+got]
			for {
				line, rest, whole := bytes.Cut(have, []byte("\n"))
				if !whole {
					break
				}
				have = rest
				if !bytes.Contains(line, []byte(`"notifications/message"`)) {
					continue
				}
				if n++; bytes.Contains(line, []byte(`"text":"idle"`)) {
					count <- n
					n = 0
				}
			}
			if err != nil {
				return
			}
			tail = copy(buf, have)
		}
	}()
}

// TestMCPPush is what a pushed notification costs beside the event itself.
func TestMCPPush(t *testing.T) {
	needsProgram(t)
	const clients, messages = 50, 600
	p := startDaemon(t, "")
	session := p.create()
	turn := func() float64 {
		before := p.cpu()
		p.prompt(session, fmt.Sprintf("say %d 2000", messages))
		p.idle(session)
		return p.cpu() - before
	}
	counts := make(chan int, clients)
	var alone []float64
	for range *repeats {
		alone = append(alone, turn())
	}
	for range clients {
		c := p.connect()
		c.rpc("logging/setLevel", map[string]string{"level": "info"}, nil)
		c.listen(counts)
		c.rpc("tools/call", map[string]any{"name": "session_watch", "arguments": map[string]any{"session_id": strings.TrimPrefix(session, "/sessions/")}}, nil)
	}
	var each []float64
	for range *repeats {
		used, sum := turn(), 0
		for range clients {
			sum += <-counts
		}
		each = append(each, (used-median(alone))*1e6/float64(sum))
	}
	atMost(t, "MCP push: CPU per notification", median(each), 10, "µs")
}
