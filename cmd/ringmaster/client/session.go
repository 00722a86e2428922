package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Session is one session of a daemon, by its id. Whether it is there, the daemon says.
type Session struct {
	client *Client
	ID     string
}

// Session gives the session of an id.
func (c *Client) Session(id string) Session { return Session{c, id} }

// path is the route of the session, or of something in it.
func (s Session) path(rest ...string) string {
	p := "/sessions/" + url.PathEscape(s.ID)
	for _, r := range rest {
		p += "/" + url.PathEscape(r)
	}
	return p
}

// Show gives one session.
func (s Session) Show(ctx context.Context) (resource.SessionDetail, json.RawMessage, error) {
	return s.client.detail(ctx, call{method: http.MethodGet, path: s.path()})
}

// End ends a session and returns when its agent has gone.
func (s Session) End(ctx context.Context, reason string) (resource.SessionDetail, json.RawMessage, error) {
	q := call{method: http.MethodPost, path: s.path("end")}
	if reason != "" {
		q.body = map[string]string{"reason": reason}
	}
	return s.client.detail(ctx, q)
}

// Remove ends a session, where it has not ended, and removes its log.
func (s Session) Remove(ctx context.Context) error {
	return s.client.into(ctx, call{method: http.MethodDelete, path: s.path()}, nil)
}

// Interrupt tells the running turn to stop; turn is empty when none was running.
func (s Session) Interrupt(ctx context.Context) (turn string, err error) {
	var done resource.InterruptAccepted
	err = s.client.into(ctx, call{method: http.MethodPost, path: s.path("interrupt"), body: map[string]string{"clientId": ID}}, &done)
	return done.TurnID, err
}

// State gives the session's state folded up to a cursor, as JSON; the zero cursor means the newest.
func (s Session) State(ctx context.Context, at protocol.Cursor) (json.RawMessage, error) {
	q := url.Values{}
	if !at.Start() {
		q.Set("at", at.String())
	}
	return s.client.raw(ctx, call{method: http.MethodGet, path: s.path("state"), query: q})
}
