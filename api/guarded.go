package api

import (
	"net/http"
	"slices"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/connection"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/intake"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// guarded puts the guard in front of a handler.
func (f *front) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			defer intake.BoundRest(w)
		}
		defer connection.Occupy(r.Context())()
		in, no := f.guard.Check(r)
		rt := in.Route
		if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(f.cfg.Origins, origin) {
			guard.AllowOrigin(w.Header(), origin)
		}
		switch {
		case no != nil:
			if no.Reason == "scope" {
				f.audit.Refused(access.With(r.Context(), in.Who), rt.Name)
			}
			f.turnAway(w, no)
			return
		case in.Preflight:
			guard.AllowMethods(w.Header(), f.routes.Methods(r))
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer.NoteRoute(w, rt)
		if !connection.Owned(r.Context(), in.Who) {
			w.Header().Set("Connection", "close")
			f.turnAway(w, tooManyConnections())
			return
		}
		ctx, done := f.asked(w, r, in)
		defer done()
		if rt.MaxBody > 0 && r.ContentLength != 0 { // before the in-flight limit: a body that comes slowly takes no place from others
			done, no := f.bodies.Take(w, r, in)
			defer done()
			if no != nil {
				f.turnAway(w, no)
				return
			}
		}
		if !rt.Stream {
			if !f.requests.Take(in.Who, 1) {
				f.turnAway(w, tooMany())
				return
			}
			defer f.requests.Give(in.Who, 1)
		}
		if rt.Name != metricsRoute && rt.Name != healthRoute {
			defer f.activity.begin()()
		}
		r = r.WithContext(ctx)
		if !f.peers.Serve(f.closing, w, r, in) { // before keys of idempotency: the session's node keeps them
			f.submitted(w, r, in, next)
		}
		answer.GoOn(w)
	})
}

func tooMany() *guard.Rejection {
	return guard.Reject("requests", protocol.CodeOverloaded, "Too many requests are at work.", "Try again in a moment.")
}

func tooManyConnections() *guard.Rejection {
	return guard.Reject("connections", protocol.CodeOverloaded, "Too many connections are open with this token.",
		"Use those that are open for further requests, and close what nobody reads.")
}

func (f *front) turnAway(w http.ResponseWriter, no *guard.Rejection) {
	f.metrics.rejections.WithLabelValues(no.Reason).Inc()
	if no.Allow != "" {
		w.Header().Set("Allow", no.Allow)
	}
	if no.Basic {
		w.Header().Add("Www-Authenticate", `Basic realm="ringmaster", charset="UTF-8"`)
	}
	operation.WriteProblem(w, no.Problem)
}
