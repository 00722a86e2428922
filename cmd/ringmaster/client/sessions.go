package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Session is a session as lists show it.
type Session struct {
	ID              string            `json:"id"`
	Agent           string            `json:"agent"`
	Cwd             string            `json:"cwd"`
	Title           string            `json:"title"`
	Model           string            `json:"model"`
	Mode            string            `json:"mode"`
	PendingModel    string            `json:"pendingModel"`
	PendingMode     string            `json:"pendingMode"`
	ParentSessionID string            `json:"parentSessionId"`
	SubAgent        bool              `json:"subAgent"`
	Spawned         bool              `json:"spawned"`
	FirstPrompt     string            `json:"firstPrompt"`
	Owner           string            `json:"owner"`
	Via             string            `json:"via"`
	Policy          *protocol.Policy  `json:"policy"`
	Labels          map[string]string `json:"labels"`
	NativeSessionID string            `json:"nativeSessionId"`
	AgentVersion    string            `json:"agentVersion"`
	CreatedAt       time.Time         `json:"createdAt"`
	UpdatedAt       time.Time         `json:"updatedAt"`
	Cursor          string            `json:"cursor"`
	Seq             uint64            `json:"seq"`
	Status          protocol.Status   `json:"status"`
	Turns           int               `json:"turns"`
	EndError        string            `json:"endError"`
	EndHint         string            `json:"endHint"`
	ReadOnly        bool              `json:"readOnly"`
	Damage          *protocol.Damage  `json:"damage"`
}

// Detail is a session with what moves in it.
type Detail struct {
	Session
	Queue    []WaitingPrompt          `json:"queue"`
	Requests []protocol.RequestOpened `json:"requests"`
	Readers  []struct {
		Name   string `json:"name"`
		Seq    uint64 `json:"seq"`
		Behind uint64 `json:"behind"`
	} `json:"readers"`
	Usage protocol.Usage `json:"usage"`
	Cost  float64        `json:"cost"`
}

// WaitingPrompt is a prompt of the queue.
type WaitingPrompt struct {
	PromptID string    `json:"promptId"`
	Text     string    `json:"text"`
	QueuedAt time.Time `json:"queuedAt"`
	Sent     bool      `json:"sent"`
	Origin   string    `json:"origin"`
}

// Page is one page of a list.
type Page struct {
	Sessions []Session `json:"sessions"`
	Next     string    `json:"next"`
	Total    int       `json:"total"`
}

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

// New is a session to create.
type New struct {
	Agent  string            `json:"agent"`
	Cwd    string            `json:"cwd"`
	Model  string            `json:"model,omitempty"`
	Title  string            `json:"title,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Policy *protocol.Policy  `json:"policy,omitempty"`
	MCP    bool              `json:"mcp,omitempty"`
	Prompt *Prompt           `json:"prompt,omitempty"`

	NativeSessionID string `json:"nativeSessionId,omitempty"` // of the agent's own session to go on with

	Endpoint *Endpoint `json:"endpoint,omitempty"`

	Key string `json:"-"` // of idempotency: repeated, it makes no second session and no second turn in it
}

// Endpoint is where an agent runs already.
type Endpoint struct {
	URL      string `json:"url"`
	Username string `json:"username,omitempty"`
	Password string `json:"password,omitempty"`
}

// Create makes a session. The daemon waits a moment for its agent.
func (c *Client) Create(ctx context.Context, n New) (Detail, json.RawMessage, error) {
	return c.detail(ctx, call{method: http.MethodPost, path: "/sessions", body: n, header: keyHeader(n.Key)})
}

// List gives a page of sessions, newest first.
func (c *Client) List(ctx context.Context, q Query) (p Page, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, call{method: http.MethodGet, path: "/sessions", query: q.values()})
	if err != nil {
		return Page{}, nil, err
	}
	return p, raw, decode(raw, &p)
}

// Show gives one session.
func (c *Client) Show(ctx context.Context, id string) (Detail, json.RawMessage, error) {
	return c.detail(ctx, call{method: http.MethodGet, path: sessionPath(id)})
}

// End ends a session and returns when its agent has gone.
func (c *Client) End(ctx context.Context, id, reason string) (Detail, json.RawMessage, error) {
	q := call{method: http.MethodPost, path: sessionPath(id, "end")}
	if reason != "" {
		q.body = map[string]string{"reason": reason}
	}
	return c.detail(ctx, q)
}

// Remove ends a session, where it has not ended, and removes its log.
func (c *Client) Remove(ctx context.Context, id string) error {
	return c.into(ctx, call{method: http.MethodDelete, path: sessionPath(id)}, nil)
}

// Interrupt tells the running turn to stop; turn is empty when none was running.
func (c *Client) Interrupt(ctx context.Context, id string) (turn string, err error) {
	var done struct {
		TurnID string `json:"turnId"`
	}
	err = c.into(ctx, call{method: http.MethodPost, path: sessionPath(id, "interrupt"), body: map[string]string{"clientId": ID}}, &done)
	return done.TurnID, err
}

// State gives the session's state folded up to a cursor, as JSON; the zero cursor means the newest.
func (c *Client) State(ctx context.Context, id string, at protocol.Cursor) (json.RawMessage, error) {
	q := url.Values{}
	if !at.Start() {
		q.Set("at", at.String())
	}
	return c.raw(ctx, call{method: http.MethodGet, path: sessionPath(id, "state"), query: q})
}

func (c *Client) detail(ctx context.Context, q call) (d Detail, raw json.RawMessage, err error) {
	raw, err = c.raw(ctx, q)
	if err != nil {
		return Detail{}, nil, err
	}
	return d, raw, decode(raw, &d)
}
