package cold

import (
	"maps"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// Pauses are those of sessions of which no object is to be made for a while: Core would not take its key, and whoever makes one reads and compresses for it. It
// may be used by any goroutine. The zero value has none.
type Pauses struct {
	mu sync.Mutex
	of map[string]pause
}

type pause struct {
	until time.Time
	next  time.Duration // how long the next one is, where Core still takes no key then
}

// firstPause is long enough for an object that somebody else puts; each further one in a row is twice as long, up to core.Busy.
const firstPause = 250 * time.Millisecond

// Of gives the end of a session's pause; false: there is none now.
func (p *Pauses) Of(session string) (until time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	until = p.of[session].until
	return until, until.After(time.Now())
}

// Next is when the first of them ends; false: there are none now.
func (p *Pauses) Next() (first time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	for one := range maps.Values(p.of) {
		if one.until.After(now) && (!ok || one.until.Before(first)) {
			first, ok = one.until, true
		}
	}
	return first, ok
}

// Tried says what came of putting an object of a session. With an error of the store its key stays intended, and Core takes no other one of the session for as
// long as core.Busy: nothing of what was tried counts as given up before. An error of Core's says nothing.
func (p *Pauses) Tried(session string, put bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case put && err == nil:
		delete(p.of, session)
	case objects.Typed(err):
		p.begin(session, core.Busy, firstPause)
	case err == nil:
		length := max(p.of[session].next, firstPause)
		p.begin(session, length, min(2*length, core.Busy))
	}
}

// begin begins a pause, with the lock held.
func (p *Pauses) begin(session string, length, next time.Duration) {
	if p.of == nil {
		p.of = map[string]pause{}
	}
	p.of[session] = pause{time.Now().Add(length), next}
}

// End forgets a session of which there is nothing to be put any more.
func (p *Pauses) End(session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.of, session)
}
