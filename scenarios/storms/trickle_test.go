package storms

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// trickle is a connection that says as little as it can.
type trickle struct {
	name  string
	begin func(w *wire) []byte // at once
	drop  byte                 // then this, again and again; 0: nothing more
	until time.Duration        // at the latest it must be closed then
}

// Times that the daemon gives a client, and some for a busy machine.
const (
	headerTime = 5 * time.Second
	bodyTime   = 30 * time.Second
	grace      = 10 * time.Second
)

var trickles = []trickle{
	{"says nothing", func(*wire) []byte { return nil }, 0, headerTime},
	{"half a line", func(*wire) []byte { return []byte("GET /hea") }, 0, headerTime},
	{"a header byte by byte", func(w *wire) []byte {
		h := w.head(http.MethodGet, "/sessions")
		return append(h[:len(h)-2], "X-Long: "...)
	}, 'x', headerTime},
	{"no token, a body byte by byte", func(w *wire) []byte {
		return fmt.Appendf(nil, "POST /sessions HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", w.d.address)
	}, ' ', headerTime},
	{"no token, pieces without end", func(w *wire) []byte {
		return fmt.Appendf(nil, "POST /sessions HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", w.d.address)
	}, 0, headerTime},
	{"a body byte by byte", func(w *wire) []byte {
		return append(w.head(http.MethodPost, "/sessions", "Content-Type: application/json", "Content-Length: 10000"), '{')
	}, ' ', bodyTime},
	{"a body of MCP byte by byte", func(w *wire) []byte {
		return append(w.head(http.MethodPost, "/mcp", "Content-Type: application/json", "Content-Length: 10000", "Accept: application/json, text/event-stream"), '{')
	}, ' ', bodyTime},
	{"a body that nobody takes", func(w *wire) []byte {
		return append(w.head(http.MethodGet, "/health", "Content-Length: 1000"), '{')
	}, ' ', headerTime},
}

// trickling: connections that hardly say anything are let go in time, and others are served meanwhile (T14).
func trickling(t *testing.T, d *daemon) {
	kinds := trickles
	if !size.full { // the time of a body is longer than a brief test
		kinds = nil
		for _, k := range trickles {
			if k.until == headerTime {
				kinds = append(kinds, k)
			}
		}
	}
	id := d.create()
	healthy := newProber(t, d, id, 0)
	before := turns(t, size.probes, healthy)
	base := d.mustVitals()

	var open atomic.Int64
	var longest atomic.Int64 // overdue
	var wg sync.WaitGroup
	began := time.Now()
	for i := range size.trickles {
		k := kinds[i%len(kinds)]
		w := newWire(d)
		if err := w.dial(t.Context()); err != nil {
			t.Fatal(err)
		}
		at := time.Now()
		open.Add(1)
		wg.Go(func() {
			defer open.Add(-1)
			defer w.leave(false)
			if err := w.trickle(k); err != nil {
				t.Errorf("%s: %v", k.name, err)
			}
			for over := int64(time.Since(at) - k.until); ; {
				if was := longest.Load(); over <= was || longest.CompareAndSwap(was, over) {
					return
				}
			}
		})
	}
	t.Logf("%d connections in %v", size.trickles, time.Since(began))
	during := turnsUntil(t, size.probes, func() bool { return open.Load() == 0 }, healthy)
	wg.Wait()
	after := turns(t, size.probes, healthy)

	note(t, figures.Figure{Name: "trickling connections", Value: float64(size.trickles), Promise: "T14"}, true)
	atMost(t, figures.Figure{Name: "trickling connections reaped late by", Value: time.Duration(longest.Load()).Seconds(), Unit: "s", Promise: "T14"}, 3, grace.Seconds())
	ratio(t, "p50 beside trickling connections", "T14", during, append(before, after...), 0.5, 1.5, 5)
	limits(t, d)
	d.returns(base, 20*time.Second)
	healthy.close()
	d.delete(id)
}

// trickle goes on until the daemon has had enough.
func (w *wire) trickle(k trickle) error {
	if err := w.send(k.begin(w)); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(w.d.t.Context())
	defer cancel()
	if k.drop != 0 {
		drops := time.NewTicker(200 * time.Millisecond)
		defer drops.Stop()
		conn := w.conn
		go func() { // ends with the connection
			for {
				select {
				case <-drops.C:
				case <-ctx.Done():
					return
				}
				if _, err := conn.Write([]byte{k.drop}); err != nil {
					return
				}
			}
		}()
	}
	return w.closed(k.until + grace)
}

// limits: what is too large is refused with a typed answer, before it is read.
func limits(t *testing.T, d *daemon) {
	w := newWire(d)
	for name, c := range map[string]struct {
		request []byte
		status  int
	}{
		"header":       {w.head(http.MethodGet, "/sessions", "X-Long: "+strings.Repeat("x", 64<<10)), http.StatusRequestHeaderFieldsTooLarge},
		"many headers": {w.head(http.MethodGet, "/sessions", strings.TrimSuffix(strings.Repeat("X-Many: y\r\n", 8<<10), "\r\n")), http.StatusRequestHeaderFieldsTooLarge},
		"length":       {w.head(http.MethodPost, "/sessions", "Content-Type: application/json", "Content-Length: 100000000000"), http.StatusRequestEntityTooLarge},
		"coding":       {w.head(http.MethodPost, "/sessions", "Content-Type: application/json", "Content-Encoding: gzip", "Content-Length: 100"), http.StatusUnsupportedMediaType},
	} {
		if err := w.dial(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := w.send(c.request); err != nil {
			t.Logf("%s: %v", name, err) // the answer may come first
		}
		res, err := w.answer(10 * time.Second)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else {
			if res.StatusCode != c.status {
				text, _ := io.ReadAll(w.body)
				t.Errorf("%s: %s, want %d: %s", name, res.Status, c.status, text)
			}
			_ = res.Body.Close()
		}
		w.leave(true)
	}
}
