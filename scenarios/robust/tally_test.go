package robust

import (
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// tally counts what all arenas did and found. It is safe for concurrent use.
type tally struct {
	mu       sync.Mutex
	kills    int
	died     map[string]int // by point
	missed   int            // lives that did not come to their point, and were killed where they were
	shown    int            // events and items that observers were shown
	prompts  int
	visits   int
	compared int               // comparisons of the four ways that were not cut short
	most     map[string]uint64 // hits of a point while a daemon was at work, in any life
	ready    []time.Duration   // from the start of a successor until it runs
	stops    []time.Duration   // from SIGTERM until it has ended

	lost, doubled, renumbered, orphans, broken int
}

func newTally() *tally { return &tally{died: map[string]int{}, most: map[string]uint64{}} }

func (c *tally) killed(point string, planned bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kills++
	switch {
	case planned:
		c.died[point]++
	case point != "":
		c.missed++
	}
}

func (c *tally) do(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

// failed counts what a failure broke.
func (c *tally) failed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for promise, n := range map[error]*int{
		audit.ErrLost: &c.lost, audit.ErrUnique: &c.doubled, audit.ErrIdempotent: &c.doubled, audit.ErrRenumbered: &c.renumbered, audit.ErrReaped: &c.orphans,
	} {
		if errors.Is(err, promise) {
			*n++
		}
	}
	c.broken++
}

// percentile of durations; 0 where there are none.
func percentile(all []time.Duration, p float64) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}
