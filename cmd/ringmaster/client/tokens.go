package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// Token is a token that somebody made, without its secret.
type Token struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Scope     string     `json:"scope"`
	Owner     string     `json:"owner"`
	CreatedAt time.Time  `json:"createdAt"`
	ExpiresAt *time.Time `json:"expiresAt"` // nil: never
}

// NewToken is a token to make.
type NewToken struct {
	Name      string     `json:"name"`
	Scope     string     `json:"scope"`
	Owner     string     `json:"owner,omitempty"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
}

// CreateToken makes a token. Its secret is in no later answer.
func (c *Client) CreateToken(ctx context.Context, n NewToken) (made Token, secret string, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, call{method: http.MethodPost, path: "/tokens", body: n})
	if err != nil {
		return Token{}, "", nil, err
	}
	var out struct {
		Token
		Secret string `json:"token"`
	}
	err = decode(raw, &out)
	return out.Token, out.Secret, raw, err
}

// Tokens lists the valid tokens, the oldest first.
func (c *Client) Tokens(ctx context.Context) ([]Token, json.RawMessage, error) {
	raw, err := c.raw(ctx, call{method: http.MethodGet, path: "/tokens"})
	if err != nil {
		return nil, nil, err
	}
	var out struct {
		Tokens []Token `json:"tokens"`
	}
	return out.Tokens, raw, decode(raw, &out)
}

// RevokeToken makes a token void.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.into(ctx, call{method: http.MethodDelete, path: "/tokens/" + url.PathEscape(id)}, nil)
}
