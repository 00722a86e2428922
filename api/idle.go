package api

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
)

// idleWait waits for events, and no longer than the heartbeat is due. Its timer is made once per heartbeat and not once per
// event.
type idleWait struct {
	every  time.Duration
	due    time.Time // when ctx ends
	ctx    context.Context
	cancel context.CancelFunc
}

// wait returns true when there may be something to send, false when a heartbeat is due or parent is done.
func (i *idleWait) wait(parent context.Context, r *ring.Ring, since uint64, wrote time.Time) bool {
	for {
		if i.ctx == nil || i.ctx.Err() != nil {
			i.stop()
			i.due = wrote.Add(i.every)
			i.ctx, i.cancel = context.WithDeadline(parent, i.due) //nolint:fatcontext // of parent: it does not nest
		}
		err := r.Wait(i.ctx, since)
		switch {
		case err == nil:
			return true
		case parent.Err() != nil || !wrote.Add(i.every).After(i.due):
			i.stop()
			i.ctx = nil
			return false
		}
		i.ctx = nil // frames were sent since: due later
	}
}

func (i *idleWait) stop() {
	if i.cancel != nil {
		i.cancel()
	}
}
