package cored

import (
	"context"
	"testing"
	"time"
)

// TestDiesOnTheWay: a daemon that dies before and behind an append, and before it has noted that Core is to remove a session. Nothing is sent twice, nothing is
// missing, and a session that is half deleted is there or gone, in both places.
//
// Proves: I16.4/real
func TestDiesOnTheWay(t *testing.T) {
	w := begin(t)
	w.create()
	w.create()
	w.work()
	w.caughtUp()
	for _, point := range []string{"shipper/beforeAppend#3", "shipper/afterAppend#2", "shipper/afterAppend#1"} {
		w.daemon.Kill()
		if w.tryToStart("RINGMASTER_FAILPOINT="+point+"@0s") == nil { // else it has died of what the one before had left
			w.worksUntilItDies(point)
		}
		w.start()
		w.work()
		w.caughtUp()
	}
	gone := w.ids[0]
	w.daemon.Kill()
	w.start("RINGMASTER_FAILPOINT=outbox/beforeRemoving#1@0s")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_ = w.client.Session(gone).Remove(ctx) // it dies meanwhile
	w.dies("outbox/beforeRemoving")
	w.start()
	if err := w.client.Session(gone).Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.ids = w.ids[1:]
	w.work()
	w.caughtUp()
	if _, known := w.inCore(gone); known {
		t.Error("Core has a session that was deleted")
	}
}

// tryToWork is work for a daemon that may die of it.
func (w *world) tryToWork() {
	ctx, cancel := context.WithTimeout(w.t.Context(), 2*time.Second) // the client asks again and again where nobody answers
	defer cancel()
	for _, id := range w.ids {
		_ = w.tryToPlay(ctx, id, `[{"flood":{"lines":400,"size":60}},{"say":{"text":"Done."}}]`)
	}
}

// worksUntilItDies has a daemon work on: one that is slow sends much at once, and comes to an append late.
func (w *world) worksUntilItDies(point string) {
	w.t.Helper()
	for begun := time.Now(); ; {
		w.tryToWork()
		select {
		case <-w.daemon.Ended():
			return
		case <-time.After(50 * time.Millisecond): // and work some more
		}
		if time.Since(begun) > patience {
			w.t.Fatalf("it did not die at %s", point)
		}
	}
}

func (w *world) dies(point string) {
	w.t.Helper()
	select {
	case <-w.daemon.Ended():
	case <-time.After(patience):
		w.t.Fatalf("it did not die at %s", point)
	}
}
