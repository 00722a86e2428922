package elsewhere

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"go.uber.org/zap"
)

// How often Core is asked.
const (
	followEvery = 250 * time.Millisecond // for what is followed
	quietEvery  = 30 * time.Second       // for the list, while nobody does
	wholeEvery  = 10 * time.Minute       // for all of it, while somebody looks: a change may have been seen too late
	lookedFor   = time.Minute            // somebody looks at a list for so long
	late        = 10 * time.Second       // by which a change may be seen after its moment
	callTime    = 20 * time.Second
	nodesEvery  = 5 * time.Second
	outageOver  = 20 * time.Second // behind an outage of Core every node has said by then that it lives
	idsOnce     = 1000             // sessions that a call asks for
	mostAtWork  = 5000             // sessions at work of which a look at the list asks where they stand
)

// follower is what the goroutine keeps.
type follower struct {
	*Elsewhere
	listed time.Time // when the list was last looked at
	heard  time.Time // when the nodes were
	back   time.Time // when Core last answered again
	whole  time.Time // when all of it was; zero: it was not, or a session may be missing from it
	latest time.Time // of Core's clock: what was changed before is known
	all    *reading  // of all of it; nil: none is under way
	broken map[string]time.Time
}

// run is the goroutine that asks Core.
func (e *Elsewhere) run() {
	defer close(e.done)
	f := &follower{Elsewhere: e, broken: map[string]time.Time{}}
	defer f.leave()
	for e.ctx.Err() == nil {
		now := e.cfg.Now()
		if now.Sub(f.listed) >= f.every(now) {
			f.listed = now
			if err := f.look(now); e.reach.heard(err, e.cfg.Now(), f.lacks()) && e.ctx.Err() == nil {
				f.note(err)
			}
		}
		followed := f.watch(e.mirrors.followed(e.Engine(), now), now)
		if err := f.move(followed); err != nil && e.ctx.Err() == nil {
			e.cfg.Log.Debug("what is followed could not be asked for", zap.Error(err))
		}
		f.pause(len(followed) > 0, e.cfg.Now())
	}
}

func (f *follower) note(err error) {
	if err == nil {
		f.cfg.Log.Info("Core gives the list of other nodes' sessions again")
		return
	}
	f.cfg.Log.Warn("Core does not give the list of other nodes' sessions; it stays as it was last known", zap.Error(err))
}

// every is how long the list may be unknown.
func (f *follower) every(now time.Time) time.Duration {
	if f.isLookedAt(now) || f.all != nil && f.reach.failure() == nil {
		return listEvery
	}
	return quietEvery
}

func (f *follower) isLookedAt(now time.Time) bool {
	return f.Roster().IsFollowed() || now.Sub(time.UnixMilli(f.asked.Load())) < lookedFor
}

// pause waits until there is something to do.
func (f *follower) pause(follows bool, now time.Time) {
	wait := min(f.every(now)-now.Sub(f.listed), listEvery) // a look each second whether somebody looks costs nothing
	if follows {
		wait = min(wait, followEvery)
	}
	t := time.NewTimer(max(wait, followEvery/10))
	defer t.Stop()
	select {
	case <-t.C:
	case <-f.hurry:
		f.listed = time.Time{}
	case <-f.ctx.Done():
	}
}

// leave gives the way to Core back.
func (f *follower) leave() {
	if c := f.reach.core.Load(); c != nil {
		(*c).Close()
	}
}

// connect opens the way to Core, where it is not open yet.
func (f *follower) connect() (core.Core, error) {
	if c := f.reach.core.Load(); c != nil {
		return *c, nil
	}
	ctx, cancel := context.WithTimeout(f.ctx, callTime)
	defer cancel()
	c, err := f.cfg.Connect(ctx)
	if err != nil {
		return nil, err
	}
	f.reach.core.Store(&c)
	return c, nil
}

// look takes what has changed in Core's list, and asks who is there.
func (f *follower) look(now time.Time) error {
	c, err := f.connect()
	if err == nil {
		err = f.list(c, now)
	}
	if err == nil {
		err = f.listAgain(c)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(f.ctx, callTime)
	defer cancel()
	if err := f.hear(ctx, c, now); err != nil {
		return err
	}
	return f.positions(ctx, c, f.known.atWork(mostAtWork), func(id string, p core.Position) {
		if p.Session == "" {
			f.drop(id)
			return
		}
		f.known.move(id, p)
	})
}

// hear asks which nodes are not to be reached.
func (f *follower) hear(ctx context.Context, c core.Core, now time.Time) error {
	if f.reach.failure() != nil { // of the look before
		f.back = now
	}
	if now.Sub(f.heard) < nodesEvery {
		return nil
	}
	nodes, err := c.Nodes(ctx, false)
	if err != nil {
		return err
	}
	f.heard = now
	if now.Sub(f.back) < outageOver {
		return nil
	}
	others := standing{map[string]bool{}, map[string]bool{}}
	for i := range nodes {
		switch n := &nodes[i]; {
		case n.Node == f.Instance():
		case n.IsSilent():
			others.silent[n.Node] = true
		case n.Beats && n.Address != "" && n.Key != "":
			others.takes[n.Node] = true
		}
	}
	f.known.hears(others)
	return nil
}

// take takes one change.
func (f *follower) take(c *core.Change) {
	id := c.Position.Session
	switch {
	case c.Gone, f.isHere(id):
		f.drop(id)
		return
	case c.Position.Owner.Node == f.Instance() && f.cfg.Removing(id): // the folder is gone, and Core is still to remove it
		return
	}
	x, err := entryOf(c)
	if err != nil {
		if !f.broken[id].Equal(c.At) {
			f.broken[id] = c.At
			f.cfg.Log.Warn("what Core keeps of a session cannot be read", zap.String("session", id), zap.Error(err))
		}
		return
	}
	delete(f.broken, id)
	f.known.put(x, f.cfg.Most)
}

// forget drops those that are not there any more.
func (f *follower) forget(there map[string]bool) {
	for _, id := range f.known.all() {
		if !there[id] {
			f.drop(id)
		}
	}
	maps.DeleteFunc(f.broken, func(id string, _ time.Time) bool { return !there[id] })
}

func (f *follower) drop(id string) {
	f.known.remove(id)
	f.mirrors.stop(f.Engine(), id)
}

// move tells the mirrors that somebody follows where Core stands.
func (f *follower) move(followed map[string]*mirror.Mirror) error {
	c := f.reach.core.Load()
	if c == nil || len(followed) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(f.ctx, callTime)
	defer cancel()
	return f.positions(ctx, *c, slices.Collect(maps.Keys(followed)), func(id string, p core.Position) {
		if p.Session == "" {
			f.drop(id)
			return
		}
		f.known.move(id, p)
		followed[id].Moved(p)
	})
}

// quietAfter is how long a mirror is fed of a session that is at rest and says nothing.
const quietAfter = time.Minute

// watch looks after the mirrors that nodes feed: Core is to be asked for the others, which it gives. What a node says is not believed any more once Core does
// not take it for alive, or says that another one has the session.
func (f *follower) watch(followed map[string]*mirror.Mirror, now time.Time) (others map[string]*mirror.Mirror) {
	others = map[string]*mirror.Mirror{}
	reached := map[string]bool{}
	for id, m := range followed {
		node := m.Node()
		if node == "" {
			others[id] = m
			continue
		}
		can, asked := reached[node]
		if !asked {
			can = (*f.peers.Load()).Reaches(f.ctx, node) == nil
			reached[node] = can
		}
		x := f.known.get(id)
		switch {
		case !can, x != nil && x.sum.Node != node:
			m.Lost()
			others[id] = m
		case x != nil && !x.sum.Status.State.Busy() && now.Sub(time.UnixMilli(m.News())) >= quietAfter:
			m.Rest()
		}
	}
	return others
}

// positions asks where sessions stand in Core.
func (f *follower) positions(ctx context.Context, c core.Core, ids []string, take func(id string, p core.Position)) error {
	for some := range slices.Chunk(ids, idsOnce) {
		at, err := c.Positions(ctx, some)
		if err != nil {
			return err
		}
		for i, id := range some {
			take(id, at[i])
		}
	}
	return nil
}
