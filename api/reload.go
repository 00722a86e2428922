package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func (a *API) registerReload() {
	register(a, operation{
		id: "reloadConfiguration", method: http.MethodPost, path: "/config/reload", tag: "daemon", need: guard.Admin, socket: true,
		summary: "Read the configuration again",
		text: "Takes what may change while the daemon runs: the log level, roots that are added, the TLS certificate, and after how long it ends itself. " +
			"A configuration that is not right is refused as a whole. Needs the scope admin, and the daemon's unix socket, as roots do.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body resource.Reloaded }, error) {
		if a.cfg.Reload == nil {
			return nil, protocol.NewProblem(protocol.CodeNotSupported, "This daemon has no configuration that it could read again.", "Restart it.")
		}
		done, err := a.cfg.Reload(ctx)
		return &struct{ Body resource.Reloaded }{done}, err
	})
}
