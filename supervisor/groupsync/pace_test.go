package groupsync_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// roomy is a world whose logs have one segment each.
func roomy(t *testing.T, logs int, limit int64) *world {
	t.Helper()
	w := newWorld(t, 9, 0)
	w.syncer.Close()
	w.cfg.Limit = limit
	w.cfg.Store = journal.In(func(id string) string { return "sessions/" + id }, journal.Options{FS: w.disk, Share: true})
	w.start()
	for n := range logs {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		w.ids = append(w.ids, id)
		w.create(id)
		if err := w.write(id); err != nil {
			t.Fatal(err)
		}
	}
	w.pass(1)
	return w
}

func (w *world) writeAll() {
	w.t.Helper()
	for _, id := range w.ids {
		if err := w.write(id); err != nil {
			w.t.Fatal(err)
		}
	}
	w.pass(1)
}

// syncsOfLogs counts syncs of journals since the change n.
func (w *world) syncsOfLogs(n int) (syncs int) {
	for _, op := range w.disk.Ops(n) {
		if op.Kind == "sync" && strings.HasSuffix(op.Name, ".ndjson") {
			syncs++
		}
	}
	return syncs
}

// TestOlderGoesInTime: journals are synced at a pace that has the older file gone when the newer one is full, a few at a tick, and never all at once.
func TestOlderGoesInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const logs = 60
		w := roomy(t, logs, logs*300*12) // which a dozen ticks fill
		made, most := 0, 0
		for range 100 {
			before := w.disk.Count()
			w.writeAll()
			if n := tailsOf(w.disk); n < 1 || n > 2 {
				t.Fatalf("%d files of tails", n)
			}
			most = max(most, w.syncsOfLogs(before))
			for _, op := range w.disk.Ops(before) {
				if op.Kind == "create" {
					made++
				}
			}
		}
		if most > logs/4 || made < 5 {
			t.Errorf("%d syncs in a tick, %d files", most, made)
		}
		w.syncer.Close()
	})
}

// TestTailsGo: when nobody writes any more, a file is there for a minute and as long as its journals take, two a tick; then nothing ticks, and all is in the logs.
func TestTailsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := roomy(t, 20, 1<<20)
		w.writeAll()
		before := w.disk.Count()
		w.pass(595)
		if n := tailsOf(w.disk); n != 1 || w.syncsOfLogs(before) > 0 {
			t.Fatalf("%d files, %d syncs", n, w.syncsOfLogs(before))
		}
		w.pass(20)
		if n := tailsOf(w.disk); n != 0 || w.syncsOfLogs(before) != len(w.ids) {
			t.Fatalf("%d files, %d syncs", n, w.syncsOfLogs(before))
		}
		last := w.told[len(w.told)-1]
		if err := last.holds(w.disk.Crash(w.disk.Count(), nil), last); err != nil {
			t.Error(err)
		}
		w.syncer.Close()
	})
}

// TestFewAreSyncedApart: a file is made for five journals, and for four it is not; and an end in order takes it away.
func TestFewAreSyncedApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for logs, files := range map[int]int{4: 0, 5: 1} {
			w := roomy(t, logs, 0)
			w.syncer.Close()
			w.cfg.Apart = 0
			w.start()
			before := w.disk.Count()
			w.writeAll()
			if n, syncs := tailsOf(w.disk), w.syncsOfLogs(before); n != files || files == 0 && syncs != logs || files > 0 && syncs > 0 {
				t.Errorf("%d logs: %d files, %d syncs", logs, n, syncs)
			}
			for _, l := range w.logs {
				if err := l.w.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if w.syncer.Close(); tailsOf(w.disk) > 0 {
				t.Errorf("%d logs: %v", logs, w.disk.Files())
			}
		}
	})
}
