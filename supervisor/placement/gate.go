package placement

import (
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// gate knows whether this node is sure that its sessions are its own: Core has heard it lately, and it has looked, once in the life in which that was, which of
// its sessions others have taken before.
type gate struct {
	tell func(sure bool) // nil: nobody is told

	mu       sync.Mutex
	life     core.Owner // that Core heard last
	begun    time.Time  // when that call began
	until    time.Time
	surveyed core.Owner // the life in which it has looked
	sure     bool
}

// beaten says that Core has heard a life by a call that began at a time; it is sure until another.
func (g *gate) beaten(life core.Owner, begun, until, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.life, g.begun, g.until = life, begun, until
	g.apply(now)
}

// looked says that the node has looked in a life which of its sessions others have.
func (g *gate) looked(life core.Owner, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.surveyed = life
	g.apply(now)
}

// look has it be unsure where its time is over.
func (g *gate) look(now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.apply(now)
}

func (g *gate) apply(now time.Time) {
	sure := now.Before(g.until) && g.life.Node != "" && g.surveyed == g.life
	if sure != g.sure && g.tell != nil {
		g.tell(sure)
	}
	g.sure = sure
}

// ends is how long it is sure; false: it is not.
func (g *gate) ends(now time.Time) (time.Duration, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.until.Sub(now), g.sure
}

// last is how long ago the last call began that Core has heard.
func (g *gate) last(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return now.Sub(g.begun)
}

// is gives the life that Core has heard, where that counts still, and whether that one has looked.
func (g *gate) is(now time.Time) (life core.Owner, alive, looked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.life, g.life.Node != "" && now.Before(g.until), g.surveyed == g.life
}
