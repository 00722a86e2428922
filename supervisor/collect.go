package supervisor

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
)

// Retention is what clients have to do with what need not be kept. Its methods are safe for concurrent use.
type Retention struct {
	ref   Ref
	rule  keep.Rule
	yard  retention.Yard
	audit *retention.Audit
	now   func() time.Time
}

// Plan says what would go by a rule; nil: by the configuration's. It changes nothing. Sessions that nobody has measured yet are measured by the caller.
func (r *Retention) Plan(ctx context.Context, rule *keep.Rule) (retention.Plan, error) {
	all, err := ask.Ask(ctx, r.ref, func(r ask.Reply[[]keep.Shelved]) Message { return &Shelves{r} })
	if err != nil {
		return retention.Plan{}, err
	}
	if rule == nil {
		rule = &r.rule
	}
	return r.yard.Make(ctx, all, *rule, r.now())
}

// Collect has go what is due by a rule, nil: by the configuration's; it returns when that has begun.
func (r *Retention) Collect(ctx context.Context, rule *keep.Rule) error {
	_, err := ask.Ask(ctx, r.ref, func(r ask.Reply[session.Done]) Message { return &Collect{r, rule} })
	return err
}

// Pin keeps a session, and with it its tree, whatever the rule says, or lets go of it. It returns when that survives the daemon.
func (r *Retention) Pin(ctx context.Context, id string, pinned bool) error {
	_, err := ask.Ask(ctx, r.ref, func(r ask.Reply[session.Done]) Message { return &Pin{r, id, pinned} })
	return err
}

// OnDiscarded has do called for each session that has gone, by the goroutine of the removal: it may wait for the disk.
func (r *Retention) OnDiscarded(do func(id string)) { r.audit.Tell(do) }
