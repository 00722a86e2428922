package client

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Logins logs pages in by a link (spec §7.15). Client.Logins makes one.
type Logins struct{ c *Client }

// Logins logs pages in, which may then do what the client's token may.
func (c *Client) Logins() Logins { return Logins{c} }

// Ask asks for a code that logs a page in: once, within a minute.
func (l Logins) Ask(ctx context.Context) (code resource.LoginCode, err error) {
	err = l.c.into(ctx, call{method: http.MethodPost, path: "/logins"}, &code)
	return code, err
}

// Trade trades a code for a token, as a page does. It needs no token. The secret is in no later answer.
func (l Logins) Trade(ctx context.Context, n resource.NewLogin) (made resource.CreatedToken, err error) {
	err = l.c.into(ctx, call{method: http.MethodPost, path: "/login", body: n}, &made)
	return made, err
}

// End makes the client's own token void, where it is one that Trade gave.
func (l Logins) End(ctx context.Context) error {
	return l.c.change(ctx, call{method: http.MethodDelete, path: "/login"}, nil)
}
