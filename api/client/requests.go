package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// InboxQuery filters the open requests of all sessions. Members that are zero do not filter.
type InboxQuery struct {
	Kinds  []protocol.RequestKind
	Agent  string
	Owner  string
	Under  string   // the id of a session: requests of those that work for it
	Labels []string // KEY:VALUE
	Limit  int      // 0: as the daemon likes
}

// Inbox gives the open requests of all sessions within reach, the longest waiting first.
func (c *Client) Inbox(ctx context.Context, q InboxQuery) (list resource.Inbox, err error) {
	v := url.Values{}
	for name, value := range map[string]string{"agent": q.Agent, "owner": q.Owner, "under": q.Under} {
		if value != "" {
			v.Set(name, value)
		}
	}
	for _, k := range q.Kinds {
		v.Add("kind", string(k))
	}
	for _, l := range q.Labels {
		v.Add("label", l)
	}
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	err = c.into(ctx, call{method: http.MethodGet, path: "/requests", query: v}, &list)
	return list, err
}

// Requests lists what the session waits for, in the order in which it was asked.
func (s Session) Requests(ctx context.Context) ([]protocol.RequestOpened, error) {
	var list resource.RequestList
	err := s.client.into(ctx, call{method: http.MethodGet, path: s.path("requests")}, &list)
	return list.Requests, err
}

// Answer answers a request; the first answer wins.
func (s Session) Answer(ctx context.Context, request string, a resource.RequestAnswer) (done resource.RequestResolution, err error) {
	if a.ClientID == "" {
		a.ClientID = s.client.name
	}
	err = s.client.change(ctx, call{method: http.MethodPost, path: s.path("requests", request), body: a}, &done)
	return done, err
}
