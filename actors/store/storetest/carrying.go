package storetest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// all are the stretches of a log behind an event. A last one without events tells the newest epoch.
func all(log store.Log, since uint64, most store.Most) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		_, newest := log.Bounds()
		for {
			st, err := log.Stretch(since, newest, most)
			if !yield(st, err) || err != nil || st.Count() == 0 {
				return
			}
			since = st.Last()
		}
	}
}

// bytesOf reads a log as readers do.
func (s *suite) bytesOf(log store.Log) []byte {
	s.Helper()
	oldest, newest := log.Bounds()
	r, err := log.Range(oldest-1, newest)
	s.must(err)
	s.must(r.Whole())
	b, err := io.ReadAll(r)
	s.must(errors.Join(err, r.Close()))
	return b
}

func (s *suite) spansOf(in store.Store, id string) (list []store.Span) {
	s.Helper()
	for span, err := range in.Spans(id) {
		s.must(err)
		list = append(list, span)
	}
	return list
}

// alike wants the other session's log to be the first one's from an event on, and to be closed in order.
func (s *suite) alike(in *Place, as store.Log, since uint64) {
	s.Helper()
	info, err := in.Store.Stat(other)
	if s.must(err); !info.Clean {
		s.Errorf("a log that was adopted is told of as %+v", info)
	}
	var visited []byte
	w, rec, err := in.Store.Open(other, store.Opening{}, func(l []byte) error {
		visited = append(append(visited, l...), '\n')
		return nil
	})
	s.must(err)
	want := s.bytesOf(as)
	want = want[store.Front(want, int(since)):]
	_, newest := as.Bounds()
	if rec.Oldest != since+1 || rec.Newest != newest || rec.Epoch != as.Epoch() || !rec.Clean || rec.TornBytes+int64(rec.Lost) > 0 || rec.RebuiltIndex {
		s.Errorf("a log from event %d on, adopted, opens as %+v", since+1, rec)
	}
	if !bytes.Equal(visited, want) || !bytes.Equal(s.bytesOf(w.Log()), want) {
		s.Errorf("a log from event %d on is another one", since+1)
	}
	spans := s.spansOf(s.Store, ID)
	spans = spans[slices.IndexFunc(spans, func(p store.Span) bool { return p.First > since }):]
	if got := s.spansOf(in.Store, other); !slices.Equal(got, spans) {
		s.Errorf("from event %d on, the spans are %v, want %v", since+1, got, spans)
	}
	if last := spans[len(spans)-1].Source; rec.Last != last {
		s.Errorf("from event %d on, the last source is %v, want %v", since+1, rec.Last, last)
	}
	epochs := as.Epochs()
	for len(epochs) > 1 && epochs[1].First <= since+1 {
		epochs = epochs[1:]
	}
	epochs[0].First = max(epochs[0].First, since+1)
	if got := w.Log().Epochs(); !slices.Equal(got, epochs) {
		s.Errorf("from event %d on, the epochs are %v, want %v", since+1, got, epochs)
	}
	s.must(w.Append(store.Batch{First: newest + 1, Count: 1, Lines: append(line(newest+1), '\n')})) // it goes on
	s.must(w.Close())
}

const other = "s2"

func adopted(s *suite) {
	list := s.kinds()
	for n := range uint64(2) {
		for i, since := range []uint64{0, list[0].next() - 1, list[4].next() - 1, list[6].next() - 1, list[7].next() - 1} {
			most := store.Most{Events: 3 * i, Bytes: 1 << 20}
			s.must(s.Store.Adopt(other, all(s.w.Log(), since, most), nil))
			s.alike(s.PowerLoss(nil), s.w.Log(), since)
			s.alike(s.Kill(), s.w.Log(), since)
			s.alike(s.Place, s.w.Log(), since)
			if err := s.Store.Adopt(other, all(s.w.Log(), since, most), nil); !errors.Is(err, fs.ErrExist) {
				s.Errorf("where there is a log, another one is adopted with %v", err)
			}
			if w, err := s.Store.Create(other); !errors.Is(err, fs.ErrExist) {
				s.Errorf("an adopted log is made again with %v, %v", w, err)
			}
			s.must(s.Store.Remove(other))
		}
		s.must(s.w.NewEpoch(9 + n)) // without an event
	}
	s.close()
}

// halfAdopted: an adoption that did not come to its end leaves no log, whatever ends it, and the next one is whole.
func halfAdopted(s *suite) {
	s.kinds()
	log := s.w.Log()
	most := store.Most{Events: 4, Bytes: 1 << 20}
	none := func(in *Place) {
		s.Helper()
		if _, err := in.Store.Stat(other); !errors.Is(err, fs.ErrNotExist) {
			s.Errorf("half a log is told of with %v", err)
		}
		if _, err := in.Store.Look(other); !errors.Is(err, fs.ErrNotExist) {
			s.Errorf("half a log is looked at with %v", err)
		}
		if w, _, err := in.Store.Open(other, store.Opening{}, nil); w != nil || !errors.Is(err, fs.ErrNotExist) {
			s.Errorf("half a log opens with %v, %v", w, err)
		}
	}
	whole := func(in *Place) {
		s.Helper()
		s.must(in.Store.Adopt(other, all(log, 0, most), nil))
		s.alike(in, log, 0)
		s.must(in.Store.Remove(other))
	}
	enough := errors.New("enough")
	for n := range 5 {
		at := 0
		err := s.Store.Adopt(other, func(yield func(store.Stretch, error) bool) {
			for st, err := range all(log, 0, most) {
				if at++; at > n {
					none(s.Place)
					for _, in := range []*Place{s.Kill(), s.PowerLoss(nil)} {
						none(in)
						whole(in)
					}
					yield(store.Stretch{}, enough)
					return
				}
				if !yield(st, err) {
					return
				}
			}
		}, nil)
		if err != enough { //nolint:errorlint // as it is
			s.Errorf("the error of the sequence is returned as %v", err)
		}
		none(s.Place)
	}
	s.Break(errDisk)
	if err := fails[*store.WriteError](s, s.Store.Adopt(other, all(log, 0, most), nil)); !errors.Is(err, errDisk) {
		s.Errorf("the reason is %v", err)
	}
	s.Break(nil)
	none(s.Place)
	whole(s.Place)
	w, err := s.Store.Create(other)
	s.must(err)
	s.must(w.CloseUnclean())
	s.close()
}

func wrongStretches(s *suite) {
	one := func(first, epoch uint64, counts ...int) store.Stretch {
		st := store.Stretch{First: first, Epoch: epoch}
		for i, n := range counts {
			for range n {
				st.Lines = append(append(st.Lines, line(st.Last()+1)...), '\n')
				st.Add(store.Made{Count: 1})
			}
			st.Sources[len(st.Sources)-1] = store.Made{Count: n, Source: store.Source{Incarnation: 1, Batch: uint64(i + 1)}}
		}
		return st
	}
	more, less, shifted := one(5, 2, 2), one(5, 2, 2), one(5, 2, 2)
	more.Lines = append(append(more.Lines, line(7)...), '\n')
	less.Sources[0].Count = 3
	shifted.Lines = one(6, 2, 2).Lines
	for name, list := range map[string][]store.Stretch{
		"none":               {},
		"no epoch":           {one(5, 0, 2)},
		"no first event":     {{Epoch: 2}},
		"a gap":              {one(5, 2, 2), one(8, 2, 1)},
		"an event twice":     {one(5, 2, 2), one(6, 2, 1)},
		"an earlier epoch":   {one(5, 2, 2), one(7, 1, 1)},
		"more than counted":  {more},
		"less than counted":  {less},
		"lines of others":    {shifted},
		"a run of no lines":  {{First: 5, Epoch: 2, Sources: []store.Made{{}}}},
		"lines of no source": {{First: 5, Epoch: 2, Lines: one(5, 2, 1).Lines}},
	} {
		var refused *store.BatchError
		err := s.Store.Adopt(ID, func(yield func(store.Stretch, error) bool) {
			for _, st := range list {
				if !yield(st, nil) {
					return
				}
			}
		}, nil)
		if !errors.As(err, &refused) {
			s.Errorf("%s: %v", name, err)
		}
		if _, err := s.Store.Stat(ID); !errors.Is(err, fs.ErrNotExist) {
			s.Errorf("%s: there is a log, %v", name, err)
		}
	}
}

// lookedAt: a log that nobody has open can be read, and looking at it changes nothing.
func lookedAt(s *suite) {
	if _, err := s.Store.Look(ID); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("a log that was never made is looked at with %v", err)
	}
	list := s.kinds()
	same := func(in *Place, clean bool) {
		s.Helper()
		log, err := in.Store.Look(ID)
		s.must(err)
		if o, n := log.Bounds(); o != 1 || n != s.newest() || log.Epoch() != 7 || log.Bytes() != s.w.Log().Bytes() {
			s.Errorf("the log goes from %d to %d in %d bytes", o, n, log.Bytes())
		}
		if !bytes.Equal(s.bytesOf(log), s.bytesOf(s.w.Log())) {
			s.Error("the log is another one")
		}
		log, err = in.Store.Look(ID)
		s.must(err)
		s.every(log, list, 7)
		if info, err := in.Store.Stat(ID); err != nil || info.Clean != clean {
			s.Errorf("after a look Stat tells %+v, %v", info, err)
		}
	}
	same(s.Kill(), false)
	s.close()
	same(s.Place, true)
}

// shelf holds what is told of what was set aside of the session.
func (s *suite) shelf(in *Place, want ...string) {
	s.Helper()
	names, err := in.Store.Asides(ID)
	ids, idsErr := in.Store.Shelved()
	if err != nil || idsErr != nil || !slices.Equal(names, want) || slices.Contains(ids, ID) != (len(want) > 0) || slices.Contains(ids, other) {
		s.Errorf("set aside are %v, %v, of the sessions %v, %v", names, err, ids, idsErr)
	}
}

func setAside(s *suite) {
	s.create()
	s.append(2, 3)
	want := s.bytesOf(s.w.Log())
	s.close()
	aside := func(in *Place) {
		s.Helper()
		log, err := in.Store.Aside(ID, "a")
		s.must(err)
		if !bytes.Equal(s.bytesOf(log), want) {
			s.Error("what was set aside is another log")
		}
		if st, err := log.Stretch(2, 5, store.Most{}); err != nil || st.Count() != 3 {
			s.Errorf("a stretch of it has %d events, %v", st.Count(), err)
		}
	}
	none := func(in *Place) {
		s.Helper()
		if _, err := in.Store.Stat(ID); !errors.Is(err, fs.ErrNotExist) {
			s.Errorf("what was set aside is told of with %v", err)
		}
	}
	s.Break(errDisk)
	fails[*store.WriteError](s, s.Store.SetAside(ID, "a"))
	s.Break(nil)
	s.shelf(s.Place)
	s.same(s.Place, store.Opening{}) // it is still there
	s.close()
	if err := s.Store.SetAside(ID, ""); !errors.Is(err, fs.ErrInvalid) {
		s.Errorf("without a name it is set aside with %v", err)
	}
	for range 2 {
		s.must(s.Store.SetAside(ID, "a"))
		for _, in := range []*Place{s.Place, s.Kill(), s.PowerLoss(nil)} {
			none(in)
			aside(in)
			s.shelf(in, "a")
		}
	}
	if _, err := s.Store.Aside(ID, "b"); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("a name that was not given is looked at with %v", err)
	}
	if _, err := s.Store.Aside(other, "a"); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("a name of another session is looked at with %v", err)
	}
	log, err := s.Store.Aside(ID, "a")
	s.must(err)
	s.must(s.Store.Adopt(ID, all(log, 2, store.Most{}), nil))
	if err := fails[*store.WriteError](s, s.Store.SetAside(ID, "a")); !errors.Is(err, fs.ErrExist) {
		s.Errorf("where there is another log of that name the reason is %v", err)
	}
	if info, err := s.Store.Stat(ID); err != nil || info.Newest != 5 {
		s.Errorf("after a refusal Stat tells %+v, %v", info, err)
	}
	aside(s.Place)
	s.must(s.Store.SetAside(ID, "b"))
	aside(s.Place)
	if log, err := s.Store.Aside(ID, "b"); err != nil || !bytes.Equal(s.bytesOf(log), want[store.Front(want, 2):]) {
		s.Errorf("what was set aside as b is another log, %v", err)
	}
	s.must(s.Store.Adopt(ID, all(log, 0, store.Most{}), nil))
	s.must(s.Store.SetAside(ID, "c"))
	s.shelf(s.Place, "a", "b", "c")
	s.Break(errDisk)
	fails[*store.WriteError](s, s.Store.RemoveAside(ID, "c"))
	s.Break(nil)
	for range 2 {
		s.must(s.Store.RemoveAside(ID, "c"))
		s.shelf(s.Place, "a", "b")
	}
	aside(s.Place)
	s.must(s.Store.Adopt(ID, all(log, 0, store.Most{}), nil))
	s.must(s.Store.SetAside("never", "a"))
	s.must(s.Store.Remove(ID))
	for _, in := range []*Place{s.Place, s.PowerLoss(nil)} {
		none(in)
		for _, name := range []string{"a", "b"} {
			if _, err := in.Store.Aside(ID, name); !errors.Is(err, fs.ErrNotExist) {
				s.Errorf("after a removal %s is looked at with %v", name, err)
			}
		}
		s.shelf(in)
	}
}
