package coretest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// contest is where nodes fight: each claims what it can, appends, releases, leaves, falls silent and goes on all the same, over connections that are cut.
type contest struct {
	*suite
	ids      []string
	mu       sync.Mutex                 // of the rest
	left     int                        // appends that are still to be acknowledged
	count    map[string]int             // what has happened, and how often
	there    map[string]map[string]bool // session, line that was acknowledged
	begun    map[string][]core.Position // session, where lost ones were claimed
	released map[string]map[string]bool // session, "epoch head" where it may have been released
	resumed  map[string][]core.Position // session, where released ones were claimed
}

func fightPlaced(s *suite) {
	c := &contest{
		suite: s, ids: []string{id(1), id(2), id(3), id(4)}, left: 300, count: map[string]int{},
		there: map[string]map[string]bool{}, begun: map[string][]core.Position{}, released: map[string]map[string]bool{}, resumed: map[string][]core.Position{},
	}
	if s.Long {
		c.left = 3000
	}
	for _, id := range c.ids {
		c.there[id], c.released[id] = map[string]bool{}, map[string]bool{}
	}
	first := s.up("first")[0]
	at := s.takeAs(first, auto(id(1)), child(id(2), id(1)), auto(id(3)), auto(id(4)))
	for _, p := range at {
		c.mayRelease(p)
	}
	s.release(first, at...)
	s.Disturb(true)
	const rare = "taken again" // on a busy machine
	steps := c.left
	for round := range uint64(5) {
		if round > 0 && (!s.Long || c.count[rare] > 0) {
			break
		}
		c.left = steps
		var all sync.WaitGroup
		for n := range 5 {
			way := s.way()
			random := rand.New(rand.NewPCG(uint64(n), 9+round))
			all.Go(func() {
				(&contender{contest: c, core: way, name: string(rune('a' + n)), random: random, has: map[string]core.Position{}}).run()
			})
		}
		all.Wait()
	}
	s.Disturb(false)
	s.Logf("%v", c.count)
	for i, what := range []string{"failed", "claimed", "claimed lost", "released", "fenced", "declared", "found dead", rare} {
		if c.count[what] == 0 && (i < 4 || s.Long) { // the others are rare
			s.Errorf("nobody was %s: it was no fight", what)
		}
	}
	s.core = s.way()
	for _, id := range c.ids {
		c.judge(id)
	}
}

// judge holds a session's log against what nodes were told.
func (c *contest) judge(id string) {
	lines, _, err := read(c.core.Stretches(c.ctx, id, 0, c.behind(id).Head))
	c.must(err)
	there, ended := map[string]bool{}, map[string]bool{}
	epochs := []uint64{0} // of each event
	last := ""
	for line := range bytes.Lines(lines) {
		var n int
		var owner string
		var epoch uint64
		_, err := fmt.Sscanf(string(line), `{"seq":%d,"ts":1700000000123,"type":"note","writer":%q,"epoch":%d}`, &n, &owner, &epoch)
		if err != nil || n != len(epochs) {
			c.Fatalf("%s: line %d is %s", id, len(epochs), line)
		}
		if owner != last {
			if ended[last] = true; ended[owner] {
				c.Errorf("%s: %s writes behind its successor at %d", id, owner, n)
			}
			last = owner
		}
		if epoch < epochs[n-1] {
			c.Errorf("%s: epoch %d at %d follows %d", id, epoch, n, epochs[n-1])
		}
		epochs = append(epochs, epoch)
		there[string(line)] = true
	}
	for line := range c.there[id] {
		if !there[line] {
			c.Errorf("%s: acknowledged and missing: %s", id, line)
		}
	}
	list, err := c.core.Epochs(c.ctx, id)
	c.must(err)
	starts := map[uint64]uint64{}
	for i, e := range list {
		if starts[e.Epoch] = e.First; i > 0 && (e.Epoch <= list[i-1].Epoch || e.First < list[i-1].First) {
			c.Errorf("%s: the epochs are %v", id, list)
		}
	}
	given := map[uint64]bool{}
	for _, p := range c.begun[id] {
		if given[p.Epoch] || starts[p.Epoch] != p.Head+1 {
			c.Errorf("%s: an epoch was given at %+v, and the epochs are %v", id, p, list)
		}
		given[p.Epoch] = true
		for seq, epoch := range epochs {
			if isBehind := uint64(seq) > p.Head; isBehind != (epoch >= p.Epoch) {
				c.Errorf("%s: event %d is of epoch %d, and %d begins with %d", id, seq, epoch, p.Epoch, p.Head+1)
			}
		}
	}
	for _, p := range c.resumed[id] {
		if !c.released[id][where(p)] {
			c.Errorf("%s: claimed at %+v, and released at %v", id, p, c.released[id])
		}
	}
}

func where(p core.Position) string {
	return strconv.FormatUint(p.Epoch, 10) + " " + strconv.FormatUint(p.Head, 10)
}

func (c *contest) mayRelease(p core.Position) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released[p.Session][where(p)] = true
}

func (c *contest) counts(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count[what]++
}

func (c *contest) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left <= 0 || c.ctx.Err() != nil
}

// contender is one node.
type contender struct {
	*contest
	core   core.Core
	name   string
	random *rand.Rand
	as     core.Owner
	has    map[string]core.Position // sessions that it believes to have
	quiet  int                      // rounds for which it does not beat
}

func (n *contender) run() {
	for !n.isOver() {
		runtime.Gosched() // a Core in the process never waits: the others would not come between
		if n.random.IntN(10) == 0 {
			n.Turn(20 * time.Minute)
		}
		if n.as.Node == "" && !n.begins() {
			continue
		}
		if n.quiet--; n.quiet < 0 {
			n.lives()
		}
		for _, p := range n.has {
			n.writes(p)
		}
		switch n.random.IntN(25) {
		case 0:
			n.quiet = 12
		case 1:
			n.try(func(ctx context.Context) error { _, err := n.core.Leave(ctx, n.as); return err })
		case 2, 3, 4:
			n.releases()
		}
	}
}

// try makes a call, which now and then ends while it is under way.
func (n *contender) try(call func(ctx context.Context) error) bool {
	most := 5 * time.Second
	if n.random.IntN(10) == 0 {
		most = time.Duration(n.random.IntN(2000)) * time.Microsecond
	}
	ctx, cancel := context.WithTimeout(n.ctx, most)
	defer cancel()
	err := call(ctx)
	if err != nil {
		n.counts("failed")
	}
	return err == nil
}

// begins starts a life, and takes what is still its own.
func (n *contender) begins() bool {
	if !n.try(func(ctx context.Context) (err error) { n.as, err = n.core.Join(ctx, n.name); return err }) {
		n.as = core.Owner{}
		return false
	}
	if n.random.IntN(20) == 0 {
		_, _ = n.core.Join(n.ctx, n.name) // as a call that had failed, and is carried out behind this one
	}
	if !n.beats() {
		return false // as nobody it would take what nobody has for its own
	}
	var at []core.Position
	if n.try(func(ctx context.Context) (err error) {
		at, err = n.core.Take(ctx, n.as, []core.Record{auto(id(1)), child(id(2), id(1)), auto(id(3)), auto(id(4))})
		return err
	}) {
		for _, p := range at {
			if p.Owner == n.as {
				n.counts("taken again")
				n.has[p.Session] = p
			}
		}
	}
	return true
}

// beats says whether it is to go on in this life.
func (n *contender) beats() bool {
	var is core.State
	if !n.try(func(ctx context.Context) (err error) { is, err = n.core.Beat(ctx, n.as, beat); return err }) || is == core.StateUp {
		return true
	}
	if is == core.StateDead {
		n.counts("found dead")
	}
	n.as = core.Owner{} // what it believes to have it goes on with, until it is fenced
	return false
}

func (n *contender) lives() {
	if !n.beats() {
		return
	}
	var dead []core.Owner
	n.try(func(ctx context.Context) (err error) { dead, err = n.core.Declare(ctx, n.as); return err })
	for range dead {
		n.counts("declared")
	}
	want := core.Want{Families: 1}
	if n.random.IntN(2) == 0 {
		want.Sessions = []string{n.ids[n.random.IntN(len(n.ids))]}
	}
	var got core.Claims
	if !n.try(func(ctx context.Context) (err error) { got, err = n.core.Claim(ctx, n.as, want); return err }) {
		n.asks()
		return
	}
	for _, one := range got.Taken {
		n.has[one.At.Session] = one.At
		if one.Lost {
			n.counts("claimed lost")
		} else {
			n.counts("claimed")
		}
		n.mu.Lock()
		list := n.resumed
		if one.Lost {
			list = n.begun
		}
		list[one.At.Session] = append(list[one.At.Session], one.At)
		n.mu.Unlock()
	}
}

// asks finds what a call has done that failed.
func (n *contender) asks() {
	var at []core.Position
	n.try(func(ctx context.Context) (err error) { at, err = n.core.Positions(ctx, n.ids); return err })
	for _, p := range at {
		if p.Owner == n.as && n.as.Node != "" {
			n.has[p.Session] = p
		} else if was, ok := n.has[p.Session]; ok && was.Lease != p.Lease {
			delete(n.has, p.Session)
		}
	}
}

// writes appends to a session until it is fenced, or has done enough.
func (n *contender) writes(p core.Position) {
	for range 1 + n.random.IntN(3) {
		b := core.Batch{Session: p.Session, Lease: p.Lease, Stretch: made(string(p.Lease), p.Epoch, p.Head+1, 1+n.random.IntN(3), 1)}
		var answers []core.Answer
		if !n.try(func(ctx context.Context) (err error) { answers, err = n.core.Append(ctx, []core.Batch{b}); return err }) {
			n.asks()
			return
		}
		switch a := answers[0]; {
		case a.Taken:
			n.won(b)
			p = a.At
			n.has[p.Session] = p
		case a.At.Lease != p.Lease:
			n.counts("fenced")
			delete(n.has, p.Session)
			return
		default: // a call that failed was carried out after all
			p = a.At
			n.has[p.Session] = p
		}
	}
}

func (n *contender) won(b core.Batch) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.left--
	for line := range bytes.Lines(b.Lines) {
		n.there[b.Session][string(line)] = true
	}
}

// releases gives back what it has. What it has appended before is all there is.
func (n *contender) releases() {
	var handed []core.Handed
	for _, p := range n.has {
		n.mayRelease(p)
		handed = append(handed, core.Handed{Session: p.Session, Lease: p.Lease, Head: p.Head})
	}
	var answers []core.Answer
	if !n.try(func(ctx context.Context) (err error) { answers, err = n.core.Release(ctx, n.as, handed); return err }) {
		n.asks()
		return
	}
	for _, a := range answers {
		if a.Taken {
			n.counts("released")
			delete(n.has, a.At.Session)
		}
	}
}
