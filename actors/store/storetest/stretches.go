package storetest

import (
	"bytes"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// wrote is a batch that the suite has appended, without its lines.
type wrote struct {
	store.Batch
	epoch uint64
	size  int
}

func (b *wrote) next() uint64 { return b.First + uint64(b.Count) }

// kinds appends batches of every kind: with a source and without, in epochs of which one gets no event, before and behind a mark, and lets a write fail.
func (s *suite) kinds() (list []wrote) {
	s.Helper()
	s.create()
	epoch := uint64(1)
	add := func(own bool, counts ...int) {
		for _, n := range counts {
			b := s.batch(n)
			if own {
				b.Source = store.Source{}
			}
			s.must(s.w.Append(b))
			s.took(b)
			list = append(list, wrote{b, epoch, len(b.Lines)})
		}
	}
	begin := func(to uint64) {
		s.must(s.w.NewEpoch(to))
		epoch = to
	}
	add(false, 1, 3)
	add(true, 2, 1)
	add(false, 4)
	s.close()
	s.same(s.Place, store.Opening{})
	add(true, 1)
	add(false, 2)
	begin(2)
	add(true, 3)
	begin(5)
	begin(7)
	add(true, 2)
	add(false, 6, 1)
	s.Break(errDisk)
	fails[*store.WriteError](s, s.w.Append(s.batch(2)))
	s.Break(nil)
	s.must(s.w.Recover(s.newest()))
	add(false, 2)
	add(true, 1)
	return list
}

// stretch is what a log of these batches should give; epoch is its newest.
func stretch(list []wrote, lines [][]byte, epoch, since, upTo uint64, most store.Most) store.Stretch {
	st := store.Stretch{First: since + 1, Epoch: epoch}
	events, size := 0, 0
	for i := range list {
		b := &list[i]
		if b.next() <= since+1 {
			continue
		}
		if events == 0 {
			st.Epoch = b.epoch
		}
		fits := events+b.Count <= most.Events && int64(size+b.size) <= most.Bytes
		if b.First > upTo || since == upTo || b.epoch != st.Epoch || events > 0 && !fits {
			break
		}
		events, size = events+b.Count, size+b.size
		first, next := max(b.First, since+1), min(b.next(), upTo+1)
		for _, l := range lines[first-1 : next-1] {
			st.Lines = append(append(st.Lines, l...), '\n')
		}
		if n := len(st.Sources); n > 0 && b.Source == (store.Source{}) && st.Sources[n-1].Source == b.Source {
			st.Sources[n-1].Count += int(next - first)
		} else {
			st.Sources = append(st.Sources, store.Made{Count: int(next - first), Source: b.Source})
		}
		st.Time = b.Time
	}
	return st
}

func (s *suite) gives(log store.Log, want *store.Stretch, since, upTo uint64, most store.Most) {
	s.Helper()
	got, err := log.Stretch(since, upTo, most)
	s.must(err)
	if got.First != want.First || got.Epoch != want.Epoch || got.Time != want.Time || !slices.Equal(got.Sources, want.Sources) {
		got.Lines, want.Lines = nil, nil
		s.Fatalf("%d to %d with %+v: %+v, want %+v", since, upTo, most, got, *want)
	}
	if !bytes.Equal(got.Lines, want.Lines) {
		s.Fatalf("%d to %d with %+v: %d bytes that are not the events, want %d bytes", since, upTo, most, len(got.Lines), len(want.Lines))
	}
	if got.Last() != want.First-1+uint64(bytes.Count(want.Lines, []byte{'\n'})) {
		s.Fatalf("%d to %d with %+v: the last event is %d", since, upTo, most, got.Last())
	}
}

// every asks a log for all its stretches.
func (s *suite) every(log store.Log, list []wrote, epoch uint64) {
	s.Helper()
	for since := list[0].First - 1; since <= s.newest(); since++ {
		for upTo := since; upTo <= s.newest(); upTo++ {
			for _, most := range []store.Most{
				{}, {Events: 1 << 20, Bytes: 1 << 20}, {Events: 4, Bytes: 1 << 20}, {Events: 1 << 20, Bytes: 800}, {Events: 7, Bytes: 1500},
			} {
				want := stretch(list, s.lines, epoch, since, upTo, most)
				s.gives(log, &want, since, upTo, most)
			}
		}
	}
}

func stretches(s *suite) {
	list := s.kinds()
	s.every(s.w.Log(), list, 7)
	s.must(s.w.NewEpoch(8)) // without an event
	s.every(s.w.Log(), list, 8)
	log := s.w.Log()
	s.close()
	s.every(log, list, 8)
	s.same(s.Place, store.Opening{})
	s.every(s.w.Log(), list, 8)
	_, err := s.w.Log().Stretch(0, s.newest()+1, store.Most{})
	fails[*store.BeyondError](s, err)
	_, err = s.w.Log().Stretch(3, 2, store.Most{})
	fails[*store.BeyondError](s, err)
	s.close()
}

func epochStarts(s *suite) {
	s.create()
	wants := func(log store.Log, want ...protocol.EpochStart) {
		s.Helper()
		if got := log.Epochs(); !slices.Equal(got, want) {
			s.Errorf("the epochs are %v, want %v", got, want)
		}
	}
	wants(s.w.Log(), protocol.EpochStart{Epoch: 1, First: 1})
	s.append(2, 1)
	wants(s.w.Log(), protocol.EpochStart{Epoch: 1, First: 1})
	s.must(s.w.NewEpoch(3))
	all := []protocol.EpochStart{{Epoch: 1, First: 1}, {Epoch: 3, First: 4}}
	wants(s.w.Log(), all...)
	for range 200 {
		s.append(2)
	}
	wants(s.w.Log(), all...)
	s.must(s.w.NewEpoch(4))
	s.must(s.w.NewEpoch(9))
	all = append(all, protocol.EpochStart{Epoch: 9, First: s.newest() + 1})
	wants(s.w.Log(), all...)
	s.append(1)
	wants(s.w.Log(), all...)
	s.must(s.w.DropBefore(s.newest() / 2))
	if oldest, _ := s.w.Log().Bounds(); oldest > 1 {
		all = all[1:]
		all[0].First = oldest
		if _, err := s.w.Log().Stretch(oldest-2, s.newest(), store.Most{}); fails[*store.GoneError](s, err).Oldest != oldest {
			s.Errorf("the oldest event is told with %v, want %d", err, oldest)
		}
		st, err := s.w.Log().Stretch(oldest-1, s.newest(), store.Most{Events: 2, Bytes: 1 << 20})
		if s.must(err); st.First != oldest || st.Epoch != 3 || st.Count() != 2 {
			s.Errorf("the oldest stretch is %d events from %d, of epoch %d", st.Count(), st.First, st.Epoch)
		}
	}
	wants(s.w.Log(), all...)
	s.close()
	w, _, err := s.Store.Open(ID, store.Opening{}, nil)
	s.must(err)
	wants(w.Log(), all...)
	s.must(w.Close())
	log, err := s.Store.Look(ID)
	s.must(err)
	wants(log, all...)
}

// damagedStretch: what was not written is in no stretch, whoever asks first.
func damagedStretch(s *suite) {
	s.create()
	s.append(2, 3, 2)
	log := s.w.Log()
	s.close()
	s.Damage(ID, 4)
	looked, err := s.Store.Look(ID)
	s.must(err)
	for _, log := range []store.Log{log, looked} {
		for _, r := range []struct{ since, upTo uint64 }{{0, 7}, {2, 3}, {2, 7}, {4, 5}, {4, 7}} {
			_, err := log.Stretch(r.since, r.upTo, store.Most{Events: 100, Bytes: 1 << 20})
			if damage := fails[*store.DamageError](s, err); damage.Seq < 3 || damage.Seq > 4 || damage.File == "" || damage.Hint == "" {
				s.Errorf("%d to %d: the damage is told as %+v", r.since, r.upTo, damage)
			}
		}
		for _, r := range []struct{ since, upTo uint64 }{{0, 2}, {1, 2}, {5, 7}} {
			st, err := log.Stretch(r.since, r.upTo, store.Most{Events: 100, Bytes: 1 << 20})
			if s.must(err); st.Last() != r.upTo {
				s.Errorf("%d to %d: it ends with event %d", r.since, r.upTo, st.Last())
			}
		}
	}
}
