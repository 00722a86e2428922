package api

import (
	"net/http"
	"slices"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// guarded puts the guard in front of a handler.
func (a *API) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			defer boundRest(w)
		}
		defer occupy(r.Context())()
		in, no := a.guard.Check(r)
		rt := in.Route
		if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(a.cfg.Origins, origin) {
			guard.AllowOrigin(w.Header(), origin)
		}
		switch {
		case no != nil:
			if no.Reason == "scope" {
				a.audit.Refused(access.With(r.Context(), in.Who), rt.Name)
			}
			a.turnAway(w, no)
			return
		case in.Preflight:
			guard.AllowMethods(w.Header(), a.routes.Methods(r))
			w.WriteHeader(http.StatusNoContent)
			return
		}
		noteRoute(w, rt)
		if !owned(r.Context(), in.Who) {
			w.Header().Set("Connection", "close")
			a.turnAway(w, tooManyConnections())
			return
		}
		ctx, done := a.asked(w, r, in)
		defer done()
		if rt.MaxBody > 0 && r.ContentLength != 0 { // who sends a body slowly keeps nobody out
			done, no := a.takenIn(w, r, in)
			defer done()
			if no != nil {
				a.turnAway(w, no)
				return
			}
		}
		if !rt.Stream {
			if !a.requests.Take(in.Who, 1) {
				a.turnAway(w, tooMany())
				return
			}
			defer a.requests.Give(in.Who, 1)
		}
		if rt.Name != metricsRoute && rt.Name != healthRoute {
			defer a.activity.begin()()
		}
		next.ServeHTTP(w, r.WithContext(ctx))
		goOn(w)
	})
}

func tooMany() *guard.Rejection {
	return guard.Reject("requests", protocol.CodeOverloaded, "Too many requests are at work.", "Try again in a moment.")
}

func tooManyConnections() *guard.Rejection {
	return guard.Reject("connections", protocol.CodeOverloaded, "Too many connections are open with this token.",
		"Use those that are open for further requests, and close what nobody reads.")
}

func (a *API) turnAway(w http.ResponseWriter, no *guard.Rejection) {
	a.metrics.rejections.WithLabelValues(no.Reason).Inc()
	if no.Allow != "" {
		w.Header().Set("Allow", no.Allow)
	}
	if no.Basic {
		w.Header().Add("Www-Authenticate", `Basic realm="ringmaster", charset="UTF-8"`)
	}
	writeProblem(w, no.Problem)
}
