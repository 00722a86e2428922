package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// NativeSession is a session that an agent has of its own.
type NativeSession struct {
	Agent   string    `json:"agent"`
	ID      string    `json:"nativeSessionId"`
	Cwd     string    `json:"cwd"`
	Title   string    `json:"title"`
	Updated time.Time `json:"updatedAt"`

	SessionID string `json:"sessionId"` // the daemon's session that works with it; empty: none does
}

// NativeSessions lists what agents have of their own in a folder, the newest first; agent: of this one alone, empty: of all.
func (c *Client) NativeSessions(ctx context.Context, agent, cwd string) (list []NativeSession, raw json.RawMessage, err error) {
	q := url.Values{"cwd": {cwd}}
	if agent != "" {
		q.Set("agent", agent)
	}
	raw, err = c.raw(ctx, call{method: http.MethodGet, path: "/native-sessions", query: q})
	if err != nil {
		return nil, nil, err
	}
	var answer struct {
		Sessions []NativeSession `json:"sessions"`
	}
	err = decode(raw, &answer)
	return answer.Sessions, raw, err
}
