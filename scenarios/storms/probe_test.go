package storms

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

// prober measures what a well-behaved client of a session sees: the time from a prompt to the end of its turn on the stream, by
// way of the agent's process and back.
type prober struct {
	d    *daemon
	id   string
	wire *wire
	ends chan error // one value per turn_end; closed with the stream
}

// newProber reads a session's stream from since on. It ends with the test.
func newProber(t *testing.T, d *daemon, id string, since uint64) *prober {
	t.Helper()
	p := &prober{d: d, id: id, wire: newWire(d), ends: make(chan error, 16)}
	if err := p.wire.get(t.Context(), fmt.Sprintf("/sessions/%s/stream?since=%d", id, since), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	if err := p.wire.conn.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	go p.follow() // ends with the connection
	t.Cleanup(p.close)
	return p
}

func (p *prober) close() {
	p.wire.leave(false)
	for range p.ends { // nobody waits for them
	}
}

func (p *prober) follow() {
	defer close(p.ends)
	for {
		_, line, err := p.wire.frame()
		if err != nil {
			return
		}
		if bytes.Contains(line, []byte(`"type":"turn_end"`)) {
			p.ends <- nil
		}
	}
}

const pong = `[{"say": {"text": "pong"}}]`

// turn takes one turn.
func (p *prober) turn(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	if err := p.d.prompt(ctx, p.id, pong); err != nil {
		return 0, err
	}
	select {
	case _, open := <-p.ends:
		if !open {
			return 0, errors.New("the stream ended")
		}
		return time.Since(began), nil
	case <-time.After(30 * time.Second):
		return 0, fmt.Errorf("session %s: no end of the turn", p.id)
	}
}

// turns takes n turns of the sessions, one session after the other in two lanes, and gives all times.
func turns(t *testing.T, n int, all ...*prober) []time.Duration {
	t.Helper()
	return turnsUntil(t, n, func() bool { return true }, all...)
}

// turnsUntil takes n turns, and more until it is enough.
func turnsUntil(t *testing.T, n int, enough func() bool, all ...*prober) (times []time.Duration) {
	t.Helper()
	const lanes = 2
	var mu sync.Mutex
	var wg sync.WaitGroup
	for lane := range min(lanes, len(all)) {
		wg.Go(func() {
			for i := lane; ; i += lanes {
				if i >= len(all) {
					i = lane
				}
				mu.Lock()
				done := len(times) >= n && enough()
				mu.Unlock()
				if done {
					return
				}
				took, err := all[i].turn(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				times = append(times, took)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return times
}
