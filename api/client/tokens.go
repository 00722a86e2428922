package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Tokens makes, lists and revokes the daemon's tokens. Client.Tokens makes one.
type Tokens struct{ c *Client }

// Tokens gives the daemon's tokens, which a token of the scope admin reaches.
func (c *Client) Tokens() Tokens { return Tokens{c} }

// Create makes a token. Its secret is in no later answer.
func (t Tokens) Create(ctx context.Context, n resource.NewToken) (made resource.CreatedToken, err error) {
	err = t.c.change(ctx, call{method: http.MethodPost, path: "/tokens", body: n}, &made)
	return made, err
}

// List lists the valid tokens, the oldest first.
func (t Tokens) List(ctx context.Context) ([]resource.TokenInfo, error) {
	var out resource.TokenList
	err := t.c.into(ctx, call{method: http.MethodGet, path: "/tokens"}, &out)
	return out.Tokens, err
}

// Revoke makes a token void.
func (t Tokens) Revoke(ctx context.Context, id string) error {
	return t.c.change(ctx, call{method: http.MethodDelete, path: "/tokens/" + url.PathEscape(id)}, nil)
}
