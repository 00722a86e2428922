package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type updatedRequest = sdk.ServerRequest[*sdk.ResourceUpdatedNotificationParams]

// gathered lets updates of resources wait until their client listens. The SDK would keep each of them as it keeps everything that it sends to a
// client without a stream: beside pushes, and only as far as there is room. Those of the new era go with the call that asks for them.
func (s *Service) gathered(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if r, ok := req.(*updatedRequest); ok && r.Session.ID() != "" {
			if x := s.clients.find(r.Session.ID()); x != nil {
				x.outdate(r.Params.URI, func(uri string) error {
					params := &sdk.ResourceUpdatedNotificationParams{URI: uri}
					_, err := next(x.life, method, &updatedRequest{Session: x.ss, Params: params})
					return err
				})
				return nil, nil //nolint:nilnil // a notification has no result
			}
		}
		return next(ctx, method, req)
	}
}

// outdate notes that the client has to be told of a resource, once, however often it changes until then.
func (x *client) outdate(uri string, tell func(uri string) error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(x.outdated, uri) {
		x.outdated = append(x.outdated, uri)
	}
	if !x.telling {
		x.telling = x.service.start(func() { x.tellOutdated(tell) })
	}
}

// tellOutdated tells everything that the client has to be told, when it listens. A client that does not read delays itself alone.
func (x *client) tellOutdated(tell func(uri string) error) {
	for {
		out := x.listening(x.life)
		if out == nil {
			return
		}
		x.mu.Lock()
		uris := x.outdated
		x.outdated = nil
		x.telling = len(uris) > 0
		x.mu.Unlock()
		if len(uris) == 0 {
			return
		}
		out.Hold()
		for _, uri := range uris {
			_ = tell(uri) // of a stream that has just gone the SDK keeps it
		}
		out.Release()
	}
}

// untold drops what the client needs not be told any more.
func (x *client) untold(uri string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.outdated = slices.DeleteFunc(x.outdated, func(u string) bool { return u == uri })
}

// toldLater counts the resources that the client has to be told of, without those in except.
func (x *client) toldLater(except map[string]bool) (n int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, uri := range x.outdated {
		if !except[uri] {
			n++
		}
	}
	return n
}
