package storetest

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func empty(s *suite) {
	if _, _, err := s.Store.Open(ID, store.Opening{}, nil); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("a log that was never made opens with %v", err)
	}
	if _, err := s.Store.Stat(ID); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("a log that was never made is told of with %v", err)
	}
	if w, _, _ := s.Store.Open(ID, store.Opening{}, nil); w != nil {
		s.Errorf("the writer of no log is %v and not nil", w)
	}
	s.create()
	s.bounds(0)
	if e := s.w.Log().Epoch(); e != 1 {
		s.Errorf("the first epoch is %d", e)
	}
	s.reads(0, 0)
	fails[*store.BeyondError](s, second(s.w.Log().Range(0, 1)))
	s.close()
	if rec := s.same(s.Place, store.Opening{}); !rec.Clean || rec.Epoch != 1 || rec.Oldest != 1 {
		s.Errorf("an empty log opens as %+v", rec)
	}
	s.append(2)
	s.close()
	if _, err := s.Store.Create(ID); !errors.Is(err, fs.ErrExist) {
		s.Errorf("a log that is there is made again with %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func order(s *suite) {
	s.create()
	s.append(1, 3, 1, 40, 2)
	s.bounds(s.newest())
	s.reads(0, s.newest())
	var n int64
	for _, l := range s.lines {
		n += int64(len(l)) + 1
	}
	if got := s.w.Log().Bytes(); got != n {
		s.Errorf("the log has %d bytes, want %d", got, n)
	}
	if info, err := s.Store.Stat(ID); err != nil || info.Newest != s.newest() || info.Clean || info.Time != 1700000000000+int64(s.ends[3])+1 {
		s.Errorf("Stat tells %+v, %v", info, err)
	}
	s.close()
}

func ranges(s *suite) {
	s.create()
	s.append(1, 3, 1, 5, 2)
	for since := uint64(0); since <= s.newest(); since++ {
		for upTo := since; upTo <= s.newest(); upTo++ {
			s.reads(since, upTo)
		}
	}
	fails[*store.BeyondError](s, second(s.w.Log().Range(0, s.newest()+1)))
	fails[*store.BeyondError](s, second(s.w.Log().Range(3, 2)))
	s.close()
}

func wrong(s *suite) {
	s.create()
	s.append(2)
	good := s.batch(2)
	for name, b := range map[string]store.Batch{
		"another first":    {First: good.First + 1, Count: 2, Lines: good.Lines},
		"one before":       {First: good.First - 1, Count: 2, Lines: good.Lines},
		"no lines":         {First: good.First},
		"another seq":      {First: good.First, Count: 1, Lines: append(line(good.First+1), '\n')},
		"no last newline":  {First: good.First, Count: 2, Lines: good.Lines[:len(good.Lines)-1]},
		"more than stated": {First: good.First, Count: 1, Lines: good.Lines},
		"less than stated": {First: good.First, Count: 3, Lines: good.Lines},
	} {
		var refused *store.BatchError
		if err := s.w.Append(b); !errors.As(err, &refused) {
			s.Errorf("%s: %v", name, err)
		}
	}
	s.bounds(2)
	s.append(2)
	kept := s.batch(1)
	s.must(s.w.Append(kept))
	s.took(kept)
	clear(kept.Lines) // the caller's again
	s.reads(0, s.newest())
	s.close()
}

func epochs(s *suite) {
	s.create()
	s.append(2)
	if err := s.w.NewEpoch(1); err == nil {
		s.Error("an epoch follows itself")
	}
	s.must(s.w.NewEpoch(3))
	if e := s.w.Log().Epoch(); e != 3 {
		s.Errorf("the epoch is %d", e)
	}
	s.append(1)
	s.reads(0, s.newest())
	s.close()
	if rec := s.same(s.Place, store.Opening{}); rec.Epoch != 3 {
		s.Errorf("the epoch opens as %d", rec.Epoch)
	}
	s.must(s.w.NewEpoch(4))
	s.close()
	if rec := s.same(s.Place.Kill(), store.Opening{}); rec.Epoch != 4 {
		s.Errorf("an epoch without events opens as %d", rec.Epoch)
	}
	s.must(s.w.NewEpoch(5))
	s.append(2)
	lost := s.PowerLoss(nil)
	s.close()
	if rec, _, err := s.open(lost, store.Opening{PowerLoss: true}); err != nil || rec.Epoch != 5 { // its number names other events else
		s.Errorf("an epoch of which all events are lost opens as %d, %v", rec.Epoch, err)
	}
	s.close()
}

func retention(s *suite) {
	s.create()
	for range 200 {
		s.append(3)
	}
	s.must(s.w.DropBefore(1))
	s.bounds(s.newest())
	all := s.w.Log().Bytes()
	if at := s.w.DropPoint(all); at != 0 {
		s.Errorf("of %d bytes at most all are to stay, and those before event %d are to go", all, at)
	}
	if at := s.w.DropPoint(all * 3 / 4); at != 0 {
		s.must(s.w.DropBefore(at))
		if oldest, _ := s.w.Log().Bounds(); oldest != at {
			s.Errorf("everything before event %d was to go, and the oldest is %d", at, oldest)
		}
		if left := s.w.Log().Bytes(); left > all*3/4 || left < all/2 {
			s.Errorf("%d of %d bytes are left, where three quarters may be", left, all)
		}
	}
	s.must(s.w.DropBefore(301))
	oldest, newest := s.w.Log().Bounds()
	if oldest > 301 || newest != s.newest() {
		s.Fatalf("the log goes from %d to %d", oldest, newest)
	}
	s.reads(oldest-1, s.newest())
	if oldest == 1 {
		s.Skip("nothing can be given up at once")
	}
	if gone := fails[*store.GoneError](s, second(s.w.Log().Range(oldest-2, newest))); gone.Oldest != oldest {
		s.Errorf("the oldest event is told as %d, want %d", gone.Oldest, oldest)
	}
	s.must(s.w.DropBefore(s.newest() + 100))
	if _, newest := s.w.Log().Bounds(); newest != s.newest() {
		s.Errorf("the newest event is %d", newest)
	}
	oldest, _ = s.w.Log().Bounds()
	if oldest > newest {
		s.Error("the newest event was given up")
	}
	s.append(2)
	s.close()
	rec, _, err := s.Store.Open(ID, store.Opening{}, nil)
	s.must(err)
	_ = rec.Close()
	if again, _ := rec.Log().Bounds(); again != oldest {
		s.Errorf("the oldest event opens as %d, want %d", again, oldest)
	}
}

func spans(s *suite) {
	s.create()
	s.append(2)
	own := s.batch(1)
	own.Source = store.Source{} // of the session itself
	s.must(s.w.Append(own))
	s.took(own)
	s.append(3)
	want := []store.Span{
		{Source: store.Source{Incarnation: 1, Batch: 1}, First: 1, Last: 2},
		{Source: store.Source{Incarnation: 1, Batch: 3}, First: 4, Last: 6},
	}
	for range 2 { // open and closed
		var got []store.Span
		for span, err := range s.Store.Spans(ID) {
			s.must(err)
			got = append(got, span)
		}
		if !slices.Equal(got, want) {
			s.Errorf("the spans are %v, want %v", got, want)
		}
		s.close()
	}
	s.same(s.Place, store.Opening{})
	own = s.batch(1)
	own.Source = store.Source{}
	s.must(s.w.Append(own))
	s.took(own)
	s.close()
	s.same(s.Place, store.Opening{}) // the last source is still that of the batch before
	s.close()
	for _, err := range s.Store.Spans(ID) { // a caller may have enough
		s.must(err)
		break
	}
}

func released(s *suite) {
	s.create()
	s.append(2)
	s.must(s.w.Release())
	if s.Open != nil && s.Open() != 0 {
		s.Errorf("%d handles are open after Release", s.Open())
	}
	s.reads(0, 2)
	s.must(s.w.Sync())
	s.append(1)
	s.must(s.w.Release())
	s.must(s.w.Release())
	s.append(2)
	s.close()
	s.same(s.Place, store.Opening{})
	s.close()
}

func removed(s *suite) {
	s.create()
	s.append(2)
	s.close()
	s.must(s.Store.Remove(ID))
	s.must(s.Store.Remove(ID))
	s.must(s.Store.Remove("never"))
	after := s.PowerLoss(nil)
	if _, err := after.Store.Stat(ID); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("after its removal the log is told of with %v", err)
	}
	s.lines, s.ends, s.last = nil, nil, store.Source{}
	s.create()
	s.bounds(0)
	s.append(1)
	s.reads(0, 1)
	s.close()
}

func concurrent(s *suite) {
	s.create()
	log := s.w.Log()
	var all sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for at := uint64(0); ; {
				_, newest := log.Bounds()
				lines, err := store.LinesOf(log, at, newest)
				for err == nil && lines.Next() {
					at++
					if !bytes.Equal(lines.Line(), line(at)) {
						s.Errorf("a reader beside the writer got %s as event %d", lines.Line(), at)
						break
					}
				}
				if err == nil {
					err = errors.Join(lines.Err(), lines.Close())
				}
				if err != nil {
					s.Error(err)
					return
				}
				select {
				case <-done:
					if _, newest = log.Bounds(); at == newest {
						return
					}
				default:
				}
			}
		})
	}
	all.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := s.w.Sync(); err != nil {
					s.Error(err)
					return
				}
			}
		}
	})
	for range 300 {
		s.append(3)
	}
	close(done)
	all.Wait()
	s.close()
}
