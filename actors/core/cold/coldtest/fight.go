package coldtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// enough segments make a fight.
const enough = 10

// arena is where owners append, cut and remove, compactors move what they find, one sweeps while Core's clock runs wild, and others read. Calls to Core and to
// the store fail all the time.
type arena struct {
	*suite
	owner    core.Owner
	over     atomic.Bool // all owners are done
	segments atomic.Int64
	lost     atomic.Int64
	failed   atomic.Int64
	deleted  atomic.Int64
	read     atomic.Int64
	turned   atomic.Int64 // by so many nanoseconds Core's clock was set ahead
}

func fight(s *suite) {
	const owners, compactors, readers = 3, 3, 2
	owner, err := s.core.Join(s.ctx, "a")
	s.must(err)
	a := &arena{suite: s, owner: owner}
	s.Disturb(true)
	logs := make([][]store.Stretch, owners)
	var owning, others sync.WaitGroup
	for n := range owners {
		c := s.Way(s)
		owning.Go(func() {
			defer c.Close()
			o := &holder{arena: a, core: c, id: id(n), random: rand.New(rand.NewPCG(uint64(n), 3))}
			o.run()
			logs[n] = o.log
		})
	}
	for n := range compactors + readers {
		c := cold.Join(s.Way(s), Of(s.Store()))
		random := rand.New(rand.NewPCG(uint64(n), 4))
		others.Go(func() {
			defer c.Close()
			for !a.over.Load() && s.ctx.Err() == nil {
				if n < compactors {
					a.compacts(c, random)
				} else {
					a.reads(c, id(random.IntN(owners)))
				}
				runtime.Gosched()
			}
		})
	}
	owning.Wait()
	a.over.Store(true)
	others.Wait()
	s.Disturb(false)
	s.Logf("segments %d, of others %d, calls failed %d, objects deleted %d, logs read %d",
		a.segments.Load(), a.lost.Load(), a.failed.Load(), a.deleted.Load(), a.read.Load())
	if a.segments.Load() < enough || a.failed.Load() == 0 || a.read.Load() == 0 {
		s.Error("it was no fight")
	}
	s.core, s.store = s.Way(s), s.Store()
	s.joined = cold.Join(s.core, Of(s.store))
	s.Cleanup(s.joined.Close)
	var ids []string
	for n := range owners {
		ids = append(ids, id(n))
		s.reads(id(n), logs[n]...)
	}
	s.tidy(ids...)
}

func (a *arena) compacts(c core.Core, random *rand.Rand) {
	ctx, cancel := context.WithTimeout(a.ctx, time.Duration(1+random.IntN(300))*time.Millisecond)
	defer cancel()
	at := &cold.Compactor{Core: c, Store: a.store, Full: 1 + random.Int64N(3000), Rest: time.Nanosecond}
	r, err := at.Pass(ctx)
	a.segments.Add(int64(r.Segments))
	a.lost.Add(int64(r.Lost))
	if err != nil {
		a.failed.Add(1)
		a.turn(core.Busy + time.Second)
	}
	if random.IntN(20) == 0 {
		a.turn(core.Forsaken / 2) // whoever is between two steps now was away for long
	}
	n, _ := at.Sweep(ctx)
	a.deleted.Add(int64(n))
}

// reads goes through a log from its beginning. What is there of it is in order, and nothing is damaged, unless the reader was away for as long as objects stay
// that no row names, by Core's clock.
func (a *arena) reads(c core.Core, id string) {
	begun := a.turned.Load()
	p, _, ok, err := c.Session(a.ctx, id)
	if err != nil || !ok {
		return
	}
	next := p.Oldest
	for st, err := range c.Stretches(a.ctx, id, p.Oldest-1, p.Head) {
		var damaged *store.DamageError
		if errors.As(err, &damaged) && time.Duration(a.turned.Load()-begun) < core.Forsaken {
			a.Errorf("%s: %v", id, err)
		}
		if err != nil {
			return
		}
		if want := fmt.Sprintf(`{"seq":%d,`, next); st.First != next || string(st.Lines[:len(want)]) != want {
			a.Errorf("%s: event %d is %.40s", id, next, st.Lines)
		}
		next = st.Last() + 1
	}
	a.read.Add(1)
}

// turn sets Core's clock ahead.
func (a *arena) turn(by time.Duration) {
	a.turned.Add(int64(by)) // before: who reads meanwhile may have been away
	a.Turn(by)
}

// holder owns a session, and says the same again until Core has answered.
type holder struct {
	*arena
	core   core.Core
	id     string
	random *rand.Rand
	at     core.Position
	epoch  uint64
	log    []store.Stretch
}

func (h *holder) run() {
	steps := 150
	if h.Long {
		steps = 600
	}
	h.takes()
	for n := 0; n < steps || h.segments.Load() < enough && n < 5000*steps; n++ { // a store may be far slower than a Core
		switch n := h.random.IntN(30); {
		case h.ctx.Err() != nil:
			return
		case n == 0:
			h.removes()
		case n < 4 && h.at.Head > 0:
			h.cuts()
		default:
			h.appends()
		}
		runtime.Gosched()
	}
}

// until asks until there is an answer.
func (h *holder) until(ask func() error) {
	for h.ctx.Err() == nil && ask() != nil {
		h.failed.Add(1)
	}
}

func (h *holder) takes() {
	h.until(func() error {
		at, err := h.core.Take(h.ctx, h.owner, []core.Record{{Session: h.id, Agent: "pi"}})
		if err == nil {
			h.at = at[0]
		}
		return err
	})
	h.epoch = max(h.epoch, 1)
}

func (h *holder) appends() {
	st := made("", h.epoch, h.at.Head+1, 1+h.random.IntN(30), 1)
	h.until(func() error {
		a, err := h.core.Append(h.ctx, []core.Batch{{Session: h.id, Lease: h.at.Lease, Stretch: st}})
		switch {
		case err != nil:
			return err
		case a[0].Taken, a[0].At.Head == st.Last() && a[0].At.Lease == h.at.Lease:
			h.at, h.log = a[0].At, append(h.log, st)
			return nil
		}
		h.Errorf("%s: what follows %+v was answered with %+v", h.id, h.at, a[0])
		return nil
	})
}

func (h *holder) cuts() {
	h.epoch++
	c := core.Cut{Session: h.id, Lease: h.at.Lease, Epoch: h.epoch, First: 1 + h.random.Uint64N(h.at.Head)}
	h.until(func() error {
		a, err := h.core.Rewind(h.ctx, c)
		if err == nil && !a.Taken {
			h.Errorf("%+v was answered with %+v", c, a)
		}
		if err == nil {
			h.at, h.log = a.At, until(h.log, c.First-1)
		}
		return err
	})
}

func (h *holder) removes() {
	h.until(func() error {
		gone, err := h.core.Remove(h.ctx, h.id, h.at.Lease)
		if err == nil && !gone {
			h.Errorf("%s was not removed", h.id)
		}
		return err
	})
	h.log, h.epoch = nil, 1
	h.takes()
}
