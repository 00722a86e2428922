package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// promise is what had been promised when so many changes were made.
type promise struct {
	ops               int
	oldest            uint64 // that retention has left
	synced, published uint64
}

// history runs a session for so many changes of the disk, with everything that happens to one: batches, files that are put away, a daemon
// that is started anew, retention, epochs. It notes the promises.
func history(t *testing.T, s *session, changes int) []promise {
	s.t, s.d = t, disktest.New()
	s.opt.FS = s.d
	r := seeded(77)
	s.run(0, r)
	oldest := uint64(1)
	list := []promise{{ops: s.d.Count(), oldest: oldest}}
	note := func() { list = append(list, promise{s.d.Count(), oldest, s.synced, s.published}) }
	for n := 1; s.d.Count() < changes; n++ {
		s.append(s.k.next(r))
		note()
		var err error
		switch {
		case n%37 == 0:
			oldest = max(oldest, s.k.newest()-min(s.k.newest(), 40))
			note() // before it is done: what goes may be gone from now on
			err = s.j.DropBefore(oldest)
		case n%41 == 0:
			err = s.j.Release()
		case n%83 == 0:
			err = s.j.NewEpoch(s.j.Log().Epoch() + 1)
			s.synced = s.published
			note()
		case n%127 == 0:
			if err = s.j.Close(); err == nil {
				s.synced = s.published
				note()
				s.j, _, err = journal.Open(dir, s.opt, nil)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// at is the promise that holds after n changes; list begins with the one of before, and loses those that are over.
func at(list *[]promise, n int) promise {
	for len(*list) > 1 && (*list)[1].ops <= n {
		*list = (*list)[1:]
	}
	return (*list)[0]
}

// broken says how what was opened is not the log, from what retention has left to its newest event.
func (p promise) broken(t *testing.T, k *book, o opened) error {
	t.Helper()
	if o.rec.Oldest > max(p.oldest, 1) || o.rec.Newest > k.newest() {
		return fmt.Errorf("%d to %d is there, promised from %d", o.rec.Oldest, o.rec.Newest, p.oldest)
	}
	if !bytes.Equal(o.log, k.between(o.rec.Oldest-1, o.rec.Newest)) {
		return fmt.Errorf("visited %d bytes that are not the log from %d to %d", len(o.log), o.rec.Oldest, o.rec.Newest)
	}
	if got := read(t, o.j.Log(), o.rec.Oldest-1, o.rec.Newest); !bytes.Equal(got, o.log) {
		return fmt.Errorf("read %d bytes that are not the log from %d to %d", len(got), o.rec.Oldest, o.rec.Newest)
	}
	return nil
}

const smallSegment = 1500

// histories runs one session per durability: always, interval, os.
func histories(t *testing.T, changes int, check func(t *testing.T, s *session, list []promise)) {
	for i, name := range []string{"always", "interval", "os"} {
		t.Run(name, func(t *testing.T) {
			s := modes(journal.Options{SegmentBytes: smallSegment})[i]
			check(t, &s, history(t, &s, changes))
		})
	}
}

// changes is how long the sessions are of which every state is looked at.
func changes() int {
	if thorough {
		return 5000
	}
	return 250
}

// TestKillAnywhere ends the process between any two changes: every published event is there, and every batch as a whole
// or not at all (P6).
func TestKillAnywhere(t *testing.T) {
	histories(t, changes(), func(t *testing.T, s *session, list []promise) {
		past := s.d.Replay()
		for n := 0; ; n++ {
			if p := at(&list, n); n >= p.ops {
				o := mustOpen(t, journal.Options{FS: past.Kill(), SegmentBytes: smallSegment})
				if o.rec.Newest < p.published || o.rec.Newest != s.k.before(o.rec.Newest) || o.rec.Lost != 0 {
					t.Fatalf("after %d changes: %+v, published %d", n, o.rec, p.published)
				}
				if err := p.broken(t, &s.k, o); err != nil {
					t.Fatalf("after %d changes: %v", n, err)
				}
			}
			if _, more := past.Next(); !more {
				tally.Count("P6", "states after a kill", n+1, "")
				return
			}
		}
	})
}

// TestPowerLossAnywhere takes the power between any two changes, with eight choices of what is lost of what was not synced:
// every synced event is there and what else is there is the log; the second Open finds nothing to do (P7, P8).
func TestPowerLossAnywhere(t *testing.T) {
	choices := 8
	if testing.Short() || raceEnabled {
		choices = 2
	}
	histories(t, changes(), func(t *testing.T, s *session, list []promise) {
		states, torn := 0, 0
		begun := list[0].ops
		past := s.d.Replay()
		for n := 0; ; n++ {
			p := at(&list, n)
			for choice := range choices {
				opt := journal.Options{FS: past.Crash(choose(n, choice)), SegmentBytes: smallSegment, PowerLoss: true}
				o := open(opt)
				if n < begun && errors.Is(o.err, fs.ErrNotExist) {
					continue // it was never created
				}
				if o.err != nil {
					t.Fatalf("after %d changes, choice %d: %v", n, choice, o.err)
				}
				if o.rec.Newest < p.synced {
					t.Fatalf("after %d changes, choice %d: newest %d, synced %d", n, choice, o.rec.Newest, p.synced)
				}
				if err := p.broken(t, &s.k, o); err != nil {
					t.Fatalf("after %d changes, choice %d: %v", n, choice, err)
				}
				if states++; o.rec.TornBytes > 0 {
					torn++
				}
				for range 4 {
					again := mustOpen(t, journal.Options{FS: opt.FS, SegmentBytes: smallSegment})
					if again.rec.Newest != o.rec.Newest || again.rec.TornBytes != 0 || !bytes.Equal(again.log, o.log) {
						t.Fatalf("after %d changes, choice %d: %+v, then %+v", n, choice, o.rec, again.rec)
					}
				}
			}
			if _, more := past.Next(); !more {
				break
			}
		}
		tally.Count("P7", "journal states after a loss of power", states, "")
		tally.Count("P7", "synced events lost", 0, "0")
		t.Logf("%d states, %d with a torn tail, 0 synced events lost", states, torn)
	})
}

// choose is what a loss of power after n changes takes: all that was not synced, or a part of it.
func choose(n, choice int) *rand.Rand {
	if choice == 0 {
		return nil
	}
	return seeded(uint64(n*8 + choice))
}

// TestCrashDuringRepair takes the power, and then kills the process or takes the power again during the repair.
func TestCrashDuringRepair(t *testing.T) {
	s := session{opt: journal.Options{SegmentBytes: smallSegment}, syncEvery: 7}
	list := history(t, &s, changes()/2)
	states := 0
	for n := list[0].ops; n <= s.d.Count(); n += 3 {
		p := at(&list, n)
		d := s.d.Crash(n, seeded(uint64(n)))
		first := open(journal.Options{FS: d, SegmentBytes: smallSegment, PowerLoss: true})
		if first.err != nil {
			t.Fatal(first.err)
		}
		for m := range d.Count() {
			for choice := range 3 {
				crashed := d.Kill(m)
				if choice > 0 {
					crashed = d.Crash(m, seeded(uint64(choice)))
				}
				o := open(journal.Options{FS: crashed, SegmentBytes: smallSegment, PowerLoss: true})
				if o.err != nil {
					t.Fatalf("after %d changes, then %d, choice %d: %v", n, m, choice, o.err)
				}
				if o.rec.Newest < p.synced {
					t.Fatalf("after %d changes, then %d: newest %d, synced %d", n, m, o.rec.Newest, p.synced)
				}
				if err := p.broken(t, &s.k, o); err != nil {
					t.Fatalf("after %d changes, then %d, choice %d: %v", n, m, choice, err)
				}
				states++
			}
		}
	}
	tally.Count("P8", "states after a crash in a repair", states, "")
	t.Logf("%d states", states)
}

// TestFailedSyncThenPowerLoss: what a failed sync left behind is never counted as synced (P11).
func TestFailedSyncThenPowerLoss(t *testing.T) {
	for n := range 200 {
		s := session{t: t, d: disktest.New(), always: true, opt: journal.Options{SegmentBytes: smallSegment}}
		s.opt.FS = s.d
		syncs := 0
		s.d.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if op.Kind != "sync" {
				return nil
			}
			if syncs++; syncs == n {
				return &disktest.Fault{Err: errors.New("sync failed")}
			}
			return nil
		})
		s.run(40, seeded(uint64(n)))
		if syncs < n {
			tally.Count("P11", "syncs that failed", n-1, "")
			return
		}
		for choice := range 4 {
			o := mustOpen(t, journal.Options{FS: s.d.Crash(s.d.Count(), choose(0, choice)), SegmentBytes: smallSegment, PowerLoss: true})
			if o.rec.Newest < s.synced {
				t.Fatalf("sync %d failed: newest %d, synced %d", n, o.rec.Newest, s.synced)
			}
			same(t, &s.k, o, o.rec.Newest)
		}
	}
	t.Fatal("more syncs than expected")
}
