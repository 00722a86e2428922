package access

import "context"

// InCore says whether Core has what a session has shown by now, for which it waits a moment; nil: there is no Core.
func (g *Gate) InCore(ctx context.Context, id string) (*bool, error) {
	if _, err := g.Parent(ctx, id); err != nil {
		return nil, err
	}
	return g.inner.InCore(ctx, id), nil
}
