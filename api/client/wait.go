package client

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Wait returns once something holds of sessions, or when the time of the request is over: Held says which (spec §7.14). It does not call again.
func (c *Client) Wait(ctx context.Context, r resource.WaitRequest) (a resource.WaitAnswer, err error) {
	err = c.into(ctx, call{method: http.MethodPost, path: "/wait", body: r}, &a)
	return a, err
}
