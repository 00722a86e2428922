package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// ListNodes lists the daemons on the same Core, where there is one.
func ListNodes(ctx context.Context, c *Client) ([]resource.NodeInfo, error) {
	var list resource.NodeList
	err := c.into(ctx, call{method: http.MethodGet, path: "/nodes"}, &list)
	return list.Nodes, err
}

// DrainNode has a node give its sessions away; turns may come to their end for a while. The node "here" is the daemon's own, and the only one that can be
// told to. It returns at once: Leaving of the node tells how many are there still.
func DrainNode(ctx context.Context, c *Client, node string, wait time.Duration) (n resource.NodeInfo, err error) {
	err = c.change(ctx, call{
		method: http.MethodPost, path: "/nodes/" + url.PathEscape(node) + "/drain", body: resource.NewDrain{WaitMs: wait.Milliseconds()},
	}, &n)
	return n, err
}

// JoinNode has a node that drains take sessions again. The node "here" is the daemon's own, and the only one that can be told to.
func JoinNode(ctx context.Context, c *Client, node string) (n resource.NodeInfo, err error) {
	err = c.change(ctx, call{method: http.MethodPost, path: "/nodes/" + url.PathEscape(node) + "/join"}, &n)
	return n, err
}

// ForgetNode says that a node is gone for good: others can take its sessions then.
func ForgetNode(ctx context.Context, c *Client, node string) (n resource.NodeInfo, err error) {
	err = c.change(ctx, call{method: http.MethodPost, path: "/nodes/" + url.PathEscape(node) + "/forget"}, &n)
	return n, err
}

// TakeOver has the daemon's node go on with a session that no node has, or of which the node is gone.
func TakeOver(ctx context.Context, s Session) error {
	return s.client.change(ctx, call{method: http.MethodPost, path: s.path("take")}, nil)
}

// ListLost lists the ends of a session's log that the daemon's node had, and another one went on without.
func ListLost(ctx context.Context, s Session) ([]resource.LostEnd, error) {
	var list resource.LostList
	err := s.client.into(ctx, call{method: http.MethodGet, path: s.path("lost")}, &list)
	return list.Lost, err
}

// OpenLost opens one of them as NDJSON. The caller closes it.
func OpenLost(ctx context.Context, s Session, name string) (io.ReadCloser, error) {
	resp, err := s.client.open(ctx, s.path("lost", name), nil)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}
