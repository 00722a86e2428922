package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// once sends a request with a key of idempotency, and again where it was lost on its way: the daemon does what it asks for once. Before a first
// connection there is nothing to be in doubt about, so that a daemon which is not there is not waited for.
func (c *wire) once(ctx context.Context, q call, key string, out any) error {
	q.header = http.Header{"Idempotency-Key": {key}}
	sent, waited := false, time.Duration(0)
	for try := 1; ; try++ {
		err := c.into(ctx, q, out)
		var away *Unreachable
		if errors.As(err, &away) {
			sent = sent || away.Sent
			away.Sent = sent
		}
		if !sent || !passing(err) || waited >= c.patience {
			return err
		}
		wait := sync.Backoff(try, 0, rand.Float64())
		waited += max(wait, time.Millisecond)
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// passing says that an error may not come again: the connection was lost, or the daemon is starting, ending or at its limits.
func passing(err error) bool {
	var away *Unreachable
	var p *protocol.Problem
	if errors.As(err, &p) {
		return p.Code == protocol.CodeOverloaded || p.Code == protocol.CodeUnavailable
	}
	return errors.As(err, &away)
}

// pause waits; the error is the context's cause.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
