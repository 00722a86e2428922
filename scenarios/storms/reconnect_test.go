package storms

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// visit is how long a client stays, before it connects again somewhere else.
const visit = 50 * time.Millisecond

// truth is what a log was first seen to hold, event by event, whoever saw it.
type truth struct {
	id   string
	seen [1 << 17]atomic.Uint64 // hash by seq; 0: nobody has seen it
	head atomic.Uint64
}

var hashing = maphash.MakeSeed()

// take compares an event with what others were shown; it says whether it is the same.
func (t *truth) take(seq uint64, line []byte) bool {
	if seq >= uint64(len(t.seen)) {
		return false
	}
	for head := t.head.Load(); seq > head && !t.head.CompareAndSwap(head, seq); head = t.head.Load() {
	}
	hash := max(maphash.Bytes(hashing, line), 1)
	return t.seen[seq].CompareAndSwap(0, hash) || t.seen[seq].Load() == hash
}

// tally is what all clients of the storm found.
type tally struct {
	reconnects, frames, lost, doubled, other atomic.Int64

	mu       sync.Mutex
	problems []string
}

func (c *tally) problem(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.problems) < 20 {
		c.problems = append(c.problems, fmt.Sprintf(format, args...))
	}
}

// wanderer is a client that reconnects for ever: with random cursors in random sessions, or, when it keeps its cursor, in one
// session from where it was cut off.
type wanderer struct {
	*wire
	tally  *tally
	logs   []*truth
	random *rand.Rand
	keeps  bool
	at     uint64 // where one that keeps is
}

func (w *wanderer) wander(ctx context.Context) {
	for ctx.Err() == nil {
		log := w.logs[0]
		if !w.keeps {
			log = w.logs[w.random.IntN(len(w.logs))]
			// As often 1 to 2 events back as 1,000 to 2,000: most clients were cut off just now, some long ago.
			head := log.head.Load()
			w.at = head - min(head, uint64(math.Exp(w.random.Float64()*math.Log(float64(head)+2)))-1)
		}
		stay := time.Duration((0.5 + w.random.Float64()) * float64(visit))
		if err := w.visit(ctx, log, func() time.Time { return time.Now().Add(stay) }); err != nil && ctx.Err() == nil {
			w.tally.problem("session %s since %d: %v", log.id, w.at, err)
		}
		w.leave(w.random.IntN(2) == 0)
	}
}

// visit connects and reads until the time is over. Each event must be the next one.
func (w *wanderer) visit(ctx context.Context, log *truth, until func() time.Time) error {
	ctx = context.WithoutCancel(ctx) // the last visits are made, too
	if err := w.get(ctx, fmt.Sprintf("/sessions/%s/stream?since=%d", log.id, w.at), 30*time.Second); err != nil {
		return err
	}
	w.tally.reconnects.Add(1)
	if err := w.conn.SetReadDeadline(until()); err != nil {
		return err
	}
	for {
		seq, line, err := w.frame()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return nil
		}
		if err != nil {
			return err
		}
		if bytes.HasPrefix(line, []byte(`{"type":"heartbeat"`)) {
			continue
		}
		w.check(log, seq, line)
		if log.head.Load() == seq && time.Now().After(until()) {
			return nil
		}
	}
}

// reconnects is the storm of reconnects (P18).
func reconnects(t *testing.T, d *daemon) {
	logs := make([]*truth, size.working)
	for i := range logs {
		logs[i] = &truth{id: d.create()}
	}
	base := d.mustVitals()
	d.unpeak()
	const turn = 2 * time.Second
	prompts := min(max(1, int(size.storm/turn)), 90) // as many as may wait
	for _, log := range logs {                       // each works all the time, prompt by prompt
		for range prompts {
			d.mustPrompt(log.id, fmt.Sprintf(`[{"think": {"text": "hm"}}, {"tool": {"name": "bash", "output": ["a\n", "b\n"]}},
				{"say": {"text": "%s", "chunk": 40, "over": %q}}]`, bytes.Repeat([]byte("some words of an answer "), 60), turn))
		}
	}
	var c tally
	clients := make([]*wanderer, size.clients)
	ctx, cancel := context.WithTimeout(t.Context(), size.storm)
	defer cancel()
	var wg sync.WaitGroup
	worked, began := d.cpu(), time.Now()
	for i := range clients {
		w := &wanderer{wire: newWire(d), tally: &c, logs: logs, random: rand.New(rand.NewPCG(uint64(i), 1))}
		if i%10 == 0 {
			w.keeps, w.logs = true, logs[i/10%len(logs):]
		}
		clients[i] = w
		wg.Go(func() { w.wander(ctx) })
	}
	wg.Wait()
	took, worked := time.Since(began), d.cpu()-worked
	storm := d.mustVitals()
	t.Logf("before: %v", base)
	t.Logf("after:  %v", storm)

	for _, log := range logs {
		d.rests(log.id, prompts, time.Minute)
		d.must(http.MethodPost, "/sessions/"+log.id+"/end", nil) // ends the streams once all is sent
	}
	for i, w := range clients {
		if w.keeps {
			if err := w.last(t.Context()); err != nil {
				c.problem("client %d: %v", i, err)
			}
		}
	}
	for _, log := range logs {
		lines := d.lines(log.id)
		if head := int(log.head.Load()); head != len(lines) {
			t.Errorf("session %s: clients were shown %d events of %d", log.id, head, len(lines))
		}
		for i, line := range lines {
			if !log.take(uint64(i+1), line) {
				c.other.Add(1)
				c.problem("session %s, event %d was shown in another form than the log has: %s", log.id, i+1, line)
			}
		}
	}
	for _, p := range c.problems {
		t.Error(p)
	}
	n := c.reconnects.Load()
	note(t, figures.Figure{Name: "reconnecting clients", Value: float64(size.clients), Promise: "P18"}, true)
	note(t, figures.Figure{Name: "reconnects", Value: float64(n), Promise: "P18"}, true)
	note(t, figures.Figure{Name: "frames checked", Value: float64(c.frames.Load()), Promise: "P18"}, true)
	count(t, "frames lost", "P18", int(c.lost.Load()))
	count(t, "frames doubled", "P18", int(c.doubled.Load()))
	count(t, "frames unlike the log", "P18", int(c.other.Load()))
	atMost(t, figures.Figure{Name: "daemon's CPU in the storm", Value: worked.Seconds() / took.Seconds(), Unit: "cores", Promise: "P18"}, 1, 1.5)
	note(t, figures.Figure{Name: "CPU of one reconnect", Value: float64(worked.Microseconds()) / float64(max(n, 1)), Unit: "µs", Promise: "P18"}, true)
	limit := base.rss + 2*(int64(len(logs))<<20+int64(size.clients)*(64<<10)) // the collector lets garbage grow as large as what is in use
	atMost(t, figures.Figure{Name: "RSS in the storm, of its bound", Value: float64(storm.peak) / float64(limit), Unit: "×", Promise: "P19"}, 1, 1)
	d.returns(base, 20*time.Second)
	for _, log := range logs {
		d.delete(log.id)
	}
}

// last lets a client that keeps its cursor read to the end of the log, without the rest of the storm.
func (w *wanderer) last(ctx context.Context) error {
	log := w.logs[0]
	lines := uint64(len(w.d.lines(log.id)))
	if w.at == lines {
		return nil
	}
	defer w.leave(false)
	if err := w.get(ctx, fmt.Sprintf("/sessions/%s/stream?since=%d", log.id, w.at), 30*time.Second); err != nil {
		return err
	}
	for w.at < lines {
		seq, line, err := w.frame()
		if err != nil {
			return fmt.Errorf("%d of %d events: %w", w.at, lines, err)
		}
		w.check(log, seq, line)
	}
	return nil
}

// check takes an event, which must be the next one and what others were shown.
func (w *wanderer) check(log *truth, seq uint64, line []byte) {
	w.tally.frames.Add(1)
	switch {
	case seq > w.at+1:
		w.tally.lost.Add(int64(seq - w.at - 1))
	case seq <= w.at:
		w.tally.doubled.Add(1)
	}
	if w.at = seq; !log.take(seq, line) {
		w.tally.other.Add(1)
		w.tally.problem("session %s, event %d was shown in another form: %s", log.id, seq, line)
	}
}
