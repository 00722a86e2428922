package cored

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	pulse   = 10 * time.Millisecond // between two words of a session
	pulsing = 40 * time.Second
)

// TestPulse measures how soon events are shown while the database is killed and started again every two seconds: the times between those of sessions that say a word in
// every ten milliseconds. It judges nothing: machines differ.
func TestPulse(t *testing.T) {
	if os.Getenv("RINGMASTER_OUTAGE") == "" {
		t.Skip("measures for minutes (task core:figures)")
	}
	w := begin(t)
	for range 4 {
		w.create()
	}
	ctx, cancel := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	var mu sync.Mutex
	var gaps []time.Duration
	for _, id := range w.ids {
		readers.Go(func() {
			resp, err := w.get(ctx, "/sessions/"+id+"/stream")
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			frames := protocol.NewSSEReader(resp.Body, 1<<20)
			var last time.Time
			for {
				frame, err := frames.Next()
				if err != nil {
					return
				}
				now := time.Now()
				if !strings.Contains(string(frame.Data[:min(len(frame.Data), 80)]), `"entry_delta"`) {
					last = time.Time{}
					continue
				}
				if !last.IsZero() {
					mu.Lock()
					gaps = append(gaps, now.Sub(last))
					mu.Unlock()
				}
				last = now
			}
		})
	}
	measure := func(what string, meanwhile func(until time.Time)) {
		mu.Lock()
		gaps = nil
		mu.Unlock()
		w.play(`[{"say":{"text":"` + strings.Repeat("word ", int(pulsing/pulse)) + `","every":"` + pulse.String() + `"}}]`)
		meanwhile(time.Now().Add(pulsing))
		w.rest()
		mu.Lock()
		defer mu.Unlock()
		slices.Sort(gaps)
		if len(gaps) < 1000 {
			t.Fatalf("%d events only", len(gaps))
		}
		ms := func(p float64) float64 { return float64(part(gaps, p).Microseconds()) / 1000 }
		t.Logf("%s: between two of %d events p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, at most %.2f ms", what, len(gaps), ms(0.5), ms(0.99), ms(0.999), ms(1))
	}
	calm := func(time.Time) {}
	measure("the first time", calm) // agents start
	for range 2 {
		measure("with the database", calm)
		crashes := 0
		measure("while it is killed", func(until time.Time) {
			each := time.NewTicker(time.Second) // away for one, there for one
			defer each.Stop()
			for ; time.Now().Before(until); crashes++ {
				if err := w.server.Crash(); err != nil {
					t.Fatal(err)
				}
				<-each.C
				if err := w.server.Restart(); err != nil {
					t.Fatal(err)
				}
				<-each.C
			}
		})
		w.catches("behind that")
		t.Logf("it was killed %d times", crashes)
	}
	cancel()
	readers.Wait()
	w.caughtUp()
}
