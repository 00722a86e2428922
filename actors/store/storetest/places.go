package storetest

import (
	"bytes"
	"errors"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// openFrom opens the log of a place of the disk from a place of the log, and says whether it began there. What is visited is what it should be.
func (s *suite) openFrom(in *Place, from store.Place) (began bool, rec store.Recovery, err error) {
	s.Helper()
	s.Place = in
	at := uint64(0)
	how := store.Opening{From: from, Behind: func() {
		if began || at != 0 {
			s.Errorf("Behind is called after %d lines", at)
		}
		began, at = true, from.Seq
	}}
	s.w, rec, err = in.Store.Open(ID, how, func(l []byte) error {
		if at++; at > s.newest() || !bytes.Equal(l, s.lines[at-1]) {
			s.Errorf("from %d, line %d was visited as %s", from.Seq, at, l)
		}
		return nil
	})
	if err == nil && at != s.newest() {
		s.Errorf("from %d, the lines end with %d, want %d", from.Seq, at, s.newest())
	}
	return began, rec, err
}

// places appends batches, in two epochs, and gives the place behind each.
func (s *suite) places() (list []store.Place) {
	s.Helper()
	s.create()
	if p := s.w.Place(); p.Seq != 0 {
		s.Errorf("an empty log is at %+v", p)
	}
	for i, n := range []int{1, 3, 1, 40, 2, 7, 30, 1, 30, 30, 2} {
		if i == 5 {
			s.must(s.w.NewEpoch(2))
		}
		s.append(n)
		p := s.w.Place()
		if p.Seq != s.newest() || p.Last != s.last {
			s.Errorf("behind event %d the log is at %+v", s.newest(), p)
		}
		list = append(list, p)
	}
	s.must(s.w.Sync())
	return list
}

func fromPlace(s *suite) {
	list := s.places()
	s.close()
	for i, p := range list {
		began, rec, err := s.openFrom(s.Place, p)
		s.must(err)
		if !began {
			s.Errorf("it does not begin behind event %d", p.Seq)
		}
		if rec.Last != s.last || rec.Newest != s.newest() || rec.Oldest != 1 || rec.Epoch != 2 || !rec.Clean && i > 0 {
			s.Errorf("from %d, it opens as %+v", p.Seq, rec)
		}
		if got := s.w.Place(); got.Seq != s.newest() || got.Last != s.last {
			s.Errorf("from %d, a log that was opened only is at %+v", p.Seq, got)
		}
		s.reads(0, s.newest())
		s.reads(2, s.newest()-1)
		s.append(1)
		if got := s.w.Place(); got.Seq != s.newest() || got.Last != s.last {
			s.Errorf("from %d, behind event %d the log is at %+v", p.Seq, s.newest(), got)
		}
		s.close()
	}
	last := list[len(list)-1]
	for _, in := range []*Place{s.Place.Kill(), s.Place} {
		began, rec, err := s.openFrom(in, last)
		s.must(err)
		if !began || rec.Last != s.last || rec.Newest != s.newest() {
			s.Errorf("after a kill it opens as %+v, behind the place: %v", rec, began)
		}
		s.reads(0, s.newest())
		s.close()
	}
}

func wrongPlace(s *suite) {
	list := s.places()
	s.close()
	for name, change := range map[string]func(*store.Place){
		"epoch":          func(p *store.Place) { p.Epoch++ },
		"seq":            func(p *store.Place) { p.Seq-- },
		"a later seq":    func(p *store.Place) { p.Seq += 1000 },
		"segment":        func(p *store.Place) { p.Segment += 100 },
		"records":        func(p *store.Place) { p.Records-- },
		"no records":     func(p *store.Place) { p.Records = 0 },
		"many records":   func(p *store.Place) { p.Records += 1000 },
		"bytes":          func(p *store.Place) { p.Bytes++ },
		"negative bytes": func(p *store.Place) { p.Bytes = -1 },
		"sum":            func(p *store.Place) { p.Sum ^= 1 },
	} {
		p := list[6]
		change(&p)
		began, _, err := s.openFrom(s.Place, p)
		s.must(err)
		if began {
			s.Errorf("with another %s it begins at %+v", name, p)
		}
		s.reads(0, s.newest())
		s.close()
	}
}

func forgottenPlace(s *suite) {
	s.places()
	published := s.newest()
	s.append(2)
	forgotten := s.w.Place()
	s.Break(errDisk)
	b := s.batch(1)
	fails[*store.WriteError](s, s.w.Append(b))
	s.Break(nil)
	s.must(s.w.Recover(published))
	s.lost(published)
	if p := s.w.Place(); p.Seq > published {
		s.Errorf("what was forgotten is at %+v", p)
	}
	s.append(2, 1)
	here := s.w.Place()
	if here.Seq != s.newest() || here.Last != s.last {
		s.Errorf("behind event %d the log is at %+v", s.newest(), here)
	}
	s.must(s.w.Sync())
	in := s.Place.Kill()
	began, rec, err := s.openFrom(in, here)
	s.must(err)
	if !began || rec.Last != s.last {
		s.Errorf("after Recover it opens as %+v, behind the place: %v", rec, began)
	}
	s.reads(0, s.newest())
	s.close()
	if forgotten.Segment != here.Segment { // else the same lines are in the same place again
		began, _, err = s.openFrom(s.Place, forgotten)
		s.must(err)
		if began {
			s.Errorf("it begins behind what was forgotten, at %+v", forgotten)
		}
		s.reads(0, s.newest())
		s.close()
	}
}

func damagedBefore(s *suite) {
	list := s.places()
	s.close()
	s.Damage(ID, 20)
	began, _, err := s.openFrom(s.Place, list[len(list)-1])
	if !began {
		fails[*store.DamageError](s, err)
		return
	}
	s.must(err)
	for _, r := range []struct{ since, upTo uint64 }{{0, s.newest()}, {18, 21}, {0, 21}, {0, 2}} {
		got, err := s.readAll(r.since, r.upTo)
		var want []byte
		for _, l := range s.lines[r.since:r.upTo] {
			want = append(append(want, l...), '\n')
		}
		var damage *store.DamageError
		switch {
		case !bytes.HasPrefix(want, got):
			s.Errorf("%d to %d: what was not written is served: %s", r.since, r.upTo, got)
		case r.upTo >= 20 && !errors.As(err, &damage):
			s.Errorf("%d to %d: the error is %v", r.since, r.upTo, err)
		case r.upTo >= 20 && damage.Seq > 20:
			s.Errorf("%d to %d: damage from event %d on, want at most 20", r.since, r.upTo, damage.Seq)
		}
	}
	s.must(s.w.CloseUnclean())
	_, _, err = s.open(s.Place, store.Opening{})
	fails[*store.DamageError](s, err)
	s.must(s.w.CloseUnclean())
}

func (s *suite) readAll(since, upTo uint64) ([]byte, error) {
	r, err := s.w.Log().Range(since, upTo)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(r)
	return b, errors.Join(err, r.Close())
}
