package groupsync_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
)

// busy is a journal that is to be synced again as soon as it was, until it has been so often.
type busy struct {
	store.Writer
	left   *atomic.Int64 // of all that are busy
	syncer *groupsync.Syncer
	id     string
}

func (b *busy) Tail() (store.Tail, bool) { return store.Tail{}, false }
func (b *busy) Place() store.Place       { return store.Place{Segment: 1} }
func (b *busy) Settled() uint64          { return 0 }

func (b *busy) Sync() error {
	if b.left.Add(-1) > 0 {
		b.syncer.Want(b.id, groupsync.Work{Journal: b})
	}
	return nil
}

// idle is a journal whose lines are kept; what was to come still when it is synced is in at.
type idle struct {
	busy
	at int64
}

func (i *idle) Tail() (store.Tail, bool) {
	return store.Tail{Segment: 1, At: 8, Before: []byte("before\n\n"), Lines: []byte("lines\n")}, true
}

func (i *idle) Sync() error {
	i.at = i.left.Load()
	return nil
}

// TestLateHaveTheirTurn: journals whose lines are kept are synced also while others wait all the time, since else their file never goes, and everything is synced apart.
func TestLateHaveTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const all = 1000
		w := newWorld(t, 1, 0)
		w.syncer.Close()
		w.cfg.Limit = 1 // each file is full with its first tick
		w.start()
		var left atomic.Int64
		left.Store(all)
		for n := range 8 {
			b := &busy{left: &left, syncer: w.syncer, id: string(rune('a' + n))}
			w.syncer.Note(b.id, groupsync.Work{Journal: b})
		}
		quiet := &idle{busy: busy{left: &left}, at: -1}
		w.syncer.Note("quiet", groupsync.Work{Journal: quiet})
		time.Sleep(tick + time.Millisecond)
		synctest.Wait()
		w.syncer.Close()
		if quiet.at < all/8 { // a worker that has taken a journal may count it late
			t.Errorf("%d of %d were to come when the journal was synced whose lines were kept", quiet.at, all)
		}
	})
}
