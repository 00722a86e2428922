package peer

import (
	"sync"
	"time"
)

// absentFor is how long a node is not tried again that could not be connected to: whoever reads its sessions must not wait for it each time.
const absentFor = time.Second

// absent are the nodes that could not be connected to a moment ago.
type absent struct {
	mu    sync.Mutex
	until map[string]time.Time
}

func (a *absent) is(node string, now time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return now.Before(a.until[node])
}

func (a *absent) note(node string, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.until == nil {
		a.until = map[string]time.Time{}
	}
	for n, until := range a.until {
		if !now.Before(until) {
			delete(a.until, n)
		}
	}
	a.until[node] = now.Add(absentFor)
}
