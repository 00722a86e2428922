package remote

import (
	"context"
	"errors"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

func (a archive) Due(ctx context.Context, want core.Due) ([]core.Ready, error) {
	return call[core.Due, []core.Ready](ctx, a.c, "due", "due", want)
}

func (a archive) Intend(ctx context.Context, session, key string) (bool, error) {
	is, err := call[wire.Intend, wire.Truth](ctx, a.c, "intend", "intend", wire.Intend{Session: session, Key: key})
	return is.Is, err
}

func (a archive) Compact(ctx context.Context, s *core.Segment) (taken bool, err error) {
	if problem := s.Check(); problem != "" {
		return false, &core.RefusedError{Op: "compact", Err: errors.New(problem)}
	}
	is, err := call[*wire.Segment, wire.Truth](ctx, a.c, "compact", "compact", wire.SegmentOf(s))
	return is.Is, err
}

func (a archive) Pieces(ctx context.Context, id string, since, upTo uint64) iter.Seq2[core.Piece, error] {
	return pieces(frames(ctx, a.c, "stretches", "pieces", wire.Range{Session: id, Since: since, UpTo: upTo}), "stretches", nil)
}

func (a archive) Aside(ctx context.Context, id string) iter.Seq2[core.Piece, error] {
	return pieces(frames(ctx, a.c, "superseded", "aside", wire.One{Session: id}), "superseded", nil)
}

func (a archive) Count(ctx context.Context, id string, since, upTo uint64) (whole int64, parts []core.Piece, err error) {
	for p, err := range pieces(frames(ctx, a.c, "bytes", "count", wire.Range{Session: id, Since: since, UpTo: upTo}), "bytes", &whole) {
		if err != nil {
			return 0, nil, err
		}
		parts = append(parts, p)
	}
	return whole, parts, nil
}

// pieces are frames of them; whole, where it is not nil, is what the end says.
func pieces(all iter.Seq2[*wire.Frame, error], op string, whole *int64) iter.Seq2[core.Piece, error] {
	return func(yield func(core.Piece, error) bool) {
		for f, err := range all {
			var p core.Piece
			if err == nil && !f.End {
				if p, err = f.Piece(); err != nil {
					err = &core.AwayError{Op: op, Err: err}
				}
			}
			switch {
			case err != nil:
				yield(core.Piece{}, err)
				return
			case f.End:
				if whole != nil {
					*whole = f.Whole
				}
				return
			case !yield(p, nil):
				return
			}
		}
	}
}

func (a archive) Depict(ctx context.Context, p core.Picture) (taken bool, err error) {
	is, err := call[core.Picture, wire.Truth](ctx, a.c, "depict", "depict", p)
	return is.Is, err
}

func (a archive) Pictures(ctx context.Context, session string) ([]core.Picture, error) {
	return call[wire.One, []core.Picture](ctx, a.c, "pictures", "pictures", wire.One{Session: session})
}

func (a archive) Garbage(ctx context.Context, most int) ([]string, error) {
	return call[wire.Most, []string](ctx, a.c, "garbage", "garbage", wire.Most{Most: most})
}

func (a archive) Deleted(ctx context.Context, keys []string) error {
	_, err := call[wire.Keys, wire.Nothing](ctx, a.c, "deleted", "deleted", wire.Keys{Keys: keys})
	return err
}

func (a archive) Strays(ctx context.Context, keys []string) ([]string, error) {
	return call[wire.Keys, []string](ctx, a.c, "strays", "strays", wire.Keys{Keys: keys})
}

func (a archive) Archive(ctx context.Context, s *core.NativeSegment) (taken bool, err error) {
	if err := s.Check(); err != nil {
		return false, err
	}
	is, err := call[*core.NativeSegment, wire.Truth](ctx, a.c, "archive", "archive", s)
	return is.Is, err
}

func (a archive) Archived(ctx context.Context, session string) ([]core.NativeSegment, error) {
	return call[wire.One, []core.NativeSegment](ctx, a.c, "archived", "archived", wire.One{Session: session})
}

func (a archive) ArchivedUpTo(ctx context.Context, node string, sessions []string) ([]uint64, error) {
	upTo, err := call[wire.Natives, []uint64](ctx, a.c, "archived", "archivedUpTo", wire.Natives{Node: node, Sessions: sessions})
	if err == nil && len(upTo) != len(sessions) {
		return nil, &core.AwayError{Op: "archived", Err: errors.New("the answer is of other sessions")}
	}
	return upTo, err
}

func (a archive) Number(ctx context.Context, session string, leap uint64) (first uint64, err error) {
	is, err := call[wire.Number, wire.First](ctx, a.c, "number", "number", wire.Number{Session: session, Leap: leap})
	return is.First, err
}
