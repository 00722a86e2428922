package placement

import (
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// gate knows whether this node is sure that its sessions are its own: Core has heard it lately, and it has looked, once in the life in which that was, which of
// its sessions others have taken before.
type gate struct {
	tell  func(sure bool) // nil: nobody is told
	sleep *sleep          // for which times here are too early: Core's clock has gone on

	mu       sync.Mutex
	life     core.Owner    // that Core heard last
	begun    time.Time     // when that call began
	slept    time.Duration // the machine, by then
	until    time.Time
	surveyed core.Owner // the life in which it has looked
	sure     bool
}

// beaten says that Core has heard a life by a call that began at a time, and behind so much sleep; it is sure until another time.
func (g *gate) beaten(life core.Owner, begun time.Time, slept time.Duration, until, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.life, g.begun, g.slept, g.until = life, begun, slept, until
	g.apply(now)
}

// woke says that the machine has slept since the call that Core has heard last.
func (g *gate) woke(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.since(now) >= leastSleep
}

// since is how long the machine has slept since that call.
func (g *gate) since(now time.Time) time.Duration { return g.sleep.by(now) - g.slept }

// isSure says that the life that Core has heard counts still.
func (g *gate) isSure(now time.Time) bool {
	return g.life.Node != "" && now.Add(g.since(now)).Before(g.until)
}

// leastSleep is less than a lease, and more than two clocks may differ by that are read one behind the other.
const leastSleep = 500 * time.Millisecond

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
	sure := g.isSure(now) && g.surveyed == g.life
	if sure != g.sure && g.tell != nil {
		g.tell(sure)
	}
	g.sure = sure
}

// ends is how long it is sure; false: it is not.
func (g *gate) ends(now time.Time) (time.Duration, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.until.Sub(now) - g.since(now), g.sure
}

// last is how long ago the last call began that Core has heard.
func (g *gate) last(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return now.Sub(g.begun) + g.since(now)
}

// is gives the life that Core has heard, where that counts still, and whether that one has looked.
func (g *gate) is(now time.Time) (life core.Owner, alive, looked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.life, g.isSure(now), g.surveyed == g.life
}
