package coldtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func (s *suite) sweep() int {
	s.Helper()
	n, err := s.compactor(1).Sweep(s.ctx)
	s.must(err)
	return n
}

// put puts an object of any bytes.
func (s *suite) put(key, text string) {
	s.Helper()
	_, err := s.store.Put(s.ctx, key, objects.Bytes([]byte(text)))
	s.must(err)
}

func swept(s *suite) {
	p := s.take(1)
	s.append(&p, made("", 1, 1, 3))
	late := s.segment(id(1))
	s.put(late.Object.Key, "0123456789")
	s.Turn(core.Busy + time.Second)
	lost := s.segment(id(1))
	s.put(lost.Object.Key, "0123456789")
	lost.Rows[0].Lease = ""
	if s.compact(lost) || s.sweep() != 0 || len(s.keys()) != 2 {
		s.Error("what is young goes")
	}
	s.Turn(core.Forsaken - core.Busy - 10*time.Second)
	if n := s.sweep(); n != 0 {
		s.Errorf("%d objects went before their time", n)
	}
	s.Turn(time.Minute)
	if keys, err := s.core.Garbage(s.ctx, 10); err != nil || !slices.Equal(keys, []string{late.Object.Key}) {
		s.Errorf("given up is %v, %v", keys, err)
	}
	if s.compact(late) { // a sweeper is about to delete its object, or has, and died then
		s.Fatal("a row names an object that was given up")
	}
	if n := s.sweep(); n != 1 || !slices.Equal(s.keys(), []string{lost.Object.Key}) {
		s.Errorf("%d objects went, and these are left: %v", n, s.keys())
	}
	if s.compact(late) { // its maker was away for a day
		s.Fatal("a row names an object that was deleted")
	}
	s.Turn(core.Busy)
	if n := s.sweep(); n != 1 || s.sweep() != 0 || len(s.keys()) != 0 {
		s.Errorf("%d objects went, and these are left: %v", n, s.keys())
	}
	s.reads(id(1), made("", 1, 1, 3))
	s.pass(1)
	s.Turn(2 * core.Forsaken)
	if n := s.sweep(); n != 0 || len(s.keys()) != 1 {
		s.Errorf("%d objects went that rows name", n)
	}
	s.reads(id(1), made("", 1, 1, 3))
}

// stubborn is a store that refuses to delete one object.
type stubborn struct {
	objects.Store
	key string
}

func (b *stubborn) Delete(ctx context.Context, key string) error {
	if key == b.key {
		return &objects.RefusedError{Op: "delete", Err: errRow}
	}
	return b.Store.Delete(ctx, key)
}

// kept: an object that the store does not delete is not forgotten, and keeps no other one.
func kept(s *suite) {
	for n := range 3 {
		p := s.take(n)
		s.append(&p, made("", 1, 1, 3))
		s.pass(1)
		_, err := s.core.Remove(s.ctx, id(n), p.Lease)
		s.must(err)
	}
	s.Turn(core.Forsaken + time.Minute)
	c := s.compactor(1)
	c.Store = &stubborn{s.store, s.keys()[0]}
	if n, err := c.Sweep(s.ctx); n != 2 || !errors.Is(err, errRow) || len(s.keys()) != 1 {
		s.Errorf("%d objects went, and these are left: %v, %v", n, s.keys(), err)
	}
	if n := s.sweep(); n != 1 || len(s.keys()) != 0 {
		s.Errorf("%d objects went, and these are left: %v", n, s.keys())
	}
}

func removed(s *suite) {
	p, q := s.take(1), s.take(2)
	s.append(&p, made("", 1, 1, 3), made("", 1, 4, 3), made("", 1, 7, 3))
	s.append(&q, made("", 1, 1, 3))
	s.pass(1)
	s.rewind(&p, 2, 5) // through the second one; the third is put aside as a whole
	stop, next := s.reader(id(1), 4)
	defer stop()
	gone, err := s.core.Remove(s.ctx, id(1), p.Lease)
	s.must(err)
	if !gone || s.sweep() != 0 || len(s.keys()) != 4 {
		s.Errorf("objects of a session that was removed a moment ago: %v", s.keys())
	}
	p = s.take(1) // another one of its name has nothing of it
	s.append(&p, made("other", 1, 1, 1))
	s.Turn(core.Forsaken + time.Second)
	if n := s.sweep(); n != 3 || len(s.keys()) != 1 || !strings.HasPrefix(s.keys()[0], objects.SessionPrefix(id(2))) {
		s.Errorf("%d objects went, and these are left: %v", n, s.keys())
	}
	s.reads(id(1), made("other", 1, 1, 1))
	s.reads(id(2), made("", 1, 1, 3))
	if st, err := next(); err == nil {
		s.Errorf("a reader of what is gone: %+v", st)
	}
}

// leftBehind: who reads a session that is removed, and whose objects go, is told that it is not there, and of no damage.
func leftBehind(s *suite) {
	p := s.take(1)
	s.append(&p, made("", 1, 1, 3), made("", 1, 4, 3))
	s.pass(1)
	stop, next := s.reader(id(1), 6)
	defer stop()
	keys := s.keys()
	gone, err := s.core.Remove(s.ctx, id(1), p.Lease)
	s.must(err)
	for _, key := range keys { // as where it has read for more than a day
		s.must(s.store.Delete(s.ctx, key))
	}
	var beyond *store.BeyondError
	if st, err := next(); !gone || !errors.As(err, &beyond) {
		s.Errorf("a reader of what is gone: %+v, %v", st, err)
	}
}

// reader reads a log up to an event, of which it has the first stretch already, and knows of what follows that it is in an object.
func (s *suite) reader(session string, upTo uint64) (stop func(), next func() (store.Stretch, error)) {
	s.Helper()
	next, stop = pull(s.joined.Stretches(s.ctx, session, 0, upTo))
	if first, err := next(); err != nil || first.First != 1 {
		s.Fatal(first, err)
	}
	return stop, next
}

// pull reads one after another.
func pull(list func(yield func(store.Stretch, error) bool)) (next func() (store.Stretch, error), stop func()) {
	type one struct {
		st  store.Stretch
		err error
	}
	n, end := pullOf(func(yield func(one) bool) {
		list(func(st store.Stretch, err error) bool { return yield(one{st, err}) })
	})
	return func() (store.Stretch, error) {
		x, _ := n()
		return x.st, x.err
	}, end
}

func strays(s *suite) {
	p := s.take(1)
	s.append(&p, made("", 1, 1, 3), made("", 1, 4, 3))
	s.pass(1)
	s.rewind(&p, 2, 5)
	s.append(&p, made("", 2, 5, 3))
	intended := s.segment(id(1)).Object.Key
	unknown := objects.Attempt(objects.LogKey(id(8), 1, 2, objects.Digest{}))
	keys := append(s.keys(), intended, unknown)
	got, err := s.core.Strays(s.ctx, keys)
	s.must(err)
	if len(keys) != 4 || !slices.Equal(got, []string{unknown}) {
		s.Errorf("of %d keys Core does not know %v", len(keys), got)
	}
	s.put(unknown, "x")
	for info, err := range s.compactor(1).Strays(s.ctx) { // the store's clock says that it is young
		s.Errorf("a stray is %v, %v", info, err)
	}
}

func noStore(s *suite) {
	p := s.take(1)
	s.append(&p, made("", 1, 1, 3), made("", 1, 4, 3))
	s.pass(1 << 20)
	s.append(&p, made("", 1, 7, 2))
	var without *core.ColdError
	for _, err := range s.core.Stretches(s.ctx, id(1), 2, 8) {
		if !errors.As(err, &without) || without.First != 3 || without.Hint() == "" {
			s.Errorf("a reader without a store is told %v", err)
		}
	}
	if _, err := s.core.Bytes(s.ctx, id(1), 2, 8); !errors.As(err, &without) {
		s.Errorf("a reader without a store is told %v", err)
	}
	n, err := s.core.Bytes(s.ctx, id(1), 0, 8)
	s.must(err)
	if want := len(made("", 1, 1, 8).Lines); n != int64(want) {
		s.Errorf("%d bytes, want %d", n, want)
	}
	for st, err := range s.core.Stretches(s.ctx, id(1), 5, 6) { // the newest of a segment, with which a shipper compares
		if s.must(err); fmt.Sprintf("%+v", st) != fmt.Sprintf("%+v", core.Part(made("", 1, 4, 3), 5, 6)) {
			s.Errorf("the newest event of a segment is %+v", st)
		}
	}
	for st, err := range s.core.Stretches(s.ctx, id(1), 6, 8) {
		if s.must(err); st.First != 7 {
			s.Errorf("what is in rows is %+v", st)
		}
	}
}

// broken is a Core in which the rows of one session cannot be read.
type broken struct {
	core.Core
	session string
}

var errRow = errors.New("a row is damaged")

func (b *broken) Pieces(ctx context.Context, session string, since, upTo uint64) iter.Seq2[core.Piece, error] {
	if session == b.session {
		return func(yield func(core.Piece, error) bool) {
			yield(core.Piece{}, &core.AwayError{Op: "stretches", Err: errRow})
		}
	}
	return b.Core.Pieces(ctx, session, since, upTo)
}

// oneIsBroken: a session that cannot be moved keeps no other one from it, and is told.
func oneIsBroken(s *suite) {
	large, small := s.take(1), s.take(2)
	s.append(&large, made("", 1, 1, 30))
	s.append(&small, made("", 1, 1, 3))
	c := s.compactor(1)
	c.Core = &broken{s.core, id(1)}
	for _, want := range []int{1, 0} {
		if r, err := c.Pass(s.ctx); r.Segments != want || !errors.Is(err, errRow) || !strings.Contains(err.Error(), id(1)) {
			s.Errorf("the pass has done %+v, %v", r, err)
		}
	}
}

// shifted says of segments that a row ends some bytes later than it does.
type shifted struct {
	core.Core
	by int
}

func (c *shifted) Compact(ctx context.Context, s *core.Segment) (bool, error) {
	s.Rows[0].Bytes += int64(c.by)
	s.Rows[1].Bytes -= int64(c.by)
	return c.Core.Compact(ctx, s)
}

// borders: rows of a segment that are not those of its lines are damage, and never lines that are cut elsewhere.
func borders(s *suite) {
	for n, by := range []int{5, len(made("", 1, 4, 1).Lines)} {
		p := s.take(n)
		s.append(&p, made("", 1, 1, 3), made("", 1, 4, 3))
		c := s.compactor(1 << 20)
		c.Core = &shifted{s.core, by}
		if r, err := c.Pass(s.ctx); err != nil || r.Segments != 1 {
			s.Fatal(r, err)
		}
		var damaged *store.DamageError
		for st, err := range s.joined.Stretches(s.ctx, id(n), 0, 6) {
			if !errors.As(err, &damaged) {
				s.Errorf("read is %+v, %v", st, err)
			}
		}
	}
}

func troubles(s *suite) {
	p := s.take(1)
	s.append(&p, made("", 1, 1, 300), made("", 1, 301, 3))
	s.pass(1)
	s.append(&p, made("", 1, 304, 2))
	keys := s.keys()
	read := func(c core.Core) (seq uint64, err error) {
		for st, err := range c.Stretches(s.ctx, id(1), 0, 305) {
			if err != nil {
				return seq, err
			}
			seq = st.Last()
		}
		return seq, nil
	}
	closed := s.Store()
	closed.Close()
	var away *core.AwayError
	if seq, err := read(cold.Join(s.core, Of(closed))); seq != 0 || !errors.As(err, &away) {
		s.Errorf("a store that does not answer: %d, %v", seq, err)
	}
	if _, err := (&cold.Compactor{Core: s.core, Store: closed, Full: 1}).Pass(s.ctx); err == nil {
		s.Error("a pass without a store")
	}
	s.reads(id(1), made("", 1, 1, 300), made("", 1, 301, 3), made("", 1, 304, 2)) // what could not be moved is in rows still
	s.Turn(core.Busy + time.Second)
	var damaged *store.DamageError
	for name, text := range map[string]string{"gone": "", "another one": strings.Repeat("x", 1000)} {
		s.must(s.store.Delete(s.ctx, keys[1]))
		if text != "" {
			s.put(keys[1], text)
		}
		if seq, err := read(s.joined); seq != 300 || !errors.As(err, &damaged) || damaged.Seq != 301 || damaged.Hint == "" || damaged.File != keys[1] {
			s.Errorf("%s: %d, %v", name, seq, err)
		}
		if _, err := s.joined.Bytes(s.ctx, id(1), 301, 304); !errors.As(err, &damaged) {
			s.Errorf("%s is counted: %v", name, err)
		}
	}
}
