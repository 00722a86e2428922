package remote

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (c *client) Session(ctx context.Context, id string) (p core.Position, r core.Record, ok bool, err error) {
	s, err := call[wire.One, wire.Session](ctx, c, "session", "session", wire.One{Session: id})
	if err != nil || !s.Is {
		return core.Position{}, core.Record{}, false, err
	}
	return s.Position, s.Record, true, nil
}

func (c *client) Epochs(ctx context.Context, id string) (protocol.Epochs, error) {
	list, err := call[wire.One, []wire.Epoch](ctx, c, "epochs", "epochs", wire.One{Session: id})
	return wire.Epochs(list), err
}

func (c *client) Stretches(ctx context.Context, id string, since, upTo uint64) iter.Seq2[store.Stretch, error] {
	return stretches(frames(ctx, c, "stretches", "stretches", wire.Range{Session: id, Since: since, UpTo: upTo}), "stretches")
}

func (c *client) Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error] {
	return stretches(frames(ctx, c, "superseded", "superseded", wire.One{Session: id}), "superseded")
}

func (c *client) Bytes(ctx context.Context, id string, since, upTo uint64) (int64, error) {
	n, err := call[wire.Range, wire.Sum](ctx, c, "bytes", "bytes", wire.Range{Session: id, Since: since, UpTo: upTo})
	return n.Bytes, err
}

func (c *client) Changes(ctx context.Context, since time.Time) iter.Seq2[core.Change, error] {
	return list[wire.Since, core.Change](ctx, c, "changes", "changes", wire.Since{Since: since})
}

// frames is a call that is answered with a stream of them. The last one is the end, and is given, too.
func frames[Q any](ctx context.Context, c *client, op, name string, q Q) iter.Seq2[*wire.Frame, error] {
	return func(yield func(*wire.Frame, error) bool) {
		fail := func(err error) { yield(nil, failed(op, err)) }
		body, err := json.Marshal(q)
		if err != nil {
			fail(err)
			return
		}
		a, err := c.way.ask(ctx, post(name, wire.JSON, wire.Frames, body))
		if err != nil {
			fail(err)
			return
		}
		defer a.close()
		in, err := wire.Expand(a.Body)
		if err != nil {
			fail(err)
			return
		}
		defer in.Close()
		for r := wire.ReadFrames(in, math.MaxInt64); ; {
			f, err := r.Next()
			if err == nil && f.Problem != nil {
				err = &problemError{f.Problem}
			}
			if err != nil {
				fail(err)
				return
			}
			if !yield(f, nil) || f.End {
				return
			}
		}
	}
}

// stretches are frames of them.
func stretches(all iter.Seq2[*wire.Frame, error], op string) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		for f, err := range all {
			var s store.Stretch
			if err == nil && !f.End {
				if s, err = f.Stretch(); err != nil {
					err = &core.AwayError{Op: op, Err: err}
				}
			}
			switch {
			case err != nil:
				yield(store.Stretch{}, err)
				return
			case f.End, !yield(s, nil):
				return
			}
		}
	}
}
