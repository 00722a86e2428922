package memory

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

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
		s.nodes[node] = owner.Incarnation
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
			if r.Fits() && !seen[r.Session] && as.Node != "" && as.Incarnation > 0 && as.Incarnation <= protocol.MaxSeq && s.nodes[as.Node] <= as.Incarnation {
				s.nodes[as.Node] = as.Incarnation
				c.place.live(as)
				s.take(as, r.Kept())
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

func (s *state) take(as core.Owner, r core.Record) {
	one := s.sessions[r.Session]
	switch {
	case one == nil:
		one = &session{
			at:    core.Position{Session: r.Session, Epoch: r.Epoch, Head: r.First - 1, Oldest: r.First},
			began: r.First, epochs: protocol.Epochs{{Epoch: r.Epoch, First: r.First}},
		}
		s.sessions[r.Session] = one
	case one.at.Owner.Node != as.Node:
		return
	}
	r.Epoch, r.First = 0, 0
	one.at.Owner, one.at.Lease, one.record = as, newLease(), r
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
	return func(yield func(core.Position, error) bool) {
		var held []core.Position
		err := c.do(ctx, "held", func(s *state) {
			for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
				if p := s.sessions[id].at; p.Owner.Node == core.Text(node) && node != "" {
					held = append(held, p)
				}
			}
		})
		if err != nil {
			yield(core.Position{}, err)
			return
		}
		for _, p := range held {
			if !yield(p, nil) {
				return
			}
		}
	}
}

func (c *client) Remove(ctx context.Context, id string, lease core.Lease) (gone bool, err error) {
	err = c.do(ctx, "remove", func(s *state) {
		if one := s.sessions[id]; one != nil && one.at.Lease == lease {
			delete(s.sessions, id)
		}
		gone = s.sessions[id] == nil
	})
	return gone && err == nil, err
}

// given is a list, or nothing where there is an error.
func given[T any](list []T, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return list, nil
}
