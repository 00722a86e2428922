package placement

import (
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// drain is how far a node is with giving its sessions away.
type drain struct {
	until time.Time         // turns may come to their end until then
	told  core.Owner        // the life that has told Core of it
	since time.Time         // when it has
	left  int               // sessions that others can have, and that are here still
	stuck map[string]*stuck // families that could not be given away, by their first session
}

// stuck is why a family is here still, and when it is tried again.
type stuck struct {
	why  string
	wait time.Duration
	till time.Time
}

// giver has sessions go to others.
type giver struct {
	*hand
	back func(core.Position) // has a session come back that Core does not give to nobody

	mu     sync.Mutex        // guards what follows
	drains *drain            // nil: the node takes sessions
	given  map[string]uint64 // sessions that were given away, and are to be released: their newest events
	parted map[string]uint64 // those that were not gone in their time, and may go still
}

// Drain begins it, or gives turns another time.
func (g *giver) Drain(wait time.Duration) {
	g.mu.Lock()
	if g.drains == nil {
		g.drains = &drain{left: -1, stuck: map[string]*stuck{}}
	}
	g.drains.until = time.Now().Add(wait)
	g.mu.Unlock()
}

// join ends it, and says whether the node was draining. What was given away by then goes all the same.
func (g *giver) join() (was bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	was = g.drains != nil
	g.drains = nil
	return was
}

// Draining is Placement's.
func (g *giver) Draining() (left int, is bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.drains == nil {
		return 0, false
	}
	return g.drains.left, true
}

func (g *giver) isDraining() bool {
	_, is := g.Draining()
	return is
}

// is says that a drain goes on: the node may have joined meanwhile, and drain anew.
func (g *giver) is(d *drain) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.drains == d
}

// left is how many sessions were given away that are not released yet.
func (g *giver) left() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.given)
}
