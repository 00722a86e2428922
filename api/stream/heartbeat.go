package stream

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// heartbeat waits for events, and no longer than the heartbeat is due. Its timer is set once per heartbeat and not once per
// event.
type heartbeat struct {
	every time.Duration
	timer *time.Timer // nil: nothing was waited for yet
	set   bool        // the timer will fire, when a heartbeat is due or before
}

// wait returns true when there may be something to send, false when a heartbeat is due or ctx is done.
func (i *heartbeat) wait(ctx context.Context, r *session.Reader, since uint64, wrote time.Time) bool {
	for {
		if !i.set {
			left := time.Until(wrote.Add(i.every))
			if left <= 0 {
				return false
			}
			if i.timer == nil {
				i.timer = time.NewTimer(left)
			} else {
				i.timer.Reset(left)
			}
			i.set = true
		}
		switch err := r.WaitUntil(ctx, since, i.timer.C); {
		case err == nil:
			return true
		case ctx.Err() != nil:
			return false
		}
		i.set = false // it has fired; where frames were sent since it was set, a heartbeat is due later
	}
}

func (i *heartbeat) stop() {
	if i.timer != nil {
		i.timer.Stop()
	}
}
