package coretest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// arena is where owners fight: each takes sessions from the others, and appends until it is fenced, over connections that are cut, and with
// calls that are given up.
type arena struct {
	*suite
	as     core.Owner
	ids    []string
	left   atomic.Int64 // appends that are still to be acknowledged
	unsure atomic.Int64 // calls that failed

	mu           sync.Mutex
	acknowledged map[string]map[string]bool // session, line
	refused      int
}

func fight(s *suite) {
	const owners = 5
	a := &arena{suite: s, as: s.join("a"), ids: []string{id(1), id(2), id(3)}, acknowledged: map[string]map[string]bool{}}
	a.left.Store(300)
	if s.Long {
		a.left.Store(3000)
	}
	for _, id := range a.ids {
		a.acknowledged[id] = map[string]bool{}
	}
	s.take(a.as, a.ids...)
	s.Disturb(true)
	var all sync.WaitGroup
	for n := range owners {
		way := s.way()
		all.Go(func() { (&fighter{arena: a, core: way, random: rand.New(rand.NewPCG(uint64(n), 7))}).run() })
	}
	all.Wait()
	s.Disturb(false)
	s.Logf("appends left %d, batches refused %d, calls failed %d", a.left.Load(), a.refused, a.unsure.Load())
	if a.refused == 0 || a.unsure.Load() == 0 {
		s.Error("nobody was fenced, or no call failed: it was no fight")
	}
	s.core = s.way()
	for _, id := range a.ids {
		a.judge(id)
	}
}

// judge holds a session's log against what owners were told: no gap, no owner behind a later one, and nothing missing.
func (a *arena) judge(id string) {
	at, err := a.core.Positions(a.ctx, []string{id})
	a.must(err)
	lines, _, err := read(a.core.Stretches(a.ctx, id, 0, at[0].Head))
	a.must(err)
	there, ended := map[string]bool{}, map[string]bool{}
	seq, last := 0, ""
	for line := range bytes.Lines(lines) {
		seq++
		var n int
		var owner string
		if _, err := fmt.Sscanf(string(line), `{"seq":%d,"ts":1700000000123,"type":"note","writer":%q`, &n, &owner); err != nil || n != seq {
			a.Fatalf("%s: line %d is %s", id, seq, line)
		}
		if owner != last {
			if ended[last] = true; ended[owner] {
				a.Errorf("%s: %s writes behind its successor at %d", id, owner, seq)
			}
			last = owner
		}
		there[string(line)] = true
	}
	for line := range a.acknowledged[id] {
		if !there[line] {
			a.Errorf("%s: acknowledged and missing: %s", id, line)
		}
	}
}

// fighter is one owner.
type fighter struct {
	*arena
	core   core.Core
	random *rand.Rand
}

func (f *fighter) run() {
	for f.left.Load() > 0 && f.ctx.Err() == nil {
		f.hold(f.ids[f.random.IntN(len(f.ids))])
	}
}

// within gives a context that ends soon, now and then while a call is under way.
func (f *fighter) within() (context.Context, context.CancelFunc) {
	most := 5 * time.Second
	if f.random.IntN(10) == 0 {
		most = time.Duration(f.random.IntN(2000)) * time.Microsecond
	}
	return context.WithTimeout(f.ctx, most)
}

// hold takes a session, and appends to it until somebody else has it.
func (f *fighter) hold(id string) {
	ctx, cancel := f.within()
	at, err := f.core.Take(ctx, f.as, []core.Record{record(id)})
	cancel()
	if err != nil {
		f.unsure.Add(1)
		return
	}
	p := at[0]
	for range 1 + f.random.IntN(10) {
		runtime.Gosched() // a Core in the process never waits: the others would not come between
		b := core.Batch{Session: id, Lease: p.Lease, Stretch: made(string(p.Lease), 1, p.Head+1, 1+f.random.IntN(3), 1)}
		ctx, cancel := f.within()
		answers, err := f.core.Append(ctx, []core.Batch{b})
		cancel()
		if err != nil {
			f.unsure.Add(1)
			ctx, cancel := f.within()
			at, err = f.core.Positions(ctx, []string{id})
			cancel()
			if err != nil || at[0].Lease != p.Lease {
				return
			}
			if p = at[0]; p.Head == b.Last() {
				f.won(b)
			}
			continue
		}
		if p = answers[0].At; !answers[0].Taken {
			if p.Lease != b.Lease {
				f.mu.Lock()
				f.refused++
				f.mu.Unlock()
				return
			}
			continue // a call of ours that failed was carried out after all
		}
		f.won(b)
	}
}

// won notes what an owner was told to be there.
func (f *fighter) won(b core.Batch) {
	f.left.Add(-1)
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range bytes.Lines(b.Lines) {
		f.acknowledged[b.Session][string(line)] = true
	}
}
