package memory

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// node is one of a state.
type node struct {
	life            uint64 // the newest
	state           core.State
	beats           bool      // the life has beaten
	steady, expires time.Time // it has renewed without a hole since; of a life that beats
	told            core.Beat
}

func (p *Place) clock() time.Time { return time.Now().Add(p.turned) }

// begin has a node be in a life that it was not in.
func (s *state) begin(o core.Owner) {
	s.nodes[o.Node] = node{life: o.Incarnation, state: core.StateUp, told: s.nodes[o.Node].told}
}

// enter says whether a life is its node's newest, and neither dead nor gone. One that the state does not know begins.
func (p *Place) enter(s *state, as core.Owner) bool {
	if s.nodes[as.Node].life < as.Incarnation {
		s.begin(as)
		p.live(as)
	}
	return s.stands(as) == core.StateUp || s.stands(as) == core.StateDraining
}

// stands is a life's state.
func (s *state) stands(as core.Owner) core.State {
	if n := s.nodes[as.Node]; n.life == as.Incarnation {
		return n.state
	}
	return core.StateFollowed
}

// as carries out a call of a life, which may be one that the state does not know.
func (c *client) as(ctx context.Context, op string, as *core.Owner, act func(s *state)) error {
	if err := as.Check(op); err != nil {
		return err
	}
	as.Node = core.Text(as.Node)
	return c.do(ctx, op, act)
}

func (c *client) Beat(ctx context.Context, as core.Owner, beat core.Beat) (is core.State, err error) {
	if err := beat.Check(); err != nil {
		return "", err
	}
	err = c.as(ctx, "beat", &as, func(s *state) {
		if c.place.enter(s, as) {
			n, now := s.nodes[as.Node], c.place.clock()
			if !n.beats || n.expires.Before(now) || n.steady.After(now) {
				n.steady = now
			}
			n.beats, n.told, n.expires = true, beat.Kept(), now.Add(beat.Lease)
			s.nodes[as.Node] = n
		}
		is = s.stands(as)
	})
	if err != nil {
		return "", err
	}
	return is, nil
}

func (c *client) Nodes(ctx context.Context, counted bool) (list []core.Node, err error) {
	err = c.do(ctx, "nodes", func(s *state) {
		for _, name := range slices.Sorted(maps.Keys(s.nodes)) {
			n := s.nodes[name]
			one := core.Node{Owner: core.Owner{Node: name, Incarnation: n.life}, State: n.state, Beats: n.beats, Beat: n.told.Kept()}
			if n.beats {
				one.Ends = n.expires.Sub(c.place.clock())
			}
			for _, held := range s.sessions {
				if counted && held.at.Owner.Node == name {
					one.Has++
				}
			}
			list = append(list, one)
		}
	})
	return given(list, err)
}

func (c *client) Declare(ctx context.Context, as core.Owner) (dead []core.Owner, err error) {
	err = c.as(ctx, "declare", &as, func(s *state) {
		now, me := c.place.clock(), s.nodes[as.Node]
		lease := me.told.Lease
		if s.stands(as) != core.StateUp || !me.beats || !me.expires.After(now) || me.expires.After(now.Add(lease)) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(s.nodes)) {
			n := s.nodes[name]
			switch {
			case name == as.Node, !n.beats, n.state != core.StateUp && n.state != core.StateDraining:
			case n.expires.After(now.Add(n.told.Lease)): // the clock has gone back: nobody knows when it has renewed
				n.expires = now.Add(n.told.Lease)
			case n.expires.Before(me.expires.Add(-lease)) && !me.steady.After(now.Add(-max(lease, n.told.Lease))):
				n.state = core.StateDead
				dead = append(dead, core.Owner{Node: name, Incarnation: n.life})
			}
			s.nodes[name] = n
		}
	})
	return given(dead, err)
}

func (c *client) Drain(ctx context.Context, as core.Owner) (core.State, error) {
	return c.become(ctx, "drain", as, core.StateDraining)
}

func (c *client) Leave(ctx context.Context, as core.Owner) (core.State, error) {
	return c.become(ctx, "leave", as, core.StateLeft)
}

func (c *client) become(ctx context.Context, op string, as core.Owner, next core.State) (is core.State, err error) {
	err = c.as(ctx, op, &as, func(s *state) {
		if c.place.enter(s, as) {
			s.set(as.Node, next)
		}
		is = s.stands(as)
	})
	if err != nil {
		return "", err
	}
	return is, nil
}

func (s *state) set(name string, next core.State) {
	n := s.nodes[name]
	n.state = next
	s.nodes[name] = n
}

func (c *client) Forget(ctx context.Context, name string) (is core.State, err error) {
	err = c.do(ctx, "forget", func(s *state) {
		n, ok := s.nodes[core.Text(name)]
		if !ok {
			return
		}
		if n.state == core.StateDead || n.expires.Before(c.place.clock()) { // or it does not beat
			s.set(core.Text(name), core.StateLeft)
		}
		is = s.nodes[core.Text(name)].state
	})
	if err != nil {
		return "", err
	}
	return is, nil
}
