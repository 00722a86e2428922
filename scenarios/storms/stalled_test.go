package storms

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// stalledLog makes a log that no socket can hold, of events of ordinary sizes, all of which MCP pushes as well.
func stalledLog(d *daemon) (id string) {
	d.t.Helper()
	id = d.create()
	output := strings.Repeat("a line of output that a tool has written, again and again\n", 30)
	steps := strings.Repeat(fmt.Sprintf(`{"tool": {"name": "bash", "output": [%q]}},`, output), 8)
	const prompts = 60
	for range prompts {
		d.mustPrompt(id, "["+strings.TrimSuffix(steps, ",")+"]")
	}
	d.rests(id, prompts, time.Minute)
	return id
}

// stalled opens a reader that asks for everything and then reads nothing.
func (d *daemon) stalled(path string, header ...string) (*wire, error) {
	w := newWire(d)
	w.room = 4 << 10
	if err := w.dial(d.t.Context()); err != nil {
		return nil, err
	}
	return w, w.send(w.head(http.MethodGet, path, header...))
}

const revision = "2025-11-25"

// pushed begins an MCP session to which everything of a session's log is pushed.
func (d *daemon) pushed(id string) (mcp string, err error) {
	for i, call := range []struct {
		method string
		params any
	}{
		{"initialize", map[string]any{"protocolVersion": revision, "capabilities": struct{}{}, "clientInfo": map[string]string{"name": "stalled", "version": "1"}}},
		{"notifications/initialized", struct{}{}},
		{"logging/setLevel", map[string]string{"level": "debug"}},
		{"tools/call", map[string]any{"name": "session_watch", "arguments": map[string]any{"session_id": id, "since_index": -1}}},
	} {
		message := map[string]any{"jsonrpc": "2.0", "method": call.method, "params": call.params}
		if !strings.HasPrefix(call.method, "notifications/") {
			message["id"] = i
		}
		if mcp, err = d.rpc(mcp, message); err != nil {
			return mcp, fmt.Errorf("%s: %w", call.method, err)
		}
	}
	return mcp, nil
}

// rpc posts one message of MCP.
func (d *daemon) rpc(mcp string, message any) (string, error) {
	b, err := json.Marshal(message)
	if err != nil {
		return mcp, err
	}
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, "http://"+d.address+"/mcp", bytes.NewReader(b))
	if err != nil {
		return mcp, err
	}
	req.Header.Set("Authorization", "Bearer "+d.secret)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if mcp != "" {
		req.Header.Set("Mcp-Session-Id", mcp)
		req.Header.Set("Mcp-Protocol-Version", revision)
	}
	res, err := d.http.Do(req)
	if err != nil {
		return mcp, err
	}
	defer res.Body.Close()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(res.Body); err != nil {
		return mcp, err
	}
	if res.StatusCode >= http.StatusBadRequest || bytes.Contains(answer.Bytes(), []byte(`"isError":true`)) || bytes.Contains(answer.Bytes(), []byte(`"error":{`)) {
		return mcp, fmt.Errorf("%s: %s", res.Status, answer.Bytes())
	}
	if got := res.Header.Get("Mcp-Session-Id"); got != "" {
		mcp = got
	}
	return mcp, nil
}

// collected looks at the daemon when the collector has looked twice: once it may have begun before. A client of MCP makes it look, by
// reading a long log in pieces.
func (d *daemon) collected(mcp, long string) vitals {
	d.t.Helper()
	for first := d.mustVitals().looked; ; {
		v := d.mustVitals()
		if v.looked >= first+2 {
			return v
		}
		if _, err := d.rpc(mcp, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
			"name": "session_events", "arguments": map[string]any{"session_id": long, "max_events": 20},
		}}); err != nil {
			d.t.Fatal(err)
		}
	}
}

// forget ends an MCP session.
func (d *daemon) forget(mcp string) error {
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodDelete, "http://"+d.address+"/mcp", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+d.secret)
	req.Header.Set("Mcp-Session-Id", mcp)
	res, err := d.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("DELETE /mcp: %s", res.Status)
	}
	return nil
}

// stalledReaders: readers that stop reading cost little, hold up nobody and are gone soon (T14, P16).
func stalledReaders(t *testing.T, d *daemon) {
	id, other := stalledLog(d), d.create()
	healthy, control := newProber(t, d, id, uint64(len(d.lines(id)))), newProber(t, d, other, 0)
	reader, err := d.pushed(other)
	if err != nil {
		t.Fatal(err)
	}
	base := d.mustVitals()
	d.unpeak()

	began := time.Now()
	var wires []*wire
	open := func(path string, header ...string) {
		t.Helper()
		w, err := d.stalled(path, header...)
		if err != nil {
			t.Fatal(err)
		}
		wires = append(wires, w)
	}
	for i := range size.stalled {
		open("/sessions/" + id + []string{"/stream", "/log"}[i%2])
	}
	turns(t, size.probes, healthy, control) // the collector looks meanwhile
	over := d.mustVitals()
	alone := d.collected(reader, id)
	sessions := make([]string, size.stalled/10)
	for i := range sessions {
		mcp, err := d.pushed(id)
		if err != nil {
			t.Fatal(err)
		}
		sessions[i] = mcp
		open("/mcp", "Accept: text/event-stream", "Mcp-Session-Id: "+mcp, "Mcp-Protocol-Version: "+revision)
	}
	turns(t, size.probes, healthy, control)
	full := d.collected(reader, id)
	held, unsent := d.sockets()
	opened := time.Since(began)
	t.Logf("before %v\n%d readers: %v\n%d of MCP: %v\nafter %v %d connections, %d KiB unsent",
		base, size.stalled, over, len(sessions), full, opened, held, unsent>>10)

	var reaped atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // ends with the last stalled reader, or with the test
		_ = eventually(ctx, time.Minute, func() error {
			if open, _ := d.sockets(); open > slack {
				return errNever
			}
			return nil
		})
		reaped.Store(int64(time.Since(began) - opened))
	}()
	gone := func() bool { return reaped.Load() > 0 }
	var beside []time.Duration // of a session without such readers, at the same time
	var wg sync.WaitGroup
	wg.Go(func() { beside = turnsUntil(t, size.probes, gone, control) })
	during := turnsUntil(t, size.probes, gone, healthy)
	wg.Wait()
	peak := d.mustVitals().peak
	for _, mcp := range slices.Concat(sessions, []string{reader}) {
		if err := d.forget(mcp); err != nil {
			t.Error(err)
		}
	}

	n, pushed := float64(size.stalled), float64(len(sessions))
	note(t, figures.Figure{Name: "stalled readers", Value: n + pushed, Promise: "T14"}, true)
	if size.full { // a few readers vanish in what the probes leave to the collector
		atMost(t, figures.Figure{Name: "memory of a stalled reader", Value: float64(over.live-base.live) / n / 1024, Unit: "KiB", Promise: "T14"}, 64, 96)
		atMost(t, figures.Figure{Name: "memory of a stalled MCP client", Value: float64(full.live-alone.live) / pushed / 1024, Unit: "KiB", Promise: "T14"}, 64, 1200)
		limit := base.rss + 2*int64((n+pushed)*(64<<10)+pushed*(1<<20)) // what is stored for clients of MCP has at most 1 MiB each
		atMost(t, figures.Figure{Name: "RSS with stalled readers, of its bound", Value: float64(peak) / float64(limit), Unit: "×", Promise: "P19"}, 1, 1)
	}
	atMost(t, figures.Figure{Name: "unsent bytes of a stalled reader in the system", Value: float64(unsent) / float64(held) / 1024, Unit: "KiB", Promise: "T14"}, 64, 96)
	atMost(t, figures.Figure{Name: "stalled readers reaped after", Value: time.Duration(reaped.Load()).Seconds(), Unit: "s", Promise: "T14"}, 30, 30)
	ratio(t, "p50 of a session with stalled readers", "P16", during, beside, 0.5, 1.1, 1.5)
	ratio(t, "p99 of a session with stalled readers", "P16", during, beside, 0.99, 1.1, 2)
	for _, w := range wires {
		w.leave(true)
	}
	d.returns(base, 30*time.Second)
	healthy.close()
	control.close()
	d.delete(id, other)
}
