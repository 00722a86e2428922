package access

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Pin keeps a session whatever retention says, or lets go of it. An agent may not: it would fill the disk.
func (g *Gate) Pin(ctx context.Context, id string, pinned bool) error {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return err
	case !p.Writes():
		return readsOnly(ctx)
	case p.Scope == Agent:
		return refuse(ctx, "An agent does not say which sessions are kept.", "Leave pinned out.")
	}
	if err := g.enter(ctx, id); err != nil {
		return err
	}
	return g.inner.Pin(ctx, id, pinned)
}

// Pinned needs no principal: it is asked of sessions that were reached.
func (g *Gate) Pinned(id string) bool {
	e, _ := g.inner.Known(id)
	return e.Pinned
}

// Plan says what retention would remove by a rule, nil: by the configuration's. What goes is anybody's, so only an administrator may know.
func (g *Gate) Plan(ctx context.Context, rule *supervisor.KeepRule) (supervisor.Plan, error) {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return supervisor.Plan{}, err
	case p.Scope != Admin:
		return supervisor.Plan{}, refuse(ctx, "This token may not remove sessions of others.", "Use a token of the scope admin.")
	}
	return g.inner.Plan(ctx, rule)
}

// Collect has that go.
func (g *Gate) Collect(ctx context.Context, rule *supervisor.KeepRule) error {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return err
	case p.Scope != Admin:
		return refuse(ctx, "This token may not remove sessions of others.", "Use a token of the scope admin.")
	}
	return g.inner.Collect(ctx, rule)
}
