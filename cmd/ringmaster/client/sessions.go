package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Query filters a list.
type Query struct {
	Agent  string
	Owner  string
	States []string
	Active *bool
	Labels []string // KEY:VALUE
	Text   string   // part of title, cwd or id
	Limit  int
	After  string
}

func (q Query) values() url.Values {
	v := url.Values{}
	set := func(k, s string) {
		if s != "" {
			v.Set(k, s)
		}
	}
	set("agent", q.Agent)
	set("owner", q.Owner)
	set("q", q.Text)
	set("after", q.After)
	if q.Active != nil {
		v.Set("active", strconv.FormatBool(*q.Active))
	}
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	for _, s := range q.States {
		v.Add("state", s)
	}
	for _, l := range q.Labels {
		v.Add("label", l)
	}
	return v
}

// MostListed is how many sessions one page can have.
const MostListed = 1000

// New is a session to create.
type New struct {
	resource.NewSession

	Key string `json:"-"` // of idempotency: repeated, it makes no second session and no second turn in it
}

// PolicyOf is a policy as a new session takes it.
func PolicyOf(p *protocol.Policy) *resource.NewPolicy {
	if p == nil {
		return nil
	}
	n := &resource.NewPolicy{Mode: p.Mode, Deadline: p.Deadline, Default: p.Default}
	for _, r := range p.Rules {
		n.Rules = append(n.Rules, resource.NewPolicyRule{Tool: r.Tool, Pattern: r.Pattern, Action: r.Action})
	}
	return n
}

// Create makes a session. The daemon waits a moment for its agent.
func (c *Client) Create(ctx context.Context, n New) (resource.SessionDetail, json.RawMessage, error) {
	return c.detail(ctx, call{method: http.MethodPost, path: "/sessions", body: n.NewSession, header: keyHeader(n.Key)})
}

// List gives a page of sessions, newest first.
func (c *Client) List(ctx context.Context, q Query) (p resource.SessionPage, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, call{method: http.MethodGet, path: "/sessions", query: q.values()})
	if err != nil {
		return resource.SessionPage{}, nil, err
	}
	return p, raw, decode(raw, &p)
}

func (c *Client) detail(ctx context.Context, q call) (d resource.SessionDetail, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, q)
	if err != nil {
		return resource.SessionDetail{}, nil, err
	}
	return d, raw, decode(raw, &d)
}
