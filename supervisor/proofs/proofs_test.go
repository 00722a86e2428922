package proofs_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/supervisor/proofs"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
)

// folders are those of sessions, some of which are not as their copies tell.
type folders struct {
	mu       sync.Mutex
	asked    []string
	most     int // at once
	busy     int
	true     []string
	other    []string
	done     int
	shut     chan struct{} // folders answer when it is closed
	notTrue  func(id string) bool
	together int // answers in one call
}

func (f *folders) prover(n int) *proofs.Prover {
	ids, copies := make([]string, n), make([]record.Copy, n)
	for i := range n {
		ids[i] = fmt.Sprintf("s%05d", i)
		if i%10 != 9 {
			copies[i].Record = new(record.Record)
		}
	}
	return proofs.New(proofs.Config{
		Holds: func(id string, _ *record.Proof) bool {
			f.mu.Lock()
			f.asked = append(f.asked, id)
			f.busy++
			f.most = max(f.most, f.busy)
			f.mu.Unlock()
			<-f.shut
			f.mu.Lock()
			defer f.mu.Unlock()
			f.busy--
			return f.notTrue == nil || !f.notTrue(id)
		},
		True: func(ids []string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.true = append(f.true, ids...)
			f.together = max(f.together, len(ids))
		},
		Other: func(id string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.other = append(f.other, id)
		},
		Done: func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.done++
		},
	}, ids, copies)
}

func once(t *testing.T, what string, ids []string, want int) {
	t.Helper()
	slices.Sort(ids)
	if n := len(slices.Compact(slices.Clone(ids))); n != want || len(ids) != want {
		t.Errorf("%s: %d, of %d sessions; want %d", what, len(ids), n, want)
	}
}

// TestEachFolderIsAskedOnce, at most 32 at a time, also where some are asked before their turn.
func TestEachFolderIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &folders{shut: make(chan struct{}), notTrue: func(id string) bool { return id[5] == '3' }}
		p := f.prover(1000)
		p.Now("s00007")
		p.Run()
		synctest.Wait()
		if f.most != 1+record.Abreast {
			t.Errorf("%d at once", f.most)
		}
		for _, id := range []string{"s00500", "s00500", "s00000", "s00009", "none"} {
			p.Now(id)
		}
		synctest.Wait()
		if f.most != 2+record.Abreast || !slices.Contains(f.asked, "s00500") {
			t.Errorf("%d at once", f.most)
		}
		close(f.shut)
		synctest.Wait()
		once(t, "asked", f.asked, 900)
		once(t, "true", f.true, 800)
		once(t, "other", f.other, 100)
		if f.done != 1 || f.together < 2 {
			t.Errorf("done %d times, %d answers together", f.done, f.together)
		}
		p.Now("s00001")
		p.Forget("s00001")
		p.Stop()
		p.Wait()
		once(t, "asked", f.asked, 900)
		f.asked = nil
		again := f.prover(1000)
		again.Now("s00007") // which may be answered as the others begin
		again.Run()
		synctest.Wait()
		once(t, "asked", f.asked, 900)
	})
}

// TestFolderThatGoesIsNotAsked, and does not go while it is asked.
func TestFolderThatGoesIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &folders{shut: make(chan struct{})}
		p := f.prover(3)
		p.Forget("s00001")
		p.Now("s00000")
		synctest.Wait()
		forgotten := make(chan struct{})
		go func() { // ends with Forget
			p.Forget("s00000")
			close(forgotten)
		}()
		synctest.Wait()
		select {
		case <-forgotten:
			t.Error("it goes while it is asked")
		default:
		}
		close(f.shut)
		<-forgotten
		p.Forget("s00002")
		p.Run()
		p.Stop()
		p.Wait()
		once(t, "asked", f.asked, 1)
		if f.done != 1 {
			t.Errorf("done %d times", f.done)
		}
	})
}

// TestStopEndsAsking after what is under way.
func TestStopEndsAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &folders{shut: make(chan struct{})}
		p := f.prover(1000)
		p.Run()
		synctest.Wait()
		p.Stop()
		p.Now("s00900")
		close(f.shut)
		p.Wait()
		once(t, "asked", f.asked, record.Abreast)
		once(t, "true", f.true, record.Abreast)
		if f.done != 0 {
			t.Error("all were asked")
		}
	})
}
