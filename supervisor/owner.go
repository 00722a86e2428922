package supervisor

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/tally"
	"go.uber.org/zap"
)

// Tenancy is what the sessions of an owner may use together, and what they have used.
type Tenancy = core.Tenancy

// Tenant is a budget of an owner.
type Tenant = budget.Tenant

// Questions about owners.
type (
	// SetOwnerBudget sets what the sessions of an owner may use together, and asks for what that is now. Without limits there is no budget any more.
	SetOwnerBudget struct {
		ask.Reply[Tenancy]
		Budget Tenant
		Anew   bool // what was used before does not count
	}

	// Owners asks for an owner; with an empty name, for all that have a budget.
	Owners struct {
		ask.Reply[[]Tenancy]
		Owner string
	}
)

func (*SetOwnerBudget) message() {}
func (*Owners) message()         {}

// SetOwnerBudget sets what the sessions of an owner may use together. It returns when that is on the disk.
func (s *Supervisor) SetOwnerBudget(ctx context.Context, t Tenant, anew bool) (Tenancy, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[Tenancy]) Message { return &SetOwnerBudget{r, t, anew} })
}

// Owners gives what the sessions of an owner may use and have used; with an empty name, that of all owners that have a budget.
func (s *Supervisor) Owners(ctx context.Context, owner string) ([]Tenancy, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[[]Tenancy]) Message { return &Owners{r, owner} })
}

// books keeps what owners may use, and what removed sessions had used, beside the logs.
type books struct {
	*tally.Tally
	log *zap.Logger
}

// set answers once the budget of an owner is on the disk. A disk that refuses it does not take it back: it counts, and is written with what comes next.
func (b *books) set(m *SetOwnerBudget, have Tenancy, line budget.Line) {
	b.Put(line, func(err error) {
		if err != nil {
			b.log.Warn("budget of an owner", zap.Error(err))
			err = &protocol.Problem{
				Code: protocol.CodeReadOnly, Detail: "The data folder does not take the budget, which counts only as long as the daemon runs.",
				Hint: "Free space on the disk of the daemon's data folder, and set the budget again.",
			}
		}
		m.Done(have, err)
	})
}

// keep keeps what removed sessions had used. Nobody waits: until it is on the disk, what they left there counts.
func (b *books) keep(line budget.Line) {
	b.Put(line, func(err error) {
		if err != nil {
			b.log.Warn("what removed sessions had used", zap.Error(err))
		}
	})
}

// owners answers a question about owners.
func owners(m *Owners, from *core.State, now int64) {
	if m.Owner == "" {
		m.Send(from.Tenancies(now))
	} else {
		m.Send(from.Tenancies(now, m.Owner))
	}
}
