package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// OwnerBudgets says what the sessions of owners may use together. Client.OwnerBudgets makes one.
type OwnerBudgets struct{ c *Client }

// OwnerBudgets gives the budgets of owners, which a token of the scope admin sets. Tokens of an owner read their own.
func (c *Client) OwnerBudgets() OwnerBudgets { return OwnerBudgets{c} }

// List lists the budgets of all owners that have one.
func (o OwnerBudgets) List(ctx context.Context) ([]resource.OwnerBudget, error) {
	var out resource.OwnerBudgetList
	err := o.c.into(ctx, call{method: http.MethodGet, path: "/budgets"}, &out)
	return out.Budgets, err
}

// Of gives what the sessions of an owner may use and have used.
func (o OwnerBudgets) Of(ctx context.Context, owner string) (b resource.OwnerBudget, err error) {
	err = o.c.into(ctx, call{method: http.MethodGet, path: "/budgets/" + url.PathEscape(owner)}, &b)
	return b, err
}

// Set replaces what the sessions of an owner may use.
func (o OwnerBudgets) Set(ctx context.Context, owner string, n resource.NewOwnerBudget) (b resource.OwnerBudget, err error) {
	err = o.c.change(ctx, call{method: http.MethodPut, path: "/budgets/" + url.PathEscape(owner), body: n}, &b)
	return b, err
}

// Remove takes the budget of an owner away, with its count.
func (o OwnerBudgets) Remove(ctx context.Context, owner string) error {
	return o.c.change(ctx, call{method: http.MethodDelete, path: "/budgets/" + url.PathEscape(owner)}, nil)
}
