package memory

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (c *client) Join(ctx context.Context, node string) (owner core.Owner, err error) {
	if node == "" {
		return core.Owner{}, &core.AccessError{Op: "join", Err: errors.New("a node without a name"), Hint: core.HintNode}
	}
	node = core.Text(node)
	err = c.do(ctx, "join", func(s *state) {
		owner = core.Owner{Node: node, Incarnation: c.place.lives[node] + 1}
		c.place.live(owner)
		s.begin(owner)
	})
	if err != nil {
		return core.Owner{}, err
	}
	return owner, nil
}

// live notes a node's life, for whoever comes after it.
func (p *Place) live(o core.Owner) {
	if p.lives == nil {
		p.lives = map[string]uint64{}
	}
	p.lives[o.Node] = max(p.lives[o.Node], o.Incarnation)
}

func (c *client) Take(ctx context.Context, as core.Owner, sessions []core.Record) (at []core.Position, err error) {
	as.Node = core.Text(as.Node)
	err = c.do(ctx, "take", func(s *state) {
		seen := map[string]bool{}
		for i := range sessions {
			r := &sessions[i]
			if r.Fits() && !seen[r.Session] && as.IsLife() && c.place.enter(s, as) {
				s.take(as, r.Kept(), c.place.clock())
				seen[r.Session] = true
			}
		}
		for i := range sessions {
			if sessions[i].Fits() {
				at = append(at, s.position(sessions[i].Session))
			} else {
				at = append(at, core.Position{})
			}
		}
	})
	return given(at, err)
}

func (s *state) take(as core.Owner, r core.Record, now time.Time) {
	one := s.sessions[r.Session]
	switch {
	case one == nil:
		one = &session{
			at:    core.Position{Session: r.Session, Epoch: r.Epoch, Head: r.First - 1, Oldest: r.First},
			began: r.First, epochs: protocol.Epochs{{Epoch: r.Epoch, First: r.First}}, flushed: now,
		}
		s.sessions[r.Session] = one
	case one.at.Owner.Node != as.Node && one.at.Epoch > r.Claimed:
		return
	}
	r.Epoch, r.First, r.Claimed = 0, 0, 0
	one.at.Owner, one.at.Lease, one.record, one.noted = as, newLease(), r, time.Now()
	delete(s.gone, r.Session)
}

func (c *client) Positions(ctx context.Context, ids []string) (at []core.Position, err error) {
	err = c.do(ctx, "positions", func(s *state) {
		for _, id := range ids {
			at = append(at, s.position(id))
		}
	})
	return given(at, err)
}

func (c *client) Held(ctx context.Context, node string) iter.Seq2[core.Position, error] {
	return listed(func() (held []core.Position, err error) {
		err = c.do(ctx, "held", func(s *state) {
			for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
				if p := s.sessions[id].at; p.Owner.Node == core.Text(node) && node != "" {
					held = append(held, p)
				}
			}
		})
		return held, err
	})
}

func (c *client) Remove(ctx context.Context, id string, lease core.Lease) (gone bool, err error) {
	err = c.do(ctx, "remove", func(s *state) {
		if one := s.sessions[id]; one != nil && one.at.Lease == lease {
			s.letGo(one, c.place.clock())
			delete(s.sessions, id)
			s.gone[id] = time.Now()
		}
		gone = s.sessions[id] == nil
	})
	return gone && err == nil, err
}

// letGo has a session's objects be of nobody.
func (s *state) letGo(one *session, now time.Time) {
	for _, p := range one.lost {
		if p.Segment != nil {
			s.objects[p.Segment.Object.Key] = object{one.at.Session, now, true}
		}
	}
	for _, p := range one.pictures {
		s.objects[p.Key] = object{one.at.Session, now, true}
	}
	for _, g := range one.segments {
		s.objects[g.Object.Key] = object{one.at.Session, now, true}
	}
	for i := range one.natives {
		s.objects[one.natives[i].Object.Key] = object{one.at.Session, now, true}
	}
}

// given is a list, or nothing where there is an error.
func given[T any](list []T, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return list, nil
}

// listed goes through what a call gives as a list, in one moment.
func listed[T any](ask func() ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		list, err := ask()
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		for _, one := range list {
			if !yield(one, nil) {
				return
			}
		}
	}
}
