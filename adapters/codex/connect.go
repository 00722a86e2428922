package codex

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/remote"
)

// Connect starts an app-server, or attaches to the one at spec.Endpoint: ws://, wss:// or unix://PATH. The endpoint's password
// is the bearer token that `codex app-server --ws-auth` asks for. An attached server is never ended.
func (a Agent) Connect(ctx context.Context, spec adapters.Spec, processes adapters.Transport) (adapters.Conn, error) {
	if e := spec.Endpoint; e != nil {
		return remote.Dial(ctx, remote.Server{URL: e.URL, Token: e.Password, Dial: adapters.Dialer(processes)})
	}
	return processes.Start(ctx, a.Launch(spec))
}
