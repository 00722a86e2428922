package access

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// ValidOwner says whether an owner can have this name.
func ValidOwner(name string) bool { return fits(ownerForm, name) }

// Owners gives what the sessions of an owner may use together, and have used; with an empty name, that of all owners that have a budget. Whoever
// reads all may ask for any owner, and an owner's token for its own.
func (g *Gate) Owners(ctx context.Context, owner string) ([]supervisor.Tenancy, error) {
	p, err := asks(ctx)
	switch {
	case err != nil:
		return nil, err
	case !p.Everything() && (p.Scope == Agent || owner == "" || p.Owner != owner):
		return nil, refuse(ctx, "This token may not read what these owners may use.",
			"Ask for the token's own owner, or use a token of the scope admin or admin:ro.")
	case owner != "" && !ValidOwner(owner):
		return nil, badOwner()
	}
	return g.inner.Owners(ctx, owner)
}

// SetOwnerBudget sets what the sessions of an owner may use together; without limits it takes that away. Only an administrator may: an owner would lift
// its own limits.
func (g *Gate) SetOwnerBudget(ctx context.Context, t supervisor.Tenant, anew bool) (supervisor.Tenancy, error) {
	switch err := administers(ctx, "This token may not say what owners may use."); {
	case err != nil:
		return supervisor.Tenancy{}, err
	case !ValidOwner(t.Owner):
		return supervisor.Tenancy{}, badOwner()
	}
	return g.inner.SetOwnerBudget(ctx, t, anew)
}

func badOwner() error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, "No owner has such a name.", "Owners have letters, digits and . _ @ + -, 128 at most.")
}
