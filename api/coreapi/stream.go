package coreapi

import (
	"bufio"
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

// listed is a call that is answered with lines.
func listed[Q, A any](s *Server, name string, act func(ctx context.Context, x *exchange, q *Q) (iter.Seq2[A, error], error)) {
	s.handle("POST "+wire.Path(name), name, wire.JSON, lane{isStream: true}, func(ctx context.Context, x *exchange) error {
		var q Q
		if err := x.decode(&q); err != nil {
			return err
		}
		all, err := act(ctx, x, &q)
		if err != nil {
			return err
		}
		begun := false
		out := bufio.NewWriterSize(timed{x}, 64<<10)
		to := json.NewEncoder(out)
		begin := func() {
			if !begun {
				x.w.Header().Set("Content-Type", wire.Lines)
			}
			begun = true
		}
		for one, err := range all {
			if err != nil && !begun {
				return err
			}
			if err != nil {
				x.server.note(err)
				x.tally.failed(err)
				_ = to.Encode(wire.Item[A]{Problem: problemOf(err)})
				return ended(out.Flush())
			}
			begin()
			if to.Encode(wire.Item[A]{Is: &one}) != nil {
				return ended(nil)
			}
		}
		begin()
		_ = to.Encode(wire.Item[A]{End: true})
		return ended(out.Flush())
	})
}

// ended is the error of an answer that has begun: there is none to tell. Whoever does not read any more is gone.
func ended(error) error { return nil }

// timed gives each write its time.
type timed struct{ x *exchange }

func (t timed) Write(b []byte) (int, error) {
	t.x.writes()
	return t.x.w.Write(b)
}

// framed is a call that is answered with frames. whole, where it is not nil, is told at the end.
func framed[Q any](s *Server, name string, act func(ctx context.Context, x *exchange, q *Q) (iter.Seq2[*wire.Frame, error], *int64)) {
	s.handle("POST "+wire.Path(name), name, wire.JSON, lane{isStream: true}, func(ctx context.Context, x *exchange) error {
		var q Q
		if err := x.decode(&q); err != nil {
			return err
		}
		all, whole := act(ctx, x, &q)
		return x.frames(all, whole)
	})
}

func (x *exchange) frames(all iter.Seq2[*wire.Frame, error], whole *int64) error {
	begun := false
	var out wire.Writer
	begin := func() {
		if !begun {
			x.w.Header().Set("Content-Type", wire.Frames)
			x.w.WriteHeader(http.StatusOK)
			out = wire.Compress(timed{x})
		}
		begun = true
	}
	last := &wire.Frame{End: true}
	for f, err := range all {
		if err != nil && !begun {
			return err
		}
		if err != nil {
			x.server.note(err)
			x.tally.failed(err)
			last = &wire.Frame{Problem: problemOf(err)}
			break
		}
		begin()
		if err := f.Write(out); err != nil {
			return ended(out.Close())
		}
	}
	if whole != nil && last.End {
		last.Whole = *whole
	}
	begin()
	_ = last.Write(out)
	return ended(out.Close())
}

// pieces are frames of them; the leases under which rows were appended are for those that make segments.
func (c *caller) pieces(all iter.Seq2[core.Piece, error]) iter.Seq2[*wire.Frame, error] {
	return func(yield func(*wire.Frame, error) bool) {
		for p, err := range all {
			if err != nil {
				yield(nil, err)
				return
			}
			if !c.Any {
				p.Lease = ""
			}
			if !yield(wire.FrameOfPiece(&p), nil) {
				return
			}
		}
	}
}
