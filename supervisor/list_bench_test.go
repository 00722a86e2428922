package supervisor_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// BenchmarkList has a page made of many sessions, and one session looked at while nobody and while four others have pages made without a pause. Each look
// asks the supervisor's actor.
func BenchmarkList(b *testing.B) {
	sizes := []int{1000, 10_000, 100_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, sessions := range sizes {
		dir := b.TempDir()
		root := filepath.Join(dir, "work")
		if err := os.MkdirAll(root, 0o700); err != nil {
			b.Fatal(err)
		}
		d := &daemon{root: root, cfg: config(dir, root)}
		s, err := supervisor.Start(b.Context(), d.cfg)
		if err != nil {
			b.Fatal(err)
		}
		sum, err := s.Create(b.Context(), supervisor.NewSession{Agent: "scripted"})
		if err = errors.Join(err, s.Close(b.Context())); err != nil {
			b.Fatal(err)
		}
		many(b, d, sum.ID, sessions)
		if s, err = supervisor.Start(b.Context(), d.cfg); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d/page", sessions), func(b *testing.B) {
			for b.Loop() {
				if p, err := s.List(b.Context(), supervisor.Query{}); err != nil || p.Total <= sessions {
					b.Fatalf("%d, %v", p.Total, err)
				}
			}
		})
		for _, pollers := range []int{0, 4} {
			b.Run(fmt.Sprintf("%d/look beside %d", sessions, pollers), func(b *testing.B) { look(b, s, sum.ID, pollers) })
		}
		if err := s.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// look measures looks at one session; p50 and p99 are told beside the mean.
func look(b *testing.B, s *supervisor.Supervisor, id string, pollers int) {
	ctx, cancel := context.WithCancel(b.Context())
	var wg sync.WaitGroup
	at := make(chan struct{}, pollers)
	for range pollers {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				if n == 1 {
					at <- struct{}{}
				}
				_, _ = s.List(ctx, supervisor.Query{})
			}
		})
	}
	for range pollers { // they are at it
		<-at
	}
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		if _, err := s.Look(b.Context(), id); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	cancel()
	wg.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-p99")
}
