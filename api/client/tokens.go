package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// CreateToken makes a token. Its secret is in no later answer.
func (c *Client) CreateToken(ctx context.Context, n resource.NewToken) (made resource.CreatedToken, err error) {
	err = c.into(ctx, call{method: http.MethodPost, path: "/tokens", body: n}, &made)
	return made, err
}

// Tokens lists the valid tokens, the oldest first.
func (c *Client) Tokens(ctx context.Context) ([]resource.TokenInfo, error) {
	var out resource.TokenList
	err := c.into(ctx, call{method: http.MethodGet, path: "/tokens"}, &out)
	return out.Tokens, err
}

// RevokeToken makes a token void.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.into(ctx, call{method: http.MethodDelete, path: "/tokens/" + url.PathEscape(id)}, nil)
}
