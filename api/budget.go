package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// budgetOf is what the session takes, checked; nil: none was given.
func budgetOf(b *resource.NewBudget) (*protocol.Budget, error) {
	if b == nil {
		return nil, nil
	}
	out := &protocol.Budget{Session: limitsOf(b.Session), Tree: limitsOf(b.Tree), Action: b.Action, WarnAt: b.WarnAt}
	return out, out.Check()
}

// limitsOf leaves out limits that bound nothing.
func limitsOf(l *resource.NewLimits) *protocol.Limits {
	if l == nil || *l == (resource.NewLimits{}) {
		return nil
	}
	return &protocol.Limits{
		Tokens: l.Tokens, CostMicros: l.CostMicros, WorkMs: l.WorkMs, Turns: l.Turns, ToolCalls: l.ToolCalls, Children: l.Children,
	}
}

// budgets serves what sessions may use and have used.
type budgets struct {
	sup  *access.Gate
	door *control.Door
}

type budgetOutput struct{ Body resource.SessionBudget }

func registerBudgets(t *operation.Table, sup *access.Gate, door *control.Door) {
	b := &budgets{sup, door}
	operation.Register(t, operation.Operation{
		ID: "getSessionBudget", Method: http.MethodGet, Path: "/sessions/{id}/budget", Tag: "control",
		Summary: "Read what a session may use, and what it has used", Text: "With what all sessions below it have used.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operation.SessionPath) (*budgetOutput, error) { return b.read(ctx, in.ID) })
	operation.Register(t, operation.Operation{
		ID: "setSessionBudget", Method: http.MethodPut, Path: "/sessions/{id}/budget", Tag: "control",
		Summary: "Set what a session may use",
		Text: "In the place of the budget before; an empty object takes it away. Prompts that waited for room go on where there is some now. " +
			"No agent may do this, for itself or for others.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, b.set)
}

func (b *budgets) set(ctx context.Context, in *struct {
	operation.SessionPath
	Body resource.NewBudget
},
) (*budgetOutput, error) {
	if access.Of(ctx).Scope == access.Agent {
		return nil, protocol.NewProblem(protocol.CodeForbidden, "An agent sets no budgets.", "Its user does, with a token of the scope admin or owner.")
	}
	budget, err := budgetOf(&in.Body)
	if err != nil {
		return nil, err
	}
	if err := b.door.SetBudget(ctx, in.ID, budget); err != nil {
		return nil, err
	}
	return b.read(ctx, in.ID)
}

func (b *budgets) read(ctx context.Context, id string) (*budgetOutput, error) {
	d, err := b.door.Describe(ctx, id)
	if err != nil {
		return nil, err
	}
	tree, err := b.sup.Spending(ctx, id)
	if err != nil {
		return nil, err
	}
	return &budgetOutput{resource.SessionBudget{
		Budget: boundedBy(d.Budget), Spent: d.Spent, Tree: resource.Use(tree.Use), Marks: marksOf(&d.Summary), Warnings: budgetWarnings(tree.Unpriced),
	}}, nil
}

// budgetWarnings says of each model whose cost nobody knows that a limit of cost does not count it. That is no reason to refuse the limit: it may bound other
// sessions of the tree, and a price may come later.
func budgetWarnings(unpriced []supervisor.Model) (list []resource.BudgetWarning) {
	for _, m := range unpriced {
		what := "the agent " + m.Agent
		if m.Name != "" {
			what = fmt.Sprintf("the model %.256s of %s", m.Name, what)
		}
		list = append(list, resource.BudgetWarning{
			Code:   "cost_unknown",
			Detail: "What " + what + " costs is not known: the agent does not say it, and the daemon has no price. The limit of cost does not count it.",
			Hint:   "Start the daemon with a price file that has the model (--prices), or set a limit of tokens as well.",
		})
	}
	return list
}

// boundedBy leaves out a budget that bounds nothing.
func boundedBy(b *protocol.Budget) *protocol.Budget {
	if b.Unbounded() {
		return nil
	}
	return b
}

func marksOf(s *session.Summary) []protocol.BudgetMark {
	return append([]protocol.BudgetMark{}, s.Marks...)
}
