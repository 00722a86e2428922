package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

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

// Readiness says that the daemon takes work, and how much it has.
func (c *Client) Readiness(ctx context.Context) (r resource.Readiness, err error) {
	err = c.into(ctx, call{method: http.MethodGet, path: "/ready"}, &r)
	return r, err
}

// Agents says which agents the daemon has, and how it knows their processes.
func (c *Client) Agents(ctx context.Context) (list resource.AgentList, err error) {
	err = c.into(ctx, call{method: http.MethodGet, path: "/agents"}, &list)
	return list, err
}

// NativeSessions lists what agents have of their own in a folder, the newest first; agent: of this one alone, empty: of all.
func (c *Client) NativeSessions(ctx context.Context, agent, cwd string) ([]resource.NativeSession, error) {
	q := url.Values{"cwd": {cwd}}
	if agent != "" {
		q.Set("agent", agent)
	}
	var list resource.NativeList
	err := c.into(ctx, call{method: http.MethodGet, path: "/native-sessions", query: q}, &list)
	return list.Sessions, err
}

// Roots says inside which folders sessions may work.
func (c *Client) Roots(ctx context.Context) ([]string, error) {
	var list resource.RootList
	err := c.into(ctx, call{method: http.MethodGet, path: "/roots"}, &list)
	return list.Roots, err
}

// AddRoot lets sessions work inside one folder more, and says inside which they may. The daemon takes it over its unix socket alone.
func (c *Client) AddRoot(ctx context.Context, path string) ([]string, error) {
	var list resource.RootList
	err := c.change(ctx, call{method: http.MethodPost, path: "/roots", body: map[string]string{"path": path}}, &list)
	return list.Roots, err
}

// Collect has the daemon remove what need not be kept, or say what that is. It returns when the removal has begun.
func (c *Client) Collect(ctx context.Context, by resource.NewCollection) (done resource.Collection, err error) {
	err = c.change(ctx, call{method: http.MethodPost, path: "/gc", body: by}, &done)
	return done, err
}

// Reload has the daemon read its configuration again, which it does over its unix socket alone.
func (c *Client) Reload(ctx context.Context) (done resource.Reloaded, err error) {
	err = c.change(ctx, call{method: http.MethodPost, path: "/config/reload"}, &done)
	return done, err
}

// Metrics opens the daemon's counters, in the text format of Prometheus. The caller closes it.
func (c *Client) Metrics(ctx context.Context) (io.ReadCloser, error) {
	resp, err := c.open(ctx, "/metrics", nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// Profile opens a profile of the daemon, packed, for go tool pprof: allocs, goroutine, heap, threadcreate, or profile, which looks for ten seconds at where the
// processor's time goes. The caller closes it. Needs the scope admin.
func (c *Client) Profile(ctx context.Context, which string) (io.ReadCloser, error) {
	resp, err := c.open(ctx, "/debug/pprof/"+url.PathEscape(which), nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}
