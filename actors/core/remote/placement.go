package remote

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

// life checks who asks, and gives the name as Core has it.
func life(op string, as core.Owner) (core.Owner, error) {
	err := as.Check(op)
	as.Node = core.Text(as.Node)
	return as, err
}

func (c *client) Beat(ctx context.Context, as core.Owner, beat core.Beat) (core.State, error) {
	as, err := life("beat", as)
	if err == nil {
		err = beat.Check()
	}
	if err != nil {
		return "", err
	}
	s, err := call[wire.Beat, wire.State](ctx, c, "beat", "beat", wire.Beat{As: as, Beat: beat.Kept()})
	return s.State, err
}

func (c *client) Nodes(ctx context.Context, counted bool) ([]core.Node, error) {
	return call[wire.Nodes, []core.Node](ctx, c, "nodes", "nodes", wire.Nodes{Counted: counted})
}

func (c *client) Declare(ctx context.Context, as core.Owner) ([]core.Owner, error) {
	as, err := life("declare", as)
	if err != nil {
		return nil, err
	}
	return call[wire.As, []core.Owner](ctx, c, "declare", "declare", wire.As{As: as})
}

func (c *client) Drain(ctx context.Context, as core.Owner) (core.State, error) {
	return c.depart(ctx, "drain", as)
}

func (c *client) Leave(ctx context.Context, as core.Owner) (core.State, error) {
	return c.depart(ctx, "leave", as)
}

func (c *client) depart(ctx context.Context, op string, as core.Owner) (core.State, error) {
	as, err := life(op, as)
	if err != nil {
		return "", err
	}
	s, err := call[wire.As, wire.State](ctx, c, op, op, wire.As{As: as})
	return s.State, err
}

func (c *client) Forget(ctx context.Context, node string) (core.State, error) {
	s, err := call[wire.Named, wire.State](ctx, c, "forget", "forget", wire.Named{Node: core.Text(node)})
	return s.State, err
}

func (c *client) Claim(ctx context.Context, as core.Owner, want core.Want) (core.Claims, error) {
	as, err := life("claim", as)
	if err != nil {
		return core.Claims{}, err
	}
	return call[wire.Claim, core.Claims](ctx, c, "claim", "claim", wire.Claim{As: as, Want: want})
}

func (c *client) Release(ctx context.Context, as core.Owner, sessions []core.Handed) ([]core.Answer, error) {
	as.Node = core.Text(as.Node)
	return call[wire.Release, []core.Answer](ctx, c, "release", "release", wire.Release{As: as, Sessions: sessions})
}
