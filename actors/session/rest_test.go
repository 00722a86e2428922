package session

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// releasing counts how often a log's files were given back.
type releasing struct {
	store.Writer
	times *atomic.Int64
}

func (r releasing) Release() error {
	r.times.Add(1)
	return r.Writer.Release()
}

// TestQuietSessionClosesItsFiles a moment after its turn, not while it works, and readers that come then find the ring; what comes next is written as ever.
// Proves: I15.6/files
func TestQuietSessionClosesItsFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, times := newHouse(t, false), new(atomic.Int64)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"})
		if err := h.system.Root.StopFuture(h.pid).Wait(); err != nil {
			t.Fatal(err)
		}
		h.open(false, func(r Replay) (store.Writer, store.Recovery, error) {
			j, rec, err := journal.Open("s1", journal.Options{FS: h.disk}, r.Visit)
			return releasing{j, times}, rec, err
		}, func(store.Recovery) Input { return &Rejoin{Incarnation: 1, Adapter: h.adapter()} })
		r := h.join()
		closed := func(after time.Duration, want int64) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			if got := times.Load(); got != want {
				t.Fatalf("closed %d times after %s, want %d", got, after, want)
			}
		}
		h.say(adapters.TurnBegan{})
		h.say(text(1))
		closed(time.Minute, 0)
		h.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
		closed(restAfter-time.Millisecond, 0)
		closed(2*time.Millisecond, 1)
		if frames, _, ok := r.Ring.Frames(r.Ring.Head() - 1); !ok || len(frames) == 0 {
			t.Error("the ring is gone as well")
		}
		h.say(adapters.TurnBegan{})
		h.say(text(2))
		h.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
		ends := 0
		for _, e := range h.shown(r) {
			if e.Payload.Type() == protocol.TypeTurnEnd {
				ends++
			}
		}
		if ends != 2 {
			t.Errorf("the log has %d turns", ends)
		}
		closed(restAfter, 2)
		closed(time.Minute, 2)
	})
}
