package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asked gives the context of a request that has passed the guard: the caller, until when its token is valid, and what the audit is told of it. done
// must follow. MCP's requests are audited by their tools.
func (f *front) asked(w http.ResponseWriter, r *http.Request, in guard.Admission) (ctx context.Context, done func()) {
	ctx = access.With(r.Context(), in.Who)
	end := func() {}
	if in.Who != nil && in.Who.Revoked != nil {
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		stop := context.AfterFunc(in.Who.Revoked, func() { cancel(answer.ErrRevoked) })
		end = func() {
			stop()
			cancel(nil)
		}
	}
	out, ok := w.(*answer.Writer)
	if !ok || in.Who == nil || in.Route.Need == guard.MCP {
		return ctx, end
	}
	if !in.Route.Changes { // what was changed is told
		out.Until = in.Who.Revoked
	}
	ctx, verb := f.audit.Begin(ctx, in.Route.Name, in.Route.Changes)
	return ctx, func() {
		end()
		verb.End(outcomeOf(out.Status))
	}
}

// outcomeOf is the code of an answer whose problem nobody has noted: huma has refused what it could not read.
func outcomeOf(status int) protocol.Code {
	switch {
	case status == http.StatusServiceUnavailable:
		return protocol.CodeOverloaded
	case status == 0 || status >= http.StatusInternalServerError: // 0: the handler panicked
		return protocol.CodeInternal
	case status < http.StatusBadRequest:
		return ""
	case status == http.StatusRequestEntityTooLarge:
		return protocol.CodeTooLarge
	case status == http.StatusUnsupportedMediaType:
		return protocol.CodeUnsupportedMediaType
	}
	return protocol.CodeInvalidRequest
}
