package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Wait returns once something holds of sessions, or when the time of the request is over: Held says which (spec §7.14). It does not call again.
func (c *Client) Wait(ctx context.Context, r resource.WaitRequest) (a resource.WaitAnswer, err error) {
	err = c.into(ctx, call{method: http.MethodPost, path: "/wait", body: r}, &a)
	return a, err
}

// awaitedMs is the time of one call of Await. A connection that has died in silence is noticed after it and silence.
const awaitedMs = 60_000

// Await waits without a limit: it calls Wait until that holds (Held) or cannot come any more (Never). TimeoutMs counts for nothing. What is lost on its
// way, or answered while the daemon ends or is full, is asked again, after waits that grow from 0 over 0.25 s to 30 s with chance in them. A selection is
// made anew by each call.
//
// It ends with an error when the daemon refuses (*protocol.Problem), when there was no daemon at the first try (*Unreachable), or with the cause of ctx.
func (c *Client) Await(ctx context.Context, r resource.WaitRequest) (resource.WaitAnswer, error) {
	ms := int64(awaitedMs)
	if r.Until.Turn == resource.CurrentTurn {
		ms = 0 // the answer says which turn it is; a call that is lost would not
	}
	r.TimeoutMs = &ms
	joined := false // the daemon has had a call
	for fails := 0; ; {
		call, done := context.WithTimeoutCause(ctx, time.Duration(ms)*time.Millisecond+silence, &Unreachable{Where: c.where, Err: errSilent, Sent: true})
		a, err := c.Wait(call, r)
		done()
		var away *Unreachable
		joined = joined || errors.As(err, &away) && away.Sent
		switch {
		case ctx.Err() != nil && err != nil:
			return a, context.Cause(ctx)
		case err != nil && (!joined || !passing(err)):
			return a, err
		case err != nil:
			fails++
			if err := pause(ctx, sync.Backoff(fails, 0, rand.Float64())); err != nil {
				return a, err
			}
			continue
		case a.Held || a.Never:
			return a, nil
		}
		joined, fails, ms = true, 0, awaitedMs
		if len(a.Sessions) == 1 && a.Sessions[0].Turn != "" {
			r.Until.Turn = a.Sessions[0].Turn
		}
	}
}
