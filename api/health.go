package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/vitals"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// health says that the process answers.
type health struct {
	Status  string `json:"status" enum:"ok" doc:"Always ok: a daemon that is not does not answer"`
	Version string `json:"version" doc:"Of the program"`
}

// registerHealth serves whether the daemon lives and takes work; closing is done once it ends.
func registerHealth(closing context.Context, t *operation.Table, sup *access.Gate, version string) {
	operation.Register(t, operation.Operation{
		ID: "getHealth", Method: http.MethodGet, Path: "/health", Tag: "daemon", Open: true,
		Summary: "Does the daemon live", Text: "Answers as long as the process does. Needs no token.",
	}, func(context.Context, *struct{}) (*struct{ Body health }, error) {
		return &struct{ Body health }{health{"ok", version}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "getReady", Method: http.MethodGet, Path: "/ready", Tag: "daemon", Open: true,
		Summary: "Does the daemon take work", Text: "503 while it starts and while it drains, and read_only while the disk of its data folder is full. Needs no token.",
		Errors: []int{http.StatusServiceUnavailable},
	}, func(context.Context, *struct{}) (*struct{ Body resource.Readiness }, error) {
		h := sup.Health()
		if !h.Ready || closing.Err() != nil {
			hint := "Try again in a moment."
			if h.Draining || closing.Err() != nil {
				hint = "Try again once it runs again."
			}
			return nil, protocol.NewProblem(protocol.CodeUnavailable, h.Problem, hint)
		}
		if h.NoRoom != "" {
			return nil, protocol.NewProblem(protocol.CodeReadOnly, h.NoRoom,
				"Free space; what was stored can be read, and sessions go on by themselves when there is room.")
		}
		return &struct{ Body resource.Readiness }{resource.Readiness{
			Ready: true, Sessions: h.Sessions, Live: h.Live, Agents: h.Agents, Damaged: h.Damaged, Core: vitals.CoreOf(h.Core),
		}}, nil
	})
}
