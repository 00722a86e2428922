package client

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Option changes how a Client works.
type Option func(*Client)

// Named says how the log names what is done with this client: as the clientId of prompts, answers and interrupts, of at most 128 bytes. Without it they
// have none, unless a prompt or an answer says its own.
func Named(name string) Option { return func(c *Client) { c.name = name } }

// Patience is for how long a call that changes something is tried again when the connection was lost under it; 0: not at all. Without it, 30 s.
func Patience(d time.Duration) Option { return func(c *Client) { c.patience = d } }

// Through sends all requests through a transport of the caller's, such as one with a certificate of its own. Without it a client has a transport that
// uses no proxy: the daemon's token must not go to one.
func Through(t http.RoundTripper) Option { return func(c *Client) { c.http.Transport = t } }

const defaultPatience = 30 * time.Second

// newClient makes a client. It follows no redirects, as the daemon sends none.
func newClient(base, where, token string, transport http.RoundTripper, options []Option) *Client {
	c := &Client{wire{base: base, where: where, token: token, patience: defaultPatience, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}}
	for _, o := range options {
		o(c)
	}
	return c
}

type rawKey struct{}

// WithRaw has a call whose answer is JSON leave that answer in raw as it came, with the members that this package does not know. The context is for one
// call at a time.
func WithRaw(ctx context.Context, raw *json.RawMessage) context.Context {
	return context.WithValue(ctx, rawKey{}, raw)
}

func keepRaw(ctx context.Context, text json.RawMessage) {
	if raw, ok := ctx.Value(rawKey{}).(*json.RawMessage); ok {
		*raw = text
	}
}
