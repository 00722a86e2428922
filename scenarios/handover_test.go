package scenarios

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestHandover lets readers join the built program's stream while thousands of events are appended: each reader sees each
// event once, in order, byte for byte as the log has it, wherever it joined and with whatever cursor.
// Proves: 002.6.4, T02, I2/join
func TestHandover(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	const events, readers = 6000, 50
	p := newBuilt(t, t.TempDir())
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	id := createSession(ctx, t, p)

	// The lead reader is there from the start; its progress says when the next one joins.
	lead := &record{}
	reached := make(chan struct{}, readers)
	next := uint64(events / readers)
	lead.on = func(seq uint64) {
		for ; seq >= next && len(reached) < cap(reached); next += events / readers {
			reached <- struct{}{}
		}
	}
	var wg sync.WaitGroup
	follow := func(r *record, since string) {
		wg.Go(func() {
			if err := r.follow(ctx, p, id, since); err != nil {
				t.Errorf("reader since %q: %v", since, err)
			}
		})
	}
	follow(lead, "")
	var steps []string
	for range 60 { // bursts with breaths between, so that joins fall into and between them
		steps = append(steps, fmt.Sprintf(`{"flood": {"lines": %d, "size": 24}}`, events/60), `{"wait": {"for": "4ms"}}`)
	}
	prompt(ctx, t, p, id, "["+strings.Join(steps, ",")+"]", "")
	joined := make([]*record, 0, readers)
	for i := range readers {
		select {
		case <-reached:
		case <-ctx.Done():
			t.Fatalf("only %d readers joined", i)
		}
		since := uint64(i) * events / readers * uint64(i%3) / 2 // from the start, from half way, from where the log is
		r := &record{from: since}
		joined = append(joined, r)
		follow(r, protocol.Cursor{Epoch: 1, Seq: since}.String())
	}
	await(ctx, t, p, id, func(s *protocol.SessionState) bool {
		return len(s.Turns) == 1 && s.Turns[0].Status != "" && stateOf(s) == protocol.StateIdle
	})
	post(ctx, t, p, "/sessions/"+id+"/end", "", nil) // ends the streams, once all is sent
	wg.Wait()

	lines := logLines(ctx, t, p, id)
	if len(lines) < events {
		t.Fatalf("the log has %d events", len(lines))
	}
	for i, r := range append(joined, lead) {
		if want := lines[r.from:]; !equalLines(r.lines, want) {
			t.Errorf("reader %d since %d: %d events, want %d; first difference at %d", i, r.from, len(r.lines), len(want), differ(r.lines, want))
		}
	}
	if err := p.drain(); err != nil {
		t.Error(err)
	}
	for _, problem := range p.problems(false) {
		t.Error(problem)
	}
	t.Logf("%d events, %d readers", len(lines), len(joined)+1)
}

// record is what one reader was shown, in order.
type record struct {
	from  uint64
	lines [][]byte
	on    func(seq uint64) // called for each event
}

// follow reads a stream to its end.
func (r *record) follow(ctx context.Context, d daemon, id, since string) error {
	res, err := openStream(ctx, d, id, since, "")
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	frames := protocol.NewSSEReader(res.Body, 0)
	for {
		f, err := frames.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		m, err := protocol.DecodeMessage(f.Data)
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *protocol.Event:
			r.lines = append(r.lines, bytes.Clone(f.Data))
			if r.on != nil {
				r.on(m.Seq)
			}
		case *protocol.Reset:
			return fmt.Errorf("reset to epoch %d", m.Epoch)
		case *protocol.Heartbeat:
		}
	}
}

func equalLines(a, b [][]byte) bool { return len(a) == len(b) && differ(a, b) == len(a) }

// differ is the index of the first difference.
func differ(a, b [][]byte) int {
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return i
		}
	}
	return min(len(a), len(b))
}
