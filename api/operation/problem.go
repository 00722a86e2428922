package operation

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Problem is the body of every error: RFC 9457 with a stable code and a hint (spec §11).
//
// It is protocol.Problem, with what only HTTP has to add.
type Problem struct {
	protocol.Problem
	Errors    []ProblemDetail `json:"errors,omitempty" doc:"What is wrong with which part of the request"`
	SessionID string          `json:"sessionId,omitempty" doc:"Of createSession: the session that was created all the same, and has failed or did not take the prompt"`
}

// ProblemDetail is one thing that is wrong with a request. It names the place and never repeats a value.
type ProblemDetail struct {
	Location string `json:"location,omitempty" doc:"Where, such as body.agent or query.limit"`
	Message  string `json:"message" doc:"What is wrong there"`
}

// GetStatus is for huma.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType is for huma.
func (p *Problem) ContentType(string) string { return protocol.ProblemType }

// GetHeaders is for huma, which sends them with the problem.
func (p *Problem) GetHeaders() http.Header {
	switch {
	case p.Status == http.StatusUnauthorized:
		return http.Header{"Www-Authenticate": {"Bearer"}}
	case p.Code == protocol.CodeOverloaded, p.Code == protocol.CodeUnavailable, p.Code == protocol.CodeRateLimited:
		return http.Header{"Retry-After": {"1"}}
	}
	return nil
}

// Refuse answers a request with a problem where no handler does, and has the audit know.
func Refuse(w http.ResponseWriter, r *http.Request, p *protocol.Problem) {
	full := Complete(p)
	access.NoteProblem(r.Context(), full.Code)
	WriteProblem(w, &full.Problem)
}

// Complete fills in what follows from the code. Actors leave it out.
func Complete(p *protocol.Problem) *Problem {
	full := *protocol.NewProblem(p.Code, protocol.HTTPWords.Say(p.Detail), protocol.HTTPWords.Say(p.Hint))
	full.Epoch, full.Oldest, full.Newest, full.Common, full.By, full.LookAt = p.Epoch, p.Oldest, p.Newest, p.Common, p.By, p.LookAt
	if p.Status != 0 {
		full.Status = p.Status
	}
	return &Problem{Problem: full}
}

// Damaged is the problem of something that is stored and is not as it was written.
func Damaged(detail, hint string) error {
	return protocol.NewProblem(protocol.CodeDamaged, detail, hint)
}

// WithStatus is a problem whose status is not that of its code.
func WithStatus(status int, code protocol.Code, detail, hint string) *protocol.Problem {
	p := protocol.NewProblem(code, detail, hint)
	p.Status = status
	return p
}

// Internal is the problem of a mistake of the daemon's own, of which clients see nothing else.
func Internal() *protocol.Problem {
	return protocol.NewProblem(protocol.CodeInternal, "", "Look for the request id (header X-Request-Id) in the daemon's log.")
}

// Failure makes what a client sees of an error. Insides go to the log, once, here.
func Failure(log *zap.Logger, op string, err error) *Problem {
	var own *Problem
	var p *protocol.Problem
	if changed := (*store.ChangedError)(nil); errors.As(err, &changed) { // though it was read anew
		log.Warn("a log has changed while it was read", zap.String("operation", op), zap.Error(err))
	}
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &p):
		return Complete(p)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, control.ErrGone):
		return Complete(protocol.NewProblem(protocol.CodeUnavailable, "The session did not answer in time.", "Try again in a moment."))
	}
	var damage *store.DamageError
	log.Error("request failed", zap.String("operation", op), zap.Error(err))
	if errors.As(err, &damage) { // though the session has looked at it
		return Complete(protocol.NewProblem(protocol.CodeDamaged, "The log cannot be read: "+session.DamageOf(err).String()+".", damage.Hint))
	}
	return Complete(Internal())
}

// LookUp is the hint where a request is not as described.
const LookUp = "GET /openapi.json says what this route takes."

// newHumaError is what huma says: about validation, mostly.
func newHumaError(status int, _ string, errs ...error) huma.StatusError {
	code, detail, hint := protocol.CodeInvalidRequest, "", LookUp
	switch status {
	case http.StatusRequestEntityTooLarge:
		code, detail = protocol.CodeTooLarge, "The body is larger than this route takes."
	case http.StatusUnsupportedMediaType:
		code, detail = protocol.CodeUnsupportedMediaType, "The body must be JSON."
	case http.StatusRequestTimeout:
		detail, hint = "The body did not come in time.", "Send the body at once."
	case http.StatusBadRequest:
		detail = "The body is missing or not the JSON that is wanted."
	case http.StatusUnprocessableEntity:
		detail = "Some of the request is not as described."
	default:
		if status >= http.StatusInternalServerError {
			return Complete(Internal())
		}
	}
	out := Complete(WithStatus(status, code, detail, hint))
	for _, err := range errs {
		if err == nil {
			continue
		}
		d := ProblemDetail{Message: err.Error()}
		var h *huma.ErrorDetail
		if errors.As(err, &h) {
			d = ProblemDetail{Location: h.Location, Message: h.Message}
		}
		d.Location, d.Message = shorten(d.Location), shorten(d.Message)
		out.Errors = append(out.Errors, d)
		if len(out.Errors) == 20 {
			break
		}
	}
	return out
}

// shorten bounds what a client's own key names may add to an answer.
func shorten(s string) string {
	const limit = 200
	if len(s) <= limit {
		return s
	}
	return string([]rune(s[:limit])) + "…"
}

// WriteProblem answers outside of huma.
func WriteProblem(w http.ResponseWriter, p *protocol.Problem) {
	full := Complete(p)
	body, err := json.Marshal(full)
	if err != nil {
		body = nil // a struct of strings and numbers always encodes
	}
	h := w.Header()
	h.Set("Content-Type", protocol.ProblemType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	for k, v := range full.GetHeaders() {
		h[k] = append(v, h[k]...)
	}
	w.WriteHeader(full.Status)
	_, _ = w.Write(body)
}
