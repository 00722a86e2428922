package api

import (
	"context"
	"net/http"
	"runtime/debug"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/intake"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/peer"
)

// front stands before all handlers: request ids, limits, deadlines, and what log, audit and metrics are told of each answer.
type front struct {
	cfg       Config
	strangers *zap.Logger // of requests that need no token
	audit     *access.Audit
	routes    *guard.Routes
	guard     *guard.Guard
	requests  *access.Shares // at work; without streams, and without those whose body is still to come
	bodies    *intake.Bodies
	metrics   *metrics
	activity  activity
	peers     *peer.Forwarder // nil: there are no other nodes
	closing   context.Context // as API has it
}

// answers is the outermost handler: request id, safe headers, recovery, access log, metrics.
func (f *front) answers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(inner http.ResponseWriter, r *http.Request) {
		w := answer.New(inner, f.cfg.WriteTimeout)
		id := f.cfg.NewID()
		r = r.WithContext(access.WithRequest(r.Context(), id))
		answer.Safe(w.Header(), id)
		start := f.cfg.Now()
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler { //nolint:errorlint // net/http panics with this very value
					f.done(w, r, id, start)
					panic(p)
				}
				// Only the place: a panic's value may hold what a user wrote.
				f.cfg.Log.Error("handler panicked", zap.String("request", id), zap.String("route", w.Pattern()), zap.ByteString("stack", debug.Stack()))
				if w.Status != 0 {
					f.done(w, r, id, start)
					panic(http.ErrAbortHandler) // a whole-looking half answer would be worse
				}
				operation.WriteProblem(w, operation.Internal())
			}
			w.Arm() // for what net/http sends after the handler
			f.done(w, r, id, start)
		}()
		next.ServeHTTP(w, r)
	})
}

// done counts and logs one request: nothing of what the client wrote, no path and no query, only the pattern. All are counted. Those that
// need no token, because they are refused or tell little, are logged at a bounded rate: otherwise anybody who reaches the port fills a disk.
func (f *front) done(w *answer.Writer, r *http.Request, id string, start time.Time) {
	failpoint.Hit("api/afterAnswer")
	took := f.cfg.Now().Sub(start)
	f.metrics.request(w.Pattern(), w.Route != nil && w.Route.Stream, w.Status, w.Bytes, took)
	log := f.cfg.Log
	if w.Route == nil || w.Route.Open {
		log = f.strangers
	}
	if ce := log.Check(zap.InfoLevel, "request"); ce != nil {
		ce.Write(zap.String("request", id), zap.String("method", knownMethod(r.Method)), zap.String("route", w.Pattern()),
			zap.Int("status", w.Status), zap.Int64("bytes", w.Bytes), zap.Duration("took", took))
	}
}

func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}
