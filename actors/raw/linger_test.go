package raw

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// TestFewLinesWaitForMore: an agent that says a word at a time costs one write for many lines, and nothing that is due waits: neither what has waited
// for long, nor much, nor the end of a connection, nor what somebody wants to read, nor what is there at Close.
func TestFewLinesWaitForMore(t *testing.T) {
	const linger = 250 * time.Millisecond
	for _, row := range []struct {
		name  string
		due   func(t *testing.T, a *Archive, r *Recorder)
		lines int
	}{
		{"long ago", func(*testing.T, *Archive, *Recorder) { time.Sleep(linger) }, 6},
		{"much", func(_ *testing.T, _ *Archive, r *Recorder) {
			r.Out([]byte(strings.Repeat("x", fewQueued)))
			r.Batch(6)
		}, 7},
		{"end", func(_ *testing.T, _ *Archive, r *Recorder) { r.End(6, End{Status: "exit 0"}) }, 7},
		{"wanted", func(t *testing.T, a *Archive, _ *Recorder) {
			begun := time.Now()
			if err := a.Flush(t.Context()); err != nil || time.Since(begun) != 0 {
				t.Errorf("after %s: %v", time.Since(begun), err)
			}
		}, 6},
		{"close", func(_ *testing.T, a *Archive, _ *Recorder) { a.Close() }, 6},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := disktest.New()
				a := inOrder(folder, Options{FS: disk, Linger: linger})
				writes := func() (n int) {
					for _, op := range disk.Ops(0) {
						if op.Kind == "write" {
							n++
						}
					}
					return n
				}
				r := a.Record(1, Beginning{})
				synctest.Wait()
				if n := writes(); n != 1 {
					t.Fatalf("%d writes of the beginning", n)
				}
				for batch := range 5 {
					time.Sleep(linger / 6)
					r.Out([]byte(`{"text":"a word"}`))
					r.Batch(uint64(batch + 1))
				}
				synctest.Wait()
				if n := writes(); n != 1 {
					t.Fatalf("%d writes before anything was due", n)
				}
				row.due(t, a, r)
				synctest.Wait()
				if n, all := writes(), readAll(t, disk); n != 2 || len(all) != row.lines {
					t.Errorf("%d writes of %d lines, want 2 of %d", n, len(all), row.lines)
				}
				a.Close()
				time.Sleep(2 * linger)
				synctest.Wait()
				if n := writes(); n != 2 {
					t.Errorf("%d writes in the end", n)
				}
			})
		})
	}
}
