package coreapi

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// errBusy: there was neither place nor room in time.
var errBusy = &core.AwayError{Op: "serve", Err: errors.New("too much is asked of Core's server at once")}

// room is something of which there is so much, in all and for each node. Whoever asks for more waits for a while.
type room struct {
	most, each int64
	wait       time.Duration

	mu    sync.Mutex
	taken int64
	by    map[string]int64
	freed chan struct{} // closed when some is given back
}

func newRoom(most, each int64, wait time.Duration) *room {
	return &room{most: most, each: each, wait: wait, by: map[string]int64{}, freed: make(chan struct{})}
}

// inUse is what is taken.
func (r *room) inUse() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return float64(r.taken)
}

// take takes n for somebody; false: there was not enough in time.
func (r *room) take(ctx context.Context, who string, n int64) bool {
	var over <-chan time.Time
	for {
		ok, freed := r.try(who, n)
		if ok {
			return true
		}
		if over == nil {
			over = time.After(r.wait)
		}
		select {
		case <-freed:
		case <-over:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

func (r *room) try(who string, n int64) (bool, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// Somebody who has nothing gets what is more than his share, where it is free.
	if r.taken+n > r.most || r.by[who] > 0 && r.by[who]+n > r.each {
		return false, r.freed
	}
	r.taken += n
	r.by[who] += n
	return true, nil
}

func (r *room) give(who string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= n
	if r.by[who] -= n; r.by[who] == 0 {
		delete(r.by, who)
	}
	close(r.freed)
	r.freed = make(chan struct{})
}
