package api

import (
	"context"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/retention"
)

// maxGoing is how much of what goes one answer names.
const maxGoing = 1000

func registerRetention(t *operation.Table, sup *access.Retention) {
	operation.Register(t, operation.Operation{
		ID: "collectSessions", Method: http.MethodPost, Path: "/gc", Tag: "daemon", Need: guard.Admin, LookAt: "/sessions",
		Summary: "Remove what need not be kept",
		Text: "Says what retention removes now, and has it removed unless dryRun is set. The rule is the daemon's own, or the one that is given. " +
			"Sessions that work, that wait for an answer, that somebody reads or that are pinned stay, and so do those above and below them. " +
			"The answer comes when the removal has begun. Needs the scope admin.",
	}, func(ctx context.Context, in *struct{ Body resource.NewCollection }) (*struct{ Body resource.Collection }, error) {
		rule, err := ruleOf(&in.Body)
		if err != nil {
			return nil, err
		}
		plan, err := sup.Plan(ctx, rule)
		if err == nil && !in.Body.DryRun {
			err = sup.Collect(ctx, rule)
		}
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.Collection }{collectionOf(&plan, !in.Body.DryRun)}, nil
	})
}

// ruleOf is a rule of the caller's; nil: there is none.
func ruleOf(in *resource.NewCollection) (*keep.Rule, error) {
	if in.KeepFor == "" && in.KeepBytes == 0 {
		return nil, nil
	}
	rule := &keep.Rule{Bytes: in.KeepBytes}
	if in.KeepFor != "" {
		d, err := time.ParseDuration(in.KeepFor)
		if err != nil || d <= 0 {
			return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "keepFor is no time that sessions can be kept for.",
				"Give a time such as 720h or 90m.")
		}
		rule.For = d
	}
	return rule, nil
}

func collectionOf(p *retention.Plan, begun bool) resource.Collection {
	out := resource.Collection{Going: []resource.Going{}, Total: p.Bytes, Stays: p.Kept, KeepBytes: p.Rule.Bytes, Begun: begun}
	if p.Rule.For > 0 {
		out.KeepFor = p.Rule.For.String()
	}
	for i := range p.Going {
		g := &p.Going[i]
		out.Freed += g.Bytes
		what := "session"
		if g.Archive {
			what = "native_lines"
			out.Archives++
		} else {
			out.Sessions++
		}
		if len(out.Going) < maxGoing {
			out.Going = append(out.Going, resource.Going{SessionID: g.ID, What: what, Reason: string(g.Why), Bytes: g.Bytes, Since: g.Since.UTC()})
		}
	}
	return out
}
