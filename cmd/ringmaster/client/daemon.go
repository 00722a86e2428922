package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Roots says inside which folders sessions may work.
func (c *Client) Roots(ctx context.Context) ([]string, error) {
	var list resource.RootList
	err := c.into(ctx, call{method: http.MethodGet, path: "/roots"}, &list)
	return list.Roots, err
}

// AddRoot lets sessions work inside one folder more, and says inside which they may. The daemon takes it over its unix socket alone.
func (c *Client) AddRoot(ctx context.Context, path string) ([]string, error) {
	var list resource.RootList
	err := c.into(ctx, call{method: http.MethodPost, path: "/roots", body: map[string]string{"path": path}}, &list)
	return list.Roots, err
}

// Reload has the daemon read its configuration again, which it does over its unix socket alone.
func (c *Client) Reload(ctx context.Context) (done resource.Reloaded, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, call{method: http.MethodPost, path: "/config/reload"})
	if err == nil {
		err = decode(raw, &done)
	}
	return done, raw, err
}

// Agents says which agents the daemon has.
func (c *Client) Agents(ctx context.Context) (list []resource.Agent, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, call{method: http.MethodGet, path: "/agents"})
	if err != nil {
		return nil, nil, err
	}
	var answer resource.AgentList
	err = decode(raw, &answer)
	return answer.Agents, raw, err
}

// Ready says that the daemon takes work, and its version.
func (c *Client) Ready(ctx context.Context) (version string, err error) {
	var health struct {
		Version string `json:"version"`
	}
	if err := c.into(ctx, call{method: http.MethodGet, path: "/health"}, &health); err != nil {
		return "", err
	}
	return health.Version, c.into(ctx, call{method: http.MethodGet, path: "/ready"}, nil)
}
