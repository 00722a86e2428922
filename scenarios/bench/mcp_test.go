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

	answer bytes.Buffer // the last one
}

// connect shakes hands.
func (p *process) connect() *caller {
	c := &caller{p: p}
	c.call("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "bench", "version": "1"},
	})
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

// call asks, and gives the answer as it came: one message, plain or in a frame.
func (c *caller) call(method string, params any) []byte {
	c.p.t.Helper()
	c.n++
	res := c.send(map[string]any{"jsonrpc": "2.0", "id": c.n, "method": method, "params": params})
	defer res.Body.Close()
	c.answer.Reset()
	if _, err := c.answer.ReadFrom(res.Body); err != nil {
		c.p.t.Fatal(err)
	}
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.id = id
	}
	text := c.answer.Bytes()
	if !bytes.Contains(text, []byte(`"result":`)) || bytes.Contains(text, []byte(`"isError":true`)) {
		c.p.t.Fatalf("%s: %d %s", method, res.StatusCode, text)
	}
	return text
}

// TestMCPPoll pages through a session's events. Its client looks for a few words in the answers: decoding them would cost more
// than they cost the daemon, on the same machine.
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
			text := c.call("tools/call", map[string]any{"name": "session_events", "arguments": map[string]any{
				"session_id": strings.TrimPrefix(session, "/sessions/"), "since_index": since, "max_events": 1000, "max_bytes": 1 << 20,
				"types": []string{"delta", "message", "status", "completion"},
			}})
			got += bytes.Count(text, []byte(`"index":`)) // those of the structured content: the text has them escaped
			more = bytes.Contains(text, []byte(`"has_more":true`))
			_, last, _ := bytes.Cut(text, []byte(`"last_index":`))
			if _, err := fmt.Fscan(bytes.NewReader(last[:min(len(last), 20)]), &since); err != nil {
				t.Fatal(err)
			}
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
		c.call("logging/setLevel", map[string]string{"level": "info"})
		c.listen(counts)
		c.call("tools/call", map[string]any{"name": "session_watch", "arguments": map[string]any{"session_id": strings.TrimPrefix(session, "/sessions/")}})
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
