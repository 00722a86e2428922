package access

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// DeleteListed removes a session only where it has not changed since it was listed.
func (g *Gate) DeleteListed(ctx context.Context, listed *session.Summary) error {
	return g.delete(ctx, listed.ID, func() error { return g.inner.DeleteListed(ctx, listed) })
}

// Delete ends a session and removes it.
func (g *Gate) Delete(ctx context.Context, id string) error {
	return g.delete(ctx, id, func() error { return g.inner.Delete(ctx, id) })
}

func (g *Gate) delete(ctx context.Context, id string, do func() error) error {
	if err := writes(ctx); err != nil {
		return err
	}
	if err := g.enter(ctx, id); err != nil {
		return err
	}
	err := do()
	if err == nil {
		g.removed(id)
	}
	return err
}
