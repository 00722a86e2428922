package client

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// SetLevel notes logging/setLevel: the SDK drops what is pushed to a client that has set none, without an error.
func (c *Clients) SetLevel(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		r, ok := req.(*sdk.ServerRequest[*sdk.SetLoggingLevelParams]) //nolint:staticcheck // of the old era, see push.Log
		if err == nil && ok && r.Session.ID() != "" {
			c.Of(r.Session, access.Of(ctx)).raise(string(r.Params.Level))
		}
		return res, err
	}
}

func (x *Client) raise(level string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.level == "" {
		close(x.Leveled)
	}
	x.level = level
}

// Loud gives the level that the client has set; empty: none.
func (x *Client) Loud() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.level
}

type updatedRequest = sdk.ServerRequest[*sdk.ResourceUpdatedNotificationParams]

// Gathered lets updates of resources wait until their client listens. The SDK would keep each of them as it keeps everything that it sends to a
// client without a stream: beside pushes, and only as far as there is room. Those of the new era go with the call that asks for them.
func (c *Clients) Gathered(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if r, ok := req.(*updatedRequest); ok && r.Session.ID() != "" {
			if x := c.Find(r.Session.ID()); x != nil {
				x.outdate(r.Params.URI, func(uri string) error {
					params := &sdk.ResourceUpdatedNotificationParams{URI: uri}
					_, err := next(x.Life, method, &updatedRequest{Session: x.Session, Params: params})
					return err
				})
				return nil, nil //nolint:nilnil // a notification has no result
			}
		}
		return next(ctx, method, req)
	}
}
