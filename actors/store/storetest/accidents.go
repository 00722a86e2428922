package storetest

import (
	"errors"
	"math/rand/v2"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func closed(s *suite) {
	s.create()
	s.append(3, 1)
	if n := s.w.Settled(); n != 0 {
		s.Errorf("an open log is settled up to %d", n)
	}
	s.close()
	s.close()
	if n := s.w.Settled(); n != 4 {
		s.Errorf("a closed log is settled up to %d, want 4", n)
	}
	refused := fails[*store.WriteError](s, s.w.Append(s.batch(1)))
	if !errors.Is(refused, store.ErrClosed) || !errors.Is(s.w.Sync(), store.ErrClosed) {
		s.Errorf("a closed writer refuses with %v", refused)
	}
	s.reads(0, 4) // readers go on
	for range 3 {
		if info, err := s.Store.Stat(ID); err != nil || !info.Clean || info.Newest != s.newest() {
			s.Errorf("Stat tells %+v, %v", info, err)
		}
		if rec := s.same(s.PowerLoss(nil), store.Opening{PowerLoss: true}); !rec.Clean || rec.Lost != 0 || rec.TornBytes != 0 {
			s.Errorf("a log that was closed opens as %+v", rec)
		}
		s.append(2)
		if info, err := s.Store.Stat(ID); err != nil || info.Clean {
			s.Errorf("an open log is told of as %+v, %v", info, err)
		}
		live, place := s.w, s.Place
		// The first batch after a clean end is synced. Its source may be lost.
		if rec, visited, err := s.open(s.PowerLoss(nil), store.Opening{PowerLoss: true}); err != nil || rec.Clean || visited != len(s.lines) {
			s.Errorf("a log that was not closed opens with %d lines as %+v, %v", visited, rec, err)
		}
		s.close()
		s.Place, s.w = place, live
		s.close()
	}
}

func unclean(s *suite) {
	s.create()
	s.append(3, 1)
	s.must(s.w.CloseUnclean())
	if n := s.w.Settled(); n != 0 {
		s.Errorf("the log is settled up to %d", n)
	}
	if err := s.w.Append(s.batch(1)); err == nil {
		s.Error("a closed writer takes a batch")
	}
	s.reads(0, 4)
	if rec := s.same(s.Place, store.Opening{}); rec.Clean {
		s.Errorf("the log opens as %+v", rec)
	}
	s.append(1)
	s.close()
}

func killed(s *suite) {
	s.create()
	for i := range 12 {
		s.append(1 + i%3)
		before := s.w
		now := s.Place
		if rec := s.same(now.Kill(), store.Opening{}); rec.Lost != 0 || rec.TornBytes != 0 {
			s.Fatalf("after the end of the process the log opens as %+v", rec)
		}
		s.close()
		s.Place, s.w = now, before
	}
	s.close()
}

// powerless: all that was synced is there, and of what was not no more than whole lines from the front.
func powerless(s *suite) {
	for seed := range uint64(72) {
		random := rand.New(rand.NewPCG(seed, 0x5eed))
		if seed < 9 { // everything is lost that can be, behind each sync and without any
			random = nil
		}
		each := &suite{T: s.T, Place: s.Place}
		each.create()
		synced := uint64(0)
		for i := range 8 {
			each.append(1 + i%3)
			if i == 0 {
				synced = each.newest() // the first batch tells that the log is in use: it is synced
			}
			if i == int(seed%9) {
				each.must(each.w.Sync())
				synced = each.newest()
			}
		}
		live, place := each.w, each.Place
		rec, visited, err := each.open(place.PowerLoss(random), store.Opening{PowerLoss: true})
		each.must(err)
		switch {
		case rec.Newest != uint64(visited) || rec.Newest < synced || rec.Newest > each.newest():
			s.Fatalf("seed %d: %d lines were visited and the newest event is %d; %d were synced", seed, visited, rec.Newest, synced)
		case rec.Clean:
			s.Fatalf("seed %d: the log opens as clean", seed)
		}
		each.lost(rec.Newest)
		each.reads(0, rec.Newest)
		each.append(2)
		each.close()
		each.same(each.Place, store.Opening{})
		each.close()
		each.must(live.CloseUnclean())
		each.must(place.Store.Remove(ID))
	}
}

func failedWrite(s *suite) {
	s.create()
	s.append(2, 1)
	s.Break(errDisk)
	refused := fails[*store.WriteError](s, s.w.Append(s.batch(2)))
	if !errors.Is(refused, errDisk) {
		s.Errorf("the reason is %v", refused)
	}
	s.bounds(3)
	s.reads(0, 3)
	if err := s.w.Append(s.batch(1)); !errors.Is(err, errDisk) {
		s.Errorf("after a failed write the next one is answered with %v", err)
	}
	fails[*store.WriteError](s, s.w.Recover(3))
	s.Break(nil)
	if err := s.w.Append(s.batch(1)); !errors.Is(err, errDisk) {
		s.Errorf("without Recover a batch is answered with %v", err)
	}
	if err := s.w.Sync(); !errors.Is(err, errDisk) {
		s.Errorf("without Recover a sync is answered with %v", err)
	}
	s.must(s.w.Recover(3))
	s.append(3)
	s.must(s.w.Recover(2)) // it has not failed: nothing is forgotten
	s.reads(0, 6)
	live, place := s.w, s.Place
	s.same(place.Kill(), store.Opening{})
	s.close()
	s.must(live.Close())
	s.same(place, store.Opening{})
	s.close()
}

func failedSync(s *suite) {
	s.create()
	s.append(2)
	s.append(1)
	s.Break(errDisk)
	if err := fails[*store.WriteError](s, s.w.Sync()); !errors.Is(err, errDisk) {
		s.Errorf("the reason is %v", err)
	}
	s.Break(nil)
	if err := s.w.Append(s.batch(1)); !errors.Is(err, errDisk) {
		s.Errorf("after a failed sync a batch is answered with %v", err)
	}
	s.must(s.w.Close()) // as it is
	if n := s.w.Settled(); n != 0 {
		s.Errorf("a log that failed is settled up to %d", n)
	}
	s.same(s.Place, store.Opening{})
	s.close()
}

// forgotten: a session that shows synced events only does not stand by a batch whose sync failed.
func forgotten(s *suite) {
	s.create()
	s.append(2)
	s.must(s.w.Sync())
	s.append(1, 2)
	s.Break(errDisk)
	fails[*store.WriteError](s, s.w.Sync())
	s.Break(nil)
	fails[*store.BatchError](s, s.w.Recover(1)) // not the end of a batch
	fails[*store.BeyondError](s, s.w.Recover(9))
	s.must(s.w.Recover(2))
	s.lost(2)
	s.bounds(2)
	s.append(4)
	s.reads(0, 6)
	live, place := s.w, s.Place
	s.same(place.Kill(), store.Opening{})
	s.close()
	s.must(live.Close())
}

func damaged(s *suite) {
	s.create()
	s.append(2, 3, 2)
	s.close()
	s.Damage(ID, 4)
	rec, visited, err := s.open(s.Place, store.Opening{})
	damage := fails[*store.DamageError](s, err)
	if damage.Seq > 4 || damage.Seq < 3 || damage.File == "" || damage.Hint == "" {
		s.Errorf("the damage is told as %+v", damage)
	}
	if uint64(visited) != damage.Seq-1 || rec.Newest != damage.Seq-1 {
		s.Errorf("%d lines were visited and the newest event is %d; the damage begins with event %d", visited, rec.Newest, damage.Seq)
	}
	s.lost(2)
	s.reads(0, 2)
	if err := s.w.Append(s.batch(1)); !errors.Is(err, store.ErrReadOnly) {
		s.Errorf("a damaged log takes a batch: %v", err)
	}
	s.must(s.w.Close())
	if _, _, err := s.open(s.Place, store.Opening{}); err == nil {
		s.Error("the second opening finds nothing")
	}
	s.must(s.w.Close())
}

func tooShort(s *suite) {
	s.create()
	s.append(2, 1)
	s.close()
	s.same(s.Place, store.Opening{Least: 3})
	s.close()
	_, visited, err := s.open(s.Place, store.Opening{Least: 4})
	if damage := fails[*store.DamageError](s, err); damage.Seq != 4 || visited != 3 {
		s.Errorf("the damage is told as %+v, and %d lines were visited", damage, visited)
	}
	if err := s.w.Append(s.batch(1)); err == nil {
		s.Error("a damaged log takes a batch")
	}
	s.must(s.w.Close())
}

func readOnly(s *suite) {
	s.create()
	s.append(2)
	s.must(s.w.CloseUnclean())
	rec := s.same(s.Place, store.Opening{ReadOnly: true})
	if err := s.w.Append(s.batch(1)); !errors.Is(err, store.ErrReadOnly) {
		s.Errorf("a read-only log takes a batch: %v", err)
	}
	if err := s.w.DropBefore(2); !errors.Is(err, store.ErrReadOnly) {
		s.Errorf("a read-only log gives up events: %v", err)
	}
	if rec.Clean {
		s.Error("a log that was not closed opens as clean")
	}
	s.must(s.w.Close())
	if info, err := s.Store.Stat(ID); err != nil || info.Clean {
		s.Errorf("a reader has marked the log: %+v, %v", info, err)
	}
	stopped := errors.New("enough")
	if w, _, err := s.Store.Open(ID, store.Opening{}, func([]byte) error { return stopped }); !errors.Is(err, stopped) {
		s.Errorf("an error of visit ends Open with %v", err)
	} else if w != nil {
		s.must(w.Close())
	}
}
