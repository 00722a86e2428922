package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Query filters a list of sessions. Members that are zero do not filter.
type Query struct {
	Agent  string
	Owner  string
	States []string
	Active *bool
	Labels []string // KEY:VALUE
	Text   string   // part of title, cwd or id
	Limit  int      // 0: as the daemon likes
	After  string   // the Next of the page before
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

	Key string `json:"-"` // of idempotency: repeated, it makes no second session and no second turn in it; empty: one of its own
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

// Create makes a session. The daemon waits a moment for its agent. A request that was lost is sent again, as Prompt does it.
func (c *Client) Create(ctx context.Context, n New) (made resource.CreatedSession, err error) {
	if n.Prompt != nil && n.Prompt.ClientID == "" {
		first := *n.Prompt
		first.ClientID = c.name
		n.Prompt = &first
	}
	q := call{method: http.MethodPost, path: "/sessions", body: n.NewSession}
	err = c.once(ctx, q, keyOf(ctx, n.Key), &made)
	return made, err
}

// List gives a page of sessions, newest first.
func (c *Client) List(ctx context.Context, q Query) (p resource.SessionPage, err error) {
	err = c.into(ctx, call{method: http.MethodGet, path: "/sessions", query: q.values()}, &p)
	return p, err
}
