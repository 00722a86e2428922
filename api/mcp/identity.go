package mcp

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// Keys of what a request's TokenInfo has besides the SDK's own.
const (
	principalKey = "principal"
	requestKey   = "request"
)

// identify tells the SDK who asks, so that an MCP session belongs to one principal. The guard has seen the token, or has let a
// peer on the unix socket in without one; the SDK knows of such things by a token alone, and gets none to keep.
func identify(next http.Handler) http.Handler {
	known := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		p := access.Of(ctx)
		if p == nil {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: p.ID, Extra: map[string]any{principalKey: p, requestKey: access.Request(ctx)}}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer seen")
		known.ServeHTTP(w, r)
	})
}

// identified gives a handler's context the principal of its request: that of an MCP session is of the one which opened it.
func identified(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		var p *access.Principal
		if x := req.GetExtra(); x != nil && x.TokenInfo != nil {
			p, _ = x.TokenInfo.Extra[principalKey].(*access.Principal)
			id, _ := x.TokenInfo.Extra[requestKey].(string)
			ctx = access.WithRequest(ctx, id)
		}
		return next(access.With(ctx, p), method, req)
	}
}
