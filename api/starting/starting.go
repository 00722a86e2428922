// Package starting answers for a daemon that reads which sessions there are.
package starting

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/connection"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/intake"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Config is what it knows.
type Config struct {
	Version        string // of the program
	Hosts, Origins []string
	WriteTimeout   time.Duration
	NewID          func() string // of requests
}

// Handler says that the daemon lives, and that everything else is to be asked again: whether it is ready, and what has waited too long for that. It reads no
// body, knows no token and tells nothing but the program's version, to those that the guard would let ask for it.
func Handler(cfg Config) http.Handler {
	routes := guard.NewRoutes()
	routes.Static("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		body, err := json.Marshal(map[string]string{"status": "ok", "version": cfg.Version})
		if err != nil {
			body = nil // two texts always encode
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
	before := guard.New(routes, guard.Config{Hosts: cfg.Hosts, Origins: cfg.Origins})
	return http.HandlerFunc(func(inner http.ResponseWriter, r *http.Request) {
		defer connection.Occupy(r.Context())()
		w := answer.New(inner, cfg.WriteTimeout)
		answer.Safe(w.Header(), cfg.NewID())
		if r.ContentLength != 0 {
			intake.BoundRest(w)
		}
		in, no := before.Check(r)
		if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(cfg.Origins, origin) {
			guard.AllowOrigin(w.Header(), origin)
		}
		switch {
		case no != nil && (no.Reason == "host" || no.Reason == "origin"):
			operation.WriteProblem(w, no.Problem)
		case no != nil || in.Route == nil:
			operation.WriteProblem(w, protocol.NewProblem(protocol.CodeUnavailable, "The daemon is starting.", "Try again in a moment."))
		default:
			routes.ServeHTTP(w, r)
		}
		w.Arm() // for what net/http sends after the handler
	})
}
