package connection_test

import (
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/actors/pace"
)

// TestFloodIsHeld: an agent whose sessions share a connection is read slowly while it floods and another agent speaks.
func TestFloodIsHeld(t *testing.T) {
	start := time.Now()
	keeper := pace.New(func() time.Duration { return time.Since(start) })
	run(t, connection.Config{Pace: keeper}, func(b *bench) {
		start = time.Now() // of the bubble
		a, other := b.open("a", "one"), keeper.Speaker()
		done := flood(b.machine.started[0], "a", 3000)
		for len(done) == 0 {
			other.Said(1, 100)
			<-time.After(time.Millisecond) // of the bubble
		}
		// The first quarter MiB is no flood yet; 2 MiB of the rest are read in a second.
		if took := <-done; took < time.Second || took > 1600*time.Millisecond {
			b.Errorf("3 MB took %v, want about 1.3 s", took)
		}
		a.Stop(0)
	})
}
