package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// NativeSessions lists what agents have of their own in a folder, the newest first; agent: of this one alone, empty: of all.
func (c *Client) NativeSessions(ctx context.Context, agent, cwd string) (list []resource.NativeSession, raw json.RawMessage, err error) {
	q := url.Values{"cwd": {cwd}}
	if agent != "" {
		q.Set("agent", agent)
	}
	raw, err = c.raw(ctx, call{method: http.MethodGet, path: "/native-sessions", query: q})
	if err != nil {
		return nil, nil, err
	}
	var answer resource.NativeList
	err = decode(raw, &answer)
	return answer.Sessions, raw, err
}
