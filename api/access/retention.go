package access

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
)

// Keeper has the calls of *supervisor.Retention that the API needs; they block no longer than their context allows.
type Keeper interface {
	Pin(ctx context.Context, id string, pinned bool) error
	Plan(ctx context.Context, rule *keep.Rule) (retention.Plan, error)
	Collect(ctx context.Context, rule *keep.Rule) error
}

// Retention is what need not be kept, as the principal of each call's context may have to do with it.
type Retention struct {
	gate  *Gate
	inner Keeper // nil: there is none
}

// NewRetention makes it. Sessions are reached through the gate.
func NewRetention(g *Gate, k Keeper) *Retention { return &Retention{g, k} }

func (r *Retention) there() error {
	if r.inner == nil {
		return protocol.NewProblem(protocol.CodeNotSupported, "This daemon removes no sessions.", "Delete those that nobody needs.")
	}
	return nil
}

// Pin keeps a session whatever the rule says, or lets go of it. An agent may not: it would fill the disk.
func (r *Retention) Pin(ctx context.Context, id string, pinned bool) error {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return err
	case !p.Writes():
		return readsOnly(ctx)
	case p.Scope == Agent:
		return refuse(ctx, "An agent does not say which sessions are kept.", "Leave pinned out.")
	}
	if err := r.gate.enter(ctx, id); err != nil {
		return err
	}
	if err := r.there(); err != nil {
		return err
	}
	return r.inner.Pin(ctx, id, pinned)
}

// Pinned needs no principal: it is asked of sessions that were reached.
func (r *Retention) Pinned(id string) bool {
	e, _ := r.gate.inner.Known(id)
	return e.Pinned
}

// Plan says what would go by a rule, nil: by the configuration's. What goes is anybody's, so only an administrator may know.
func (r *Retention) Plan(ctx context.Context, rule *keep.Rule) (retention.Plan, error) {
	if err := r.administrates(ctx); err != nil {
		return retention.Plan{}, err
	}
	return r.inner.Plan(ctx, rule)
}

// Collect has that go.
func (r *Retention) Collect(ctx context.Context, rule *keep.Rule) error {
	if err := r.administrates(ctx); err != nil {
		return err
	}
	return r.inner.Collect(ctx, rule)
}

func (r *Retention) administrates(ctx context.Context) error {
	if err := administers(ctx, "This token may not remove sessions of others."); err != nil {
		return err
	}
	return r.there()
}
