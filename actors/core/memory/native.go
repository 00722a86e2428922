package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

func (a archive) Archive(ctx context.Context, g *core.NativeSegment) (taken bool, err error) {
	if err := g.Check(); err != nil {
		return false, err
	}
	err = a.c.do(ctx, "archive", func(s *state) {
		taken = s.archive(g)
		if o, said := s.objects[g.Object.Key]; said && o.session == g.Session {
			o.givenUp = true
			s.objects[g.Object.Key] = o
		}
	})
	return taken && err == nil, err
}

func (s *state) archive(g *core.NativeSegment) (taken bool) {
	one := s.sessions[g.Session]
	if one == nil {
		return false
	}
	isBehind := true
	for i := range one.natives {
		had := &one.natives[i]
		taken = taken || had.Object.Key == g.Object.Key
		isBehind = isBehind && (had.Node != g.Node || had.Object.Last < g.Object.First)
	}
	if o, said := s.objects[g.Object.Key]; taken || !isBehind || !said || o.session != g.Session || o.givenUp {
		return taken
	}
	delete(s.objects, g.Object.Key)
	one.natives = append(slices.Clone(one.natives), keptNative(g))
	slices.SortFunc(one.natives, func(a, b core.NativeSegment) int {
		return cmp.Or(cmp.Compare(a.Object.First, b.Object.First), cmp.Compare(a.Node, b.Node))
	})
	return true
}

// keptNative is a segment that shares nothing that somebody may change.
func keptNative(g *core.NativeSegment) core.NativeSegment {
	k := *g
	k.Object.Frames = slices.Clone(g.Object.Frames)
	return k
}

func (a archive) Archived(ctx context.Context, session string) (list []core.NativeSegment, err error) {
	err = a.c.do(ctx, "archived", func(s *state) {
		if one := s.sessions[session]; one != nil {
			for i := range one.natives {
				list = append(list, keptNative(&one.natives[i]))
			}
		}
	})
	return given(list, err)
}

func (a archive) ArchivedUpTo(ctx context.Context, node string, sessions []string) ([]uint64, error) {
	list := make([]uint64, len(sessions))
	err := a.c.do(ctx, "archived", func(s *state) {
		for n, id := range sessions {
			if one := s.sessions[id]; one != nil {
				for i := range one.natives {
					if had := &one.natives[i]; had.Node == node {
						list[n] = max(list[n], had.Object.Last)
					}
				}
			}
		}
	})
	return given(list, err)
}

func (a archive) Number(ctx context.Context, session string, leap uint64) (first uint64, err error) {
	err = a.c.do(ctx, "number", func(s *state) {
		if one := s.sessions[session]; one != nil {
			for i := range one.natives {
				one.number = max(one.number, one.natives[i].Object.Last+1)
			}
			one.number = max(one.number, 1) + leap
			first = one.number
		}
	})
	if err != nil {
		return 0, err
	}
	return first, nil
}
