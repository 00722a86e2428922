package coldtest

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func pullOf[T any](list iter.Seq[T]) (next func() (T, bool), stop func()) { return iter.Pull(list) }

var errDead = errors.New("the compactor is dead")

// mortal is what a compactor works with that dies at one of its calls: it was carried out, or not, and nothing follows.
type mortal struct {
	left   int // calls until then
	isDone bool
}

func (m *mortal) call(act func() error) error {
	m.left--
	if m.left < 0 || m.left == 0 && !m.isDone {
		return errDead
	}
	err := act()
	if m.left == 0 {
		return errDead
	}
	return err
}

type mortalCore struct {
	core.Core
	*mortal
}

func (m *mortalCore) Due(ctx context.Context, want core.Due) (list []core.Ready, err error) {
	err = m.call(func() error { list, err = m.Core.Due(ctx, want); return err })
	return list, err
}

func (m *mortalCore) Intend(ctx context.Context, session, key string) (ok bool, err error) {
	err = m.call(func() error { ok, err = m.Core.Intend(ctx, session, key); return err })
	return ok, err
}

func (m *mortalCore) Compact(ctx context.Context, s *core.Segment) (ok bool, err error) {
	err = m.call(func() error { ok, err = m.Core.Compact(ctx, s); return err })
	return ok, err
}

func (m *mortalCore) Garbage(ctx context.Context, most int) (keys []string, err error) {
	err = m.call(func() error { keys, err = m.Core.Garbage(ctx, most); return err })
	return keys, err
}

func (m *mortalCore) Deleted(ctx context.Context, keys []string) error {
	return m.call(func() error { return m.Core.Deleted(ctx, keys) })
}

type mortalStore struct {
	objects.Store
	*mortal
}

func (m *mortalStore) Put(ctx context.Context, key string, body objects.Body) (fresh bool, err error) {
	err = m.call(func() error { fresh, err = m.Store.Put(ctx, key, body); return err })
	return fresh, err
}

func (m *mortalStore) Delete(ctx context.Context, key string) error {
	return m.call(func() error { return m.Store.Delete(ctx, key) })
}

// deaths: compactors die at each of their steps, again and again, while a log grows, is cut, and is made anew.
func deaths(s *suite) {
	rounds := 150
	if s.Long {
		rounds = 400
	}
	random := rand.New(rand.NewPCG(1, 2))
	p := s.take(1)
	var log []store.Stretch
	epoch, died := uint64(1), 0
	for round := range rounds {
		switch n := random.IntN(20); {
		case n == 0:
			gone, err := s.core.Remove(s.ctx, id(1), p.Lease)
			s.must(err)
			if !gone {
				s.Fatal("it is there still")
			}
			p, log, epoch = s.take(1), nil, 1
		case n < 4 && p.Head > 0:
			epoch++
			first := 1 + random.Uint64N(p.Head)
			s.rewind(&p, epoch, first)
			log = until(log, first-1)
		}
		for range random.IntN(4) {
			st := made("", epoch, p.Head+1, 1+random.IntN(40), 1+random.IntN(3))
			s.append(&p, st)
			log = append(log, st)
		}
		m := &mortal{left: 1 + random.IntN(9), isDone: random.IntN(2) == 0}
		c := &cold.Compactor{Core: &mortalCore{s.core, m}, Store: &mortalStore{s.store, m}, Full: 2000, Rest: time.Nanosecond}
		_, err := c.Pass(s.ctx)
		if err == nil {
			_, err = c.Sweep(s.ctx)
		}
		if errors.Is(err, errDead) {
			died++
		} else {
			s.must(err)
		}
		s.Turn(core.Busy + time.Second)
		if round%3 == 0 {
			s.reads(id(1), log...)
		}
	}
	s.reads(id(1), log...)
	s.Logf("%d of %d compactors died", died, rounds)
	if died < rounds/2 {
		s.Error("hardly any died")
	}
	s.tidy(id(1))
}

// until is what a log has up to an event.
func until(log []store.Stretch, upTo uint64) (kept []store.Stretch) {
	for _, st := range log {
		if p := core.Part(st, 0, upTo); p.Count() > 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// tidy expects that of all objects those are left, a day later, that rows name, and that each of these is there.
func (s *suite) tidy(sessions ...string) {
	s.Helper()
	s.Turn(core.Forsaken + time.Minute)
	s.sweep()
	if there, named := s.keys(), s.named(sessions...); !slices.Equal(there, named) {
		s.Errorf("%d objects are there, and rows name %d:\n%v\n%v", len(there), len(named), there, named)
	}
}
