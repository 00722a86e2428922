package elsewhere

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
)

// reach is the way to Core, and how it goes.
type reach struct {
	core atomic.Pointer[core.Core] // nil: it was not reached yet

	mu     sync.Mutex
	err    error         // of the last look at the list
	looked time.Time     // the last that went well; zero: none has
	next   chan struct{} // closed with the next look; nil: nobody waits for that
	lacks  bool          // the list may not have all sessions
}

// stale gives what is closed with the next look at the list, where the last is long ago; nil: it is as fresh as it can be.
func (r *reach) stale(now time.Time) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || now.Sub(r.looked) < 2*listEvery {
		return nil
	}
	if r.next == nil {
		r.next = make(chan struct{})
	}
	return r.next
}

// failure is why the last look at the list failed; nil: it did not.
func (r *reach) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *reach) isPartial() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err != nil || r.looked.IsZero() || r.lacks
}

// heard notes what became of a look at the list, and says whether that is new.
func (r *reach) heard(err error, now time.Time, lacks bool) (isNew bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	isNew = (err == nil) != (r.err == nil)
	r.err, r.lacks = err, lacks
	if err == nil {
		r.looked = now
	}
	if r.next != nil {
		close(r.next)
		r.next = nil
	}
	return isNew
}

// unreached is what is told of a Core that was not reached yet.
func unreached(op string) error { return mirror.Problem(&core.AwayError{Op: op, Err: errNotYet}) }

const listEvery = time.Second // for the list, while somebody looks at it

var errNotYet = errors.New("it was not reached since the daemon's start")
