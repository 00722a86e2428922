package coreapi

import (
	"context"
	"iter"
	"net/http"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// register has all calls be served.
func (s *Server) register() {
	s.routes.Static("GET /healthz", s.health)
	asked(s, "hello", lane{}, func(_ context.Context, x *exchange, _ *wire.Nothing) (wire.Hello, error) {
		return wire.Hello{Build: s.cfg.Build, Objects: s.cfg.Objects != nil, Node: x.Node}, nil
	})
	s.registry()
	s.logs()
	s.placement()
	s.cold()
	s.objects()
}

func (s *Server) registry() {
	asked(s, "join", lane{}, func(ctx context.Context, x *exchange, q *wire.Join) (core.Owner, error) {
		if err := x.life(ctx, core.Owner{Node: q.Node}); err != nil {
			return core.Owner{}, err
		}
		return x.core.Join(ctx, q.Node)
	})
	asked(s, "take", lane{}, func(ctx context.Context, x *exchange, q *wire.Take) ([]core.Position, error) {
		if err := x.life(ctx, q.As); err != nil {
			return nil, err
		}
		if err := x.believes(ctx, q.Sessions); err != nil {
			return nil, err
		}
		at, err := x.core.Take(ctx, q.As, q.Sessions)
		return x.hideAll(at), err
	})
	asked(s, "positions", lane{}, func(ctx context.Context, x *exchange, q *wire.Positions) ([]core.Position, error) {
		at, err := x.core.Positions(ctx, q.Sessions)
		return x.hideAll(at), err
	})
	listed(s, "held", func(ctx context.Context, x *exchange, q *wire.Named) (iter.Seq2[core.Position, error], error) {
		return x.core.Held(ctx, q.Node), x.speaks(ctx, q.Node)
	})
	asked(s, "remove", lane{}, func(ctx context.Context, x *exchange, q *wire.Remove) (wire.Truth, error) {
		gone, err := x.core.Remove(ctx, q.Session, q.Lease)
		return wire.Truth{Is: gone}, err
	})
	asked(s, "note", lane{}, func(ctx context.Context, x *exchange, q *wire.Note) (wire.Nothing, error) {
		return wire.Nothing{}, x.core.Note(ctx, q.Notes)
	})
}

func (s *Server) logs() {
	s.handle("POST "+wire.Path("append"), "append", wire.Frames, lane{}, appending)
	asked(s, "rewind", lane{}, func(ctx context.Context, x *exchange, q *core.Cut) (core.Answer, error) {
		a, err := x.core.Rewind(ctx, *q)
		a.At = x.hide(a.At)
		return a, err
	})
	asked(s, "session", lane{}, func(ctx context.Context, x *exchange, q *wire.One) (wire.Session, error) {
		p, r, ok, err := x.core.Session(ctx, q.Session)
		return wire.Session{Is: ok, Position: x.hide(p), Record: r}, err
	})
	asked(s, "epochs", lane{}, func(ctx context.Context, x *exchange, q *wire.One) ([]wire.Epoch, error) {
		list, err := x.core.Epochs(ctx, q.Session)
		return wire.EpochsOf(list), err
	})
	asked(s, "bytes", lane{}, func(ctx context.Context, x *exchange, q *wire.Range) (wire.Sum, error) {
		n, err := x.core.Bytes(ctx, q.Session, q.Since, q.UpTo)
		return wire.Sum{Bytes: n}, err
	})
	framed(s, "stretches", func(ctx context.Context, x *exchange, q *wire.Range) (iter.Seq2[*wire.Frame, error], *int64) {
		return stretches(x.core.Stretches(ctx, q.Session, q.Since, q.UpTo)), nil
	})
	framed(s, "superseded", func(ctx context.Context, x *exchange, q *wire.One) (iter.Seq2[*wire.Frame, error], *int64) {
		return stretches(x.core.Superseded(ctx, q.Session)), nil
	})
	listed(s, "changes", func(ctx context.Context, x *exchange, q *wire.Since) (iter.Seq2[core.Change, error], error) {
		return func(yield func(core.Change, error) bool) {
			for one, err := range x.core.Changes(ctx, q.Since) {
				one.Position = x.hide(one.Position)
				if !yield(one, err) {
					return
				}
			}
		}, nil
	})
}

func stretches(all iter.Seq2[store.Stretch, error]) iter.Seq2[*wire.Frame, error] {
	return func(yield func(*wire.Frame, error) bool) {
		for one, err := range all {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(wire.FrameOf(&one), nil) {
				return
			}
		}
	}
}

func (s *Server) placement() {
	asked(s, "beat", lane{isPulse: true}, func(ctx context.Context, x *exchange, q *wire.Beat) (wire.State, error) {
		if err := x.life(ctx, q.As); err != nil {
			return wire.State{}, err
		}
		is, err := x.core.Beat(ctx, q.As, q.Beat)
		return wire.State{State: is}, err
	})
	asked(s, "declare", lane{isPulse: true}, func(ctx context.Context, x *exchange, q *wire.As) ([]core.Owner, error) {
		if err := x.life(ctx, q.As); err != nil {
			return nil, err
		}
		return x.core.Declare(ctx, q.As)
	})
	asked(s, "nodes", lane{}, func(ctx context.Context, x *exchange, q *wire.Nodes) ([]core.Node, error) {
		return x.core.Nodes(ctx, q.Counted)
	})
	departs := func(name string, act func(c core.Core) func(context.Context, core.Owner) (core.State, error)) {
		asked(s, name, lane{}, func(ctx context.Context, x *exchange, q *wire.As) (wire.State, error) {
			if err := x.life(ctx, q.As); err != nil {
				return wire.State{}, err
			}
			is, err := act(x.core)(ctx, q.As)
			return wire.State{State: is}, err
		})
	}
	departs("drain", func(c core.Core) func(context.Context, core.Owner) (core.State, error) { return c.Drain })
	departs("leave", func(c core.Core) func(context.Context, core.Owner) (core.State, error) { return c.Leave })
	asked(s, "forget", lane{}, func(ctx context.Context, x *exchange, q *wire.Named) (wire.State, error) {
		is, err := x.core.Forget(ctx, q.Node)
		return wire.State{State: is}, err
	})
	asked(s, "claim", lane{}, func(ctx context.Context, x *exchange, q *wire.Claim) (core.Claims, error) {
		if err := x.life(ctx, q.As); err != nil {
			return core.Claims{}, err
		}
		got, err := x.core.Claim(ctx, q.As, q.Want)
		for i := range got.Others {
			got.Others[i].At = x.hide(got.Others[i].At)
		}
		return got, err
	})
	asked(s, "release", lane{}, func(ctx context.Context, x *exchange, q *wire.Release) ([]core.Answer, error) {
		if err := x.life(ctx, q.As); err != nil {
			return nil, err
		}
		list, err := x.core.Release(ctx, q.As, q.Sessions)
		return x.hideIn(list), err
	})
}

// appending takes a stream of batches.
func appending(ctx context.Context, x *exchange) error {
	batches, err := x.batches()
	if err != nil {
		return err
	}
	answers, err := x.core.Append(ctx, batches)
	if err != nil {
		return err
	}
	x.writes()
	answer(x.w, http.StatusOK, wire.JSON, x.hideIn(answers))
	return nil
}

// batches reads the body. What does not come says nothing, and what is no batch is refused.
func (x *exchange) batches() (list []core.Batch, err error) {
	x.begin()
	body := &limited{in: x.r.Body}
	in, err := wire.Expand(body)
	if err == nil {
		defer in.Close()
		size, _ := x.size()
		frames := wire.ReadFrames(&capped{in, size}, size)
		for err == nil {
			var f *wire.Frame
			if f, err = frames.Next(); err != nil || f.End {
				break
			}
			var b core.Batch
			b, err = f.Batch()
			list = append(list, b)
		}
	}
	if body.err != nil {
		return nil, x.end(body.err)
	}
	_ = x.end(nil)
	if err != nil {
		return nil, &core.RefusedError{Op: x.call, Err: errBody}
	}
	return list, nil
}

// health says whether Core can be worked with, to whoever asks.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	type told struct {
		Status string        `json:"status"`
		Detail *wire.Problem `json:"problem,omitempty"`
	}
	if err := s.asks(); err != nil {
		answer(w, http.StatusServiceUnavailable, wire.JSON, told{"away", problemOf(err)})
		return
	}
	answer(w, http.StatusOK, wire.JSON, told{Status: "ok"})
}

// health is whether the database answers. Strangers may ask for it, so it is asked by one at a time, and its answer is good for a while.
type health struct {
	mu    sync.Mutex
	asked time.Time
	err   error
}

// healthGood is for how long an answer is good.
const healthGood = time.Second

// asks says whether the database answers.
func (s *Server) asks() error {
	h := &s.answers
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.asked) < healthGood {
		return h.err
	}
	c, err := s.work.get()
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), healthTime)
		defer cancel()
		_, err = c.Epochs(ctx, nobody)
	}
	h.asked, h.err = time.Now(), err
	return err
}
