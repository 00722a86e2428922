package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// health says that the process answers.
type health struct {
	Status  string `json:"status" enum:"ok" doc:"Always ok: a daemon that is not does not answer"`
	Version string `json:"version" doc:"Of the program"`
}

// readiness says that the daemon takes work, and how much it has.
type readiness struct {
	Ready    bool `json:"ready" doc:"Always true: a daemon that is not answers with 503"`
	Sessions int  `json:"sessions" doc:"Known"`
	Live     int  `json:"live" doc:"In memory"`
	Agents   int  `json:"agents" doc:"Running agent processes"`
	Damaged  int  `json:"damaged" doc:"Sessions that are read-only because their journal is damaged"`
}

func (a *API) registerHealth() {
	register(a, operation{
		id: "getHealth", method: http.MethodGet, path: "/health", tag: "daemon", open: true,
		summary: "Does the daemon live", text: "Answers as long as the process does. Needs no token.",
	}, func(context.Context, *struct{}) (*struct{ Body health }, error) {
		return &struct{ Body health }{health{"ok", a.cfg.Version}}, nil
	})
	register(a, operation{
		id: "getReady", method: http.MethodGet, path: "/ready", tag: "daemon", open: true,
		summary: "Does the daemon take work", text: "503 while it starts and while it drains, and read_only while the disk of its data folder is full. Needs no token.",
		errors: []int{http.StatusServiceUnavailable},
	}, func(context.Context, *struct{}) (*struct{ Body readiness }, error) {
		h := a.sup.Health()
		if !h.Ready || a.closing.Err() != nil {
			hint := "Try again in a moment."
			if h.Draining || a.closing.Err() != nil {
				hint = "Try again once it runs again."
			}
			return nil, protocol.NewProblem(protocol.CodeUnavailable, h.Problem, hint)
		}
		if h.NoRoom != "" {
			return nil, protocol.NewProblem(protocol.CodeReadOnly, h.NoRoom,
				"Free space; what was stored can be read, and sessions go on by themselves when there is room.")
		}
		return &struct{ Body readiness }{readiness{true, h.Sessions, h.Live, h.Agents, h.Damaged}}, nil
	})
}
