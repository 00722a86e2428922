package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
)

// shown are the levels at which everything is pushed; at those above it only errors are.
var shown = []string{"debug", "info"}

// leveled notes logging/setLevel: the SDK drops what is pushed to a client that has set none, without an error.
func (s *Service) leveled(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		r, ok := req.(*sdk.ServerRequest[*sdk.SetLoggingLevelParams]) //nolint:staticcheck // see sendLog
		if err == nil && ok && r.Session.ID() != "" {
			s.clients.of(r.Session, access.Of(ctx)).raise(string(r.Params.Level))
		}
		return res, err
	}
}

func (x *client) raise(level string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.level == "" {
		close(x.leveled)
	}
	x.level = level
}

// reaches says what becomes of pushes to this client.
func (s *Service) reaches(x *client) string {
	x.mu.Lock()
	level := x.level
	x.mu.Unlock()
	switch {
	case level == "":
		return output.PushNoLevel
	case !slices.Contains(shown, level):
		return output.PushErrors
	case x.stream() == nil:
		return output.PushNoStream
	}
	return output.PushActive
}
