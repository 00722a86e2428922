package coreapi

import (
	"context"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

func (s *Server) cold() {
	framed(s, "pieces", func(ctx context.Context, x *exchange, q *wire.Range) (iter.Seq2[*wire.Frame, error], *int64) {
		return x.pieces(x.core.Pieces(ctx, q.Session, q.Since, q.UpTo)), nil
	})
	framed(s, "aside", func(ctx context.Context, x *exchange, q *wire.One) (iter.Seq2[*wire.Frame, error], *int64) {
		return x.pieces(x.core.Aside(ctx, q.Session)), nil
	})
	framed(s, "count", func(ctx context.Context, x *exchange, q *wire.Range) (iter.Seq2[*wire.Frame, error], *int64) {
		whole, parts, err := x.core.Count(ctx, q.Session, q.Since, q.UpTo)
		return x.pieces(func(yield func(core.Piece, error) bool) {
			for i := 0; i < len(parts) && err == nil; i++ {
				if !yield(parts[i], nil) {
					return
				}
			}
			if err != nil {
				yield(core.Piece{}, err)
			}
		}), &whole
	})
	s.care()
	asked(s, "intend", lane{}, func(ctx context.Context, x *exchange, q *wire.Intend) (wire.Truth, error) {
		if err := x.puts(ctx, q.Session, q.Key); err != nil {
			return wire.Truth{}, err
		}
		if s.cfg.Objects == nil && !x.Any {
			return wire.Truth{}, nil // nowhere to put it: a picture waits at its node
		}
		ok, err := x.core.Intend(ctx, q.Session, q.Key)
		return wire.Truth{Is: ok}, err
	})
	asked(s, "depict", lane{}, func(ctx context.Context, x *exchange, q *core.Picture) (wire.Truth, error) {
		if err := x.puts(ctx, q.Session, q.Key); err != nil {
			return wire.Truth{}, err
		}
		if err := x.has(ctx, q.Session); err != nil {
			return wire.Truth{}, err
		}
		ok, err := x.core.Depict(ctx, *q)
		return wire.Truth{Is: ok}, err
	})
	asked(s, "pictures", lane{}, func(ctx context.Context, x *exchange, q *wire.One) ([]core.Picture, error) {
		return x.core.Pictures(ctx, q.Session)
	})
	s.natives()
	asked(s, "deleted", lane{}, func(ctx context.Context, x *exchange, q *wire.Keys) (wire.Nothing, error) {
		if err := x.owns(ctx, q.Keys...); err != nil {
			return wire.Nothing{}, err
		}
		return wire.Nothing{}, x.core.Deleted(ctx, q.Keys)
	})
}

// natives are the calls about native lines. A node archives its own, also of sessions that it has not any more.
func (s *Server) natives() {
	asked(s, "archive", lane{}, func(ctx context.Context, x *exchange, q *core.NativeSegment) (wire.Truth, error) {
		if err := x.speaks(ctx, q.Node); err != nil {
			return wire.Truth{}, err
		}
		if err := x.puts(ctx, q.Session, q.Object.Key); err != nil {
			return wire.Truth{}, err
		}
		ok, err := x.core.Archive(ctx, q)
		return wire.Truth{Is: ok}, err
	})
	asked(s, "archived", lane{}, func(ctx context.Context, x *exchange, q *wire.One) ([]core.NativeSegment, error) {
		return x.core.Archived(ctx, q.Session)
	})
	asked(s, "archivedUpTo", lane{}, func(ctx context.Context, x *exchange, q *wire.Natives) ([]uint64, error) {
		return x.core.ArchivedUpTo(ctx, q.Node, q.Sessions)
	})
	asked(s, "number", lane{}, func(ctx context.Context, x *exchange, q *wire.Number) (wire.First, error) {
		if err := x.has(ctx, q.Session); err != nil {
			return wire.First{}, err
		}
		first, err := x.core.Number(ctx, q.Session, q.Leap)
		return wire.First{First: first}, err
	})
}

// care are the calls of who takes care of the object store.
func (s *Server) care() {
	asked(s, "due", lane{}, func(ctx context.Context, x *exchange, q *core.Due) ([]core.Ready, error) {
		if err := x.cares(); err != nil {
			return nil, err
		}
		return x.core.Due(ctx, *q)
	})
	asked(s, "compact", lane{}, func(ctx context.Context, x *exchange, q *wire.Segment) (wire.Truth, error) {
		if err := x.cares(); err != nil {
			return wire.Truth{}, err
		}
		g, err := q.Segment()
		if err != nil {
			return wire.Truth{}, &core.RefusedError{Op: x.call, Err: err}
		}
		ok, err := x.core.Compact(ctx, g)
		return wire.Truth{Is: ok}, err
	})
	asked(s, "garbage", lane{}, func(ctx context.Context, x *exchange, q *wire.Most) ([]string, error) {
		if err := x.cares(); err != nil {
			return nil, err
		}
		return x.core.Garbage(ctx, q.Most)
	})
	asked(s, "strays", lane{}, func(ctx context.Context, x *exchange, q *wire.Keys) ([]string, error) {
		if err := x.cares(); err != nil {
			return nil, err
		}
		return x.core.Strays(ctx, q.Keys)
	})
}
