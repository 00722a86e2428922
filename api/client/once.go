package client

import (
	"cmp"
	"context"
	cryptorand "crypto/rand"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type keyKey struct{}

// WithKey gives a call that changes something a key of idempotency of the caller's, of at most 128 bytes, in place of one that the client makes for it: a
// program that keeps the key before it calls can ask again after its own end, and is told what the daemon has answered, or that it was uncertain (spec
// §7.16). The context is for one call. Prompt and New have a Key of their own, which counts before this one.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyKey{}, key)
}

// keyOf is the key of a call: the caller's, or one that no other call has.
func keyOf(ctx context.Context, own string) string {
	given, _ := ctx.Value(keyKey{}).(string)
	return cmp.Or(own, given, cryptorand.Text())
}

// change does what changes something, once.
func (c *Client) change(ctx context.Context, q call, out any) error {
	return c.once(ctx, q, keyOf(ctx, ""), out)
}

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
