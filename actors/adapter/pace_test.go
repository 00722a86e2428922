package adapter_test

import (
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/pace"
)

// TestFloodIsHeld: an agent that floods is read slowly while another one speaks, and as fast as its session takes it while none does.
func TestFloodIsHeld(t *testing.T) {
	for _, alone := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			keeper := pace.New(func() time.Duration { return time.Since(start) })
			b, other := newPacedBench(t, keeper.Speaker()), keeper.Speaker()
			defer b.close()
			go io.Copy(io.Discard, b.conn.hear)
			b.attach(0)
			const lines = 5000
			took := make(chan time.Duration, 1)
			go func() {
				for range lines {
					if _, err := fmt.Fprintln(b.conn.say, "flood"); err != nil {
						return
					}
				}
				took <- time.Since(start)
			}()
			for len(took) == 0 {
				if !alone {
					other.Said(1, 100)
				}
				if _, last, _ := b.take(); last > 0 {
					b.confirm(last)
				}
				time.Sleep(time.Millisecond) // virtual
			}
			// The first 500 lines are no flood yet; 5,000 of the others are read in a second.
			long := <-took
			if alone && long > 20*time.Millisecond {
				t.Errorf("alone: %d lines took %v", lines, long)
			}
			if !alone && (long < 750*time.Millisecond || long > 1100*time.Millisecond) {
				t.Errorf("beside another: %d lines took %v, want about 900 ms", lines, long)
			}
		})
	}
}
