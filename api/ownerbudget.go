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
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// OwnerPath is the path of an owner's budget.
type OwnerPath struct {
	Owner string `path:"owner" maxLength:"128" doc:"Whose sessions" example:"ann"`
}

type ownerBudgetOutput struct{ Body resource.OwnerBudget }

func registerOwnerBudgets(t *operation.Table, gate *access.Gate) {
	operation.Register(t, operation.Operation{
		ID: "listOwnerBudgets", Method: http.MethodGet, Path: "/budgets", Tag: "daemon", Need: guard.All,
		Summary: "List the budgets of owners", Text: "With what the sessions of each have used. Needs the scope admin or admin:ro.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body resource.OwnerBudgetList }, error) {
		all, err := gate.Owners(ctx, "")
		if err != nil {
			return nil, err
		}
		list := resource.OwnerBudgetList{Budgets: []resource.OwnerBudget{}}
		for i := range all {
			list.Budgets = append(list.Budgets, ownerBudget(&all[i]))
		}
		return &struct{ Body resource.OwnerBudgetList }{list}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "getOwnerBudget", Method: http.MethodGet, Path: "/budgets/{owner}", Tag: "daemon",
		Summary: "Read what the sessions of an owner may use together, and what they have used",
		Text:    "Tokens of an owner may read their own. An owner without a budget has an answer without limits.",
	}, func(ctx context.Context, in *OwnerPath) (*ownerBudgetOutput, error) {
		have, err := gate.Owners(ctx, in.Owner)
		if err != nil {
			return nil, err
		}
		return &ownerBudgetOutput{ownerBudget(&have[0])}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "setOwnerBudget", Method: http.MethodPut, Path: "/budgets/{owner}", Tag: "daemon", Need: guard.Admin,
		Summary: "Set what the sessions of an owner may use together",
		Text: "In the place of the budget before, which goes on counting unless anew is given. What was used before an owner's first budget does not count. " +
			"Prompts that waited for room go on where there is some now. Needs the scope admin.",
	}, func(ctx context.Context, in *struct {
		OwnerPath
		Body resource.NewOwnerBudget
	},
	) (*ownerBudgetOutput, error) {
		want, err := tenantOf(in.Owner, &in.Body)
		if err != nil {
			return nil, err
		}
		have, err := gate.SetOwnerBudget(ctx, want, in.Body.Anew)
		if err != nil {
			return nil, err
		}
		return &ownerBudgetOutput{ownerBudget(&have)}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "removeOwnerBudget", Method: http.MethodDelete, Path: "/budgets/{owner}", Tag: "daemon", Need: guard.Admin,
		Summary: "Take the budget of an owner away", Text: "Its count goes with it: a budget that is set later counts from then on. Needs the scope admin.",
	}, func(ctx context.Context, in *OwnerPath) (*struct{}, error) {
		_, err := gate.SetOwnerBudget(ctx, supervisor.Tenant{Owner: in.Owner}, false)
		return nil, err
	})
}

// tenantOf is what the supervisor takes, checked.
func tenantOf(owner string, b *resource.NewOwnerBudget) (t supervisor.Tenant, err error) {
	t = supervisor.Tenant{Owner: owner, Limits: limitsOf(&b.Limits), Action: b.Action, WarnAt: b.WarnAt}
	if t.Limits == nil {
		return t, protocol.NewProblem(protocol.CodeInvalidRequest, "The budget has no limit.",
			"Give one of tokens, costMicros, workMs, turns, toolCalls and children, from 1; DELETE takes a budget away.")
	}
	check := protocol.Budget{Tree: t.Limits, Action: t.Action, WarnAt: t.WarnAt}
	return t, check.Check()
}

func ownerBudget(t *supervisor.Tenancy) resource.OwnerBudget {
	b := resource.OwnerBudget{
		Owner: t.Owner, Spent: resource.Use(t.Use), Marks: append([]protocol.BudgetMark{}, t.Marks...), Warnings: budgetWarnings(t.Unpriced),
	}
	if r := t.Rule; r != nil {
		since := time.UnixMilli(r.Since).UTC()
		b.Limits, b.Action, b.WarnAt, b.Since = r.Limits, r.Action, r.WarnAt, &since
	}
	return b
}
