package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func registerReload(t *operation.Table, reload func(context.Context) (resource.Reloaded, error)) {
	operation.Register(t, operation.Operation{
		ID: "reloadConfiguration", Method: http.MethodPost, Path: "/config/reload", Tag: "daemon", Need: guard.Admin, Socket: true, LookAt: "/health",
		Summary: "Read the configuration again",
		Text: "Takes what may change while the daemon runs: the log level, roots that are added, the TLS certificate, and after how long it ends itself. " +
			"A configuration that is not right is refused as a whole. Needs the scope admin, and the daemon's unix socket, as roots do.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body resource.Reloaded }, error) {
		if reload == nil {
			return nil, protocol.NewProblem(protocol.CodeNotSupported, "This daemon has no configuration that it could read again.", "Restart it.")
		}
		done, err := reload(ctx)
		return &struct{ Body resource.Reloaded }{done}, err
	})
}
