package placement

import (
	"cmp"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

const (
	givenAt   = 8 // families that are given away at once
	drainSoon = 250 * time.Millisecond
	// longestStuck is between two tries of a family that cannot be given away: the first comes after drainSoon, and each after twice the time.
	longestStuck = 30 * time.Second
)

// drain gives away what can go by now.
func (g *giver) drain(life core.Owner) error {
	g.mu.Lock()
	d := g.drains
	g.mu.Unlock()
	if d == nil { // the node has joined since
		return nil
	}
	if d.told != life {
		ctx, cancel := g.call()
		_, err := g.core.Drain(ctx, life)
		cancel()
		if err != nil {
			return err
		}
		d.told, d.since = life, time.Now()
	}
	err := cmp.Or(g.giveAll(d, life), g.release(life))
	left := g.left()
	for _, family := range g.families() {
		left += len(family)
	}
	g.mu.Lock()
	d.left = left
	g.mu.Unlock()
	if left > 0 {
		g.next = time.Now().Add(drainSoon)
	}
	return err
}

// giveAll gives away the families whose time has come, and releases meanwhile what has gone: nobody waits for the slowest.
func (g *giver) giveAll(d *drain, life core.Owner) error {
	g.mu.Lock()
	// What is at work goes when the others have beaten since, and look for it: it does not lie still in between.
	until := later(d.until, d.since.Add(g.cfg.Lease/beats+drainSoon))
	g.mu.Unlock()
	due := slices.DeleteFunc(g.families(), func(family []Here) bool {
		isBusy := slices.ContainsFunc(family, func(s Here) bool { return s.Busy })
		x := d.stuck[family[0].ID]
		return isBusy && time.Now().Before(until) || x != nil && time.Now().Before(x.till)
	})
	errs := make([]error, len(due))
	through := make(chan int, len(due))
	slots := make(chan struct{}, givenAt)
	for n := range due {
		go func() { // ends with the family, whose parts have their times
			slots <- struct{}{}
			errs[n] = g.give(d, due[n])
			<-slots
			through <- n
		}()
	}
	again := time.NewTicker(drainSoon)
	defer again.Stop()
	var err error
	for left := len(due); left > 0; {
		select {
		case n := <-through:
			left--
			g.note(d, due[n][0].ID, errs[n])
			for ; len(through) > 0; left-- {
				n = <-through
				g.note(d, due[n][0].ID, errs[n])
			}
		case <-again.C:
		}
		err = g.release(life)
	}
	return err
}

// note keeps why a family is here still, and says it once.
func (g *giver) note(d *drain, root string, err error) {
	if err == nil {
		delete(d.stuck, root)
		return
	}
	x := d.stuck[root]
	if x == nil {
		x = &stuck{wait: drainSoon / 2}
		d.stuck[root] = x
	}
	if x.why != err.Error() {
		x.why = err.Error()
		g.cfg.Log.Warn("a session stays here for now", zap.String("session", root), zap.Error(err))
	}
	x.wait = min(2*x.wait, longestStuck)
	x.till = time.Now().Add(x.wait)
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// families are the sessions that other nodes can have, each below the one that it works for; a family goes as a whole, or not at all.
func (g *giver) families() (list [][]Here) {
	all := map[string]Here{}
	for _, s := range g.Here() {
		all[s.ID] = s
	}
	of := map[string][]Here{}
	for id, s := range all {
		root := id
		for range len(all) {
			if _, ok := all[all[root].Parent]; !ok {
				break
			}
			root = all[root].Parent
		}
		of[root] = append(of[root], s)
	}
	for root, family := range of {
		if slices.ContainsFunc(family, func(s Here) bool { return !s.Placed }) {
			continue
		}
		slices.SortFunc(family, func(a, b Here) int { return depth(all, root, a) - depth(all, root, b) })
		list = append(list, family)
	}
	return list
}

// depth is how far below its root a session is.
func depth(all map[string]Here, root string, s Here) (n int) {
	for ; s.ID != root && n < len(all); n++ {
		s = all[s.Parent]
	}
	return n
}
