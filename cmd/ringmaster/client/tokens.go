package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// CreateToken makes a token. Its secret is in no later answer.
func (c *Client) CreateToken(ctx context.Context, n resource.NewToken) (made resource.TokenInfo, secret string, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, call{method: http.MethodPost, path: "/tokens", body: n})
	if err != nil {
		return resource.TokenInfo{}, "", nil, err
	}
	var out resource.CreatedToken
	err = decode(raw, &out)
	return out.TokenInfo, out.Token, raw, err
}

// Tokens lists the valid tokens, the oldest first.
func (c *Client) Tokens(ctx context.Context) ([]resource.TokenInfo, json.RawMessage, error) {
	raw, err := c.raw(ctx, call{method: http.MethodGet, path: "/tokens"})
	if err != nil {
		return nil, nil, err
	}
	var out resource.TokenList
	return out.Tokens, raw, decode(raw, &out)
}

// RevokeToken makes a token void.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.into(ctx, call{method: http.MethodDelete, path: "/tokens/" + url.PathEscape(id)}, nil)
}
