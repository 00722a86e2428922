package journal_test

import (
	"bytes"
	"errors"
	"io/fs"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/journal/journaltest"
)

// promise is what had been promised when so many changes were made.
type promise struct {
	ops               int
	synced, published uint64
}

// history runs a session and notes its promises.
func history(t *testing.T, s *session, batches int) []promise {
	s.t, s.d = t, journaltest.New()
	s.opt.FS = s.d
	r := seeded(77)
	s.run(0, r)
	list := []promise{{ops: s.d.Count()}}
	for len(s.k.ends) < batches {
		s.append(s.k.next(r))
		list = append(list, promise{s.d.Count(), s.synced, s.published})
	}
	return list
}

// at is the promise that holds after n changes.
func at(list []promise, n int) (p promise) {
	for _, q := range list {
		if q.ops <= n {
			p = q
		}
	}
	return p
}

// TestKillAnywhere ends the process between any two changes: every published event is there, and every batch as a whole
// or not at all (P6).
func TestKillAnywhere(t *testing.T) {
	for _, s := range modes(journal.Options{SegmentBytes: 1500}) {
		list := history(t, &s, 60)
		for n := list[0].ops; n <= s.d.Count(); n++ {
			d := s.d.Kill(n)
			o := mustOpen(t, journal.Options{FS: d, SegmentBytes: 1500})
			if p := at(list, n); o.rec.Newest < p.published {
				t.Fatalf("after %d changes: newest %d, published %d", n, o.rec.Newest, p.published)
			}
			if o.rec.Newest != s.k.before(o.rec.Newest) || o.rec.Lost != 0 {
				t.Fatalf("after %d changes: %+v", n, o.rec)
			}
			same(t, &s.k, o, o.rec.Newest)
		}
	}
}

// TestPowerLossAnywhere takes the power between any two changes, with eight choices of what is lost of what was not synced:
// every synced event is there and what else is there is the log; the second Open finds nothing to do (P7, P8).
func TestPowerLossAnywhere(t *testing.T) {
	choices := 8
	if testing.Short() || raceEnabled {
		choices = 2
	}
	states, torn := 0, 0
	for mode, s := range modes(journal.Options{SegmentBytes: 1500}) {
		list := history(t, &s, 60)
		for n := range s.d.Count() + 1 {
			for choice := range choices {
				r := seeded(uint64(n*choices + choice))
				if choice == 0 {
					r = nil
				}
				opt := journal.Options{FS: s.d.Crash(n, r), SegmentBytes: 1500, PowerLoss: true}
				p := at(list, n)
				o := open(opt)
				if n < list[0].ops && errors.Is(o.err, fs.ErrNotExist) {
					continue // it was never created
				}
				if o.err != nil {
					t.Fatalf("mode %d, after %d changes, choice %d: %v", mode, n, choice, o.err)
				}
				if o.rec.Newest < p.synced || o.rec.LostSynced {
					t.Fatalf("mode %d, after %d changes, choice %d: newest %d, synced %d", mode, n, choice, o.rec.Newest, p.synced)
				}
				same(t, &s.k, o, o.rec.Newest)
				if states++; o.rec.TornBytes > 0 {
					torn++
				}
				for range 4 {
					again := mustOpen(t, journal.Options{FS: opt.FS, SegmentBytes: 1500})
					if again.rec.Newest != o.rec.Newest || again.rec.TornBytes != 0 || !bytes.Equal(again.log, o.log) {
						t.Fatalf("mode %d, after %d changes, choice %d: %+v, then %+v", mode, n, choice, o.rec, again.rec)
					}
				}
			}
		}
	}
	t.Logf("%d states, %d with a torn tail, 0 synced events lost", states, torn)
}

// TestCrashDuringRepair takes the power, and then kills the process or takes the power again during the repair.
func TestCrashDuringRepair(t *testing.T) {
	s := session{opt: journal.Options{SegmentBytes: 1500}, syncEvery: 7}
	list := history(t, &s, 50)
	states := 0
	for n := list[0].ops; n <= s.d.Count(); n += 3 {
		d := s.d.Crash(n, seeded(uint64(n)))
		first := open(journal.Options{FS: d, SegmentBytes: 1500, PowerLoss: true})
		if first.err != nil {
			t.Fatal(first.err)
		}
		for m := range d.Count() {
			for choice := range 3 {
				crashed := d.Kill(m)
				if choice > 0 {
					crashed = d.Crash(m, seeded(uint64(choice)))
				}
				o := open(journal.Options{FS: crashed, SegmentBytes: 1500, PowerLoss: true})
				if o.err != nil {
					t.Fatalf("after %d changes, then %d, choice %d: %v", n, m, choice, o.err)
				}
				if p := at(list, n); o.rec.Newest < p.synced {
					t.Fatalf("after %d changes, then %d: newest %d, synced %d", n, m, o.rec.Newest, p.synced)
				}
				same(t, &s.k, o, o.rec.Newest)
				states++
			}
		}
	}
	t.Logf("%d states", states)
}

// TestFailedSyncThenPowerLoss: what a failed sync left behind is never counted as synced (P11).
func TestFailedSyncThenPowerLoss(t *testing.T) {
	for n := range 200 {
		s := session{t: t, d: journaltest.New(), always: true, opt: journal.Options{SegmentBytes: 1500}}
		s.opt.FS = s.d
		syncs := 0
		s.d.Fail(func(_ int, op journaltest.Op) *journaltest.Fault {
			if op.Kind != "sync" {
				return nil
			}
			if syncs++; syncs == n {
				return &journaltest.Fault{Err: errors.New("sync failed")}
			}
			return nil
		})
		s.run(40, seeded(uint64(n)))
		if syncs < n {
			return
		}
		for choice := range 4 {
			r := seeded(uint64(choice))
			if choice == 0 {
				r = nil
			}
			o := mustOpen(t, journal.Options{FS: s.d.Crash(s.d.Count(), r), SegmentBytes: 1500, PowerLoss: true})
			if o.rec.Newest < s.synced {
				t.Fatalf("sync %d failed: newest %d, synced %d", n, o.rec.Newest, s.synced)
			}
			same(t, &s.k, o, o.rec.Newest)
		}
	}
	t.Fatal("more syncs than expected")
}
