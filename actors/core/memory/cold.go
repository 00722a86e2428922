package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// end is the cold end of the log.
func (one *session) end() uint64 {
	if n := len(one.segments); n > 0 {
		return one.segments[n-1].Last
	}
	return one.at.Oldest - 1
}

// isBusy says that somebody is about to put an object of a session.
func (s *state) isBusy(session string, now time.Time) bool {
	for _, o := range s.objects {
		if o.session == session && !o.givenUp && o.at.After(now.Add(-core.Busy)) {
			return true
		}
	}
	return false
}

func (a archive) Due(ctx context.Context, want core.Due) (list []core.Ready, err error) {
	err = a.c.do(ctx, "due", func(s *state) {
		now := a.c.place.clock()
		for id, one := range s.sessions {
			r := core.Ready{Session: id, Since: one.end(), Head: one.at.Head, Rests: one.flushed.Before(now.Add(-want.Rest))}
			for _, row := range one.rows {
				r.Bytes += int64(len(row.Lines))
			}
			if r.Head > r.Since && (r.Bytes >= want.Full || r.Rests) && !s.isBusy(id, now) {
				list = append(list, r)
			}
		}
	})
	slices.SortFunc(list, func(a, b core.Ready) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Session, b.Session))
	})
	return given(list[:min(len(list), want.Most)], err)
}

func (a archive) Intend(ctx context.Context, session, key string) (ok bool, err error) {
	err = a.c.do(ctx, "intend", func(s *state) {
		now := a.c.place.clock()
		if _, said := s.objects[key]; s.sessions[session] != nil && !said && !s.isBusy(session, now) {
			s.objects[key], ok = object{session: session, at: now}, true
		}
	})
	return ok && err == nil, err
}

func (a archive) Compact(ctx context.Context, g *core.Segment) (taken bool, err error) {
	if problem := g.Check(); problem != "" {
		return false, &core.RefusedError{Op: "compact", Err: errors.New(problem)}
	}
	err = a.c.do(ctx, "compact", func(s *state) {
		taken = s.compact(g)
		if o, said := s.objects[g.Object.Key]; said && o.session == g.Session {
			o.givenUp = true
			s.objects[g.Object.Key] = o
		}
	})
	return taken && err == nil, err
}

func (s *state) compact(g *core.Segment) (taken bool) {
	one := s.sessions[g.Session]
	if one == nil {
		return false
	}
	taken = slices.Contains(one.named(), g.Object.Key)
	if o, said := s.objects[g.Object.Key]; taken || !said || o.session != g.Session || o.givenUp || one.end() != g.First-1 || !one.has(g.Rows) {
		return taken
	}
	delete(s.objects, g.Object.Key)
	one.segments, one.rows = append(one.segments, kept(g)), one.rows[len(g.Rows):]
	return true
}

// has says that the rows of a log begin with others.
func (one *session) has(rows []core.Row) bool {
	if len(rows) > len(one.rows) {
		return false
	}
	for i := range rows {
		want, has := &rows[i], &one.rows[i]
		if want.First != has.First || want.Last() != has.Last() || want.Epoch != has.Epoch || want.Lease != has.lease {
			return false
		}
	}
	return true
}

// named are the keys of objects that a session has.
func (one *session) named() (keys []string) {
	for _, p := range one.pictures {
		keys = append(keys, p.Key)
	}
	for _, g := range one.segments {
		keys = append(keys, g.Object.Key)
	}
	for i := range one.natives {
		keys = append(keys, one.natives[i].Object.Key)
	}
	for _, p := range one.lost {
		if p.Segment != nil {
			keys = append(keys, p.Segment.Object.Key)
		}
	}
	return keys
}

// kept is a segment that shares nothing that its maker may change.
func kept(g *core.Segment) *core.Segment {
	k := *g
	k.Object.Frames, k.Rows, k.Line = slices.Clone(g.Object.Frames), slices.Clone(g.Rows), bytes.Clone(g.Line)
	for i := range k.Rows {
		k.Rows[i].Lease, k.Rows[i].Lines, k.Rows[i].Sources = "", nil, slices.Clone(k.Rows[i].Sources)
	}
	return &k
}

func (a archive) Pieces(ctx context.Context, id string, since, upTo uint64) iter.Seq2[core.Piece, error] {
	return listed(func() ([]core.Piece, error) { return a.pieces(ctx, "stretches", id, since, upTo) })
}

// pieces are those of a part of a log, in one moment.
func (a archive) pieces(ctx context.Context, op, id string, since, upTo uint64) (list []core.Piece, err error) {
	var none error
	err = a.c.do(ctx, op, func(s *state) {
		one := s.sessions[id]
		if one == nil {
			one = &session{}
		}
		switch {
		case upTo < since, upTo > one.at.Head:
			none = &store.BeyondError{Newest: one.at.Head}
		case since < upTo && since+1 < one.at.Oldest:
			none = &store.GoneError{Oldest: one.at.Oldest}
		}
		for _, g := range one.segments {
			if p := g.Part(since, upTo); p.First <= p.Last {
				list = append(list, kept(p).Piece())
			}
		}
		for _, row := range one.rows {
			if p := core.Part(row.Stretch, since, upTo); p.Count() > 0 {
				list = append(list, core.Piece{Stretch: copied(p), Lease: row.lease})
			}
		}
	})
	return given(list, cmp.Or(err, none))
}

func (a archive) Count(ctx context.Context, id string, since, upTo uint64) (whole int64, parts []core.Piece, err error) {
	list, err := a.pieces(ctx, "bytes", id, since, upTo)
	for _, p := range list {
		switch {
		case p.Segment == nil:
			whole += int64(len(p.Lines))
		case p.Segment.Whole():
			whole += p.Segment.Bytes()
		default:
			parts = append(parts, p)
		}
	}
	if err != nil {
		return 0, nil, err
	}
	return whole, parts, nil
}

func (a archive) Aside(ctx context.Context, id string) iter.Seq2[core.Piece, error] {
	return listed(func() (lost []core.Piece, err error) {
		err = a.c.do(ctx, "superseded", func(s *state) {
			if one := s.sessions[id]; one != nil {
				lost = slices.Clone(one.lost)
			}
		})
		for i := range lost {
			if p := &lost[i]; p.Segment != nil {
				p.Segment = kept(p.Segment)
			} else {
				p.Stretch = copied(p.Stretch)
			}
		}
		return lost, err
	})
}

func (a archive) Depict(ctx context.Context, p core.Picture) (taken bool, err error) {
	err = a.c.do(ctx, "depict", func(s *state) {
		one, o := s.sessions[p.Session], s.objects[p.Key]
		at, has := 0, false
		if one != nil {
			at, has = slices.BinarySearchFunc(one.pictures, p, func(a, b core.Picture) int { return bytes.Compare(a.Digest[:], b.Digest[:]) })
		}
		switch {
		case has && one.pictures[at].Key == p.Key:
			taken = true
		case one != nil && !has && o.session == p.Session && !o.givenUp:
			one.pictures, taken = slices.Insert(slices.Clone(one.pictures), at, p), true
			delete(s.objects, p.Key)
		case o.session == p.Session && o.session != "":
			o.givenUp = true
			s.objects[p.Key] = o
		}
	})
	return taken && err == nil, err
}

func (a archive) Pictures(ctx context.Context, session string) (list []core.Picture, err error) {
	err = a.c.do(ctx, "pictures", func(s *state) {
		if one := s.sessions[session]; one != nil {
			list = slices.Clone(one.pictures)
		}
	})
	return given(list, err)
}

func (a archive) Garbage(ctx context.Context, most int) (keys []string, err error) {
	err = a.c.do(ctx, "garbage", func(s *state) {
		now := a.c.place.clock()
		for _, key := range slices.Sorted(maps.Keys(s.objects)) {
			if o := s.objects[key]; o.at.Before(now.Add(-core.Forsaken)) && len(keys) < most {
				o.givenUp = true
				s.objects[key] = o
				keys = append(keys, key)
			}
		}
	})
	return given(keys, err)
}

func (a archive) Deleted(ctx context.Context, keys []string) error {
	return a.c.do(ctx, "deleted", func(s *state) {
		maps.DeleteFunc(s.objects, func(key string, o object) bool { return o.givenUp && slices.Contains(keys, key) })
	})
}

func (a archive) Strays(ctx context.Context, keys []string) (list []string, err error) {
	err = a.c.do(ctx, "strays", func(s *state) {
		named := map[string]bool{}
		for _, one := range s.sessions {
			for _, key := range one.named() {
				named[key] = true
			}
		}
		for _, key := range keys {
			if _, said := s.objects[key]; !said && !named[key] {
				list = append(list, key)
			}
		}
	})
	return given(list, err)
}
