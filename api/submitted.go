package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/submission"
	"github.com/ringmaster-agents/ringmaster/api/submission/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// keyHeader is the header of a key of idempotency, and repeatHeader that of an answer which was given before.
const (
	keyHeader    = "Idempotency-Key"
	repeatHeader = "Idempotency-Replayed"
)

// submittedTime bounds what is carried out under a key, which does not end with its client: any verb takes less.
const submittedTime = 2 * control.Timeout

// submitted serves a request that has passed the guard: where it has a key of idempotency that the front keeps, once (spec §7.16).
func (f *front) submitted(w http.ResponseWriter, r *http.Request, in guard.Admission, next http.Handler) {
	given := r.Header[keyHeader]
	if len(given) == 0 || in.Who == nil || in.Route.Keys == guard.KeysIgnored || in.Route.Keys == guard.KeysOwn {
		next.ServeHTTP(w, r)
		return
	}
	if p := badKey(given, in.Route.Keys); p != nil {
		operation.Refuse(w, r, p)
		return
	}
	if given[0] == "" {
		next.ServeHTTP(w, r)
		return
	}
	running, v, p := f.submit(r, in, given[0])
	if p == nil && running == nil {
		p = submission.Problem(&v)
	}
	switch {
	case p != nil:
		operation.Refuse(w, r, p)
	case running != nil:
		carryOut(w, r, in.Route, running, next)
	default:
		access.NoteRepeated(r.Context())
		repeat(w, &v.Answer)
	}
}

func badKey(given []string, keys guard.Keys) *protocol.Problem {
	hint := "Send one key of at most " + strconv.Itoa(operation.MaxKey) + " bytes of UTF-8."
	switch {
	case keys == guard.KeysRefused:
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "This route takes no " + keyHeader + ".",
			Hint: "Give the key to the tool, as its argument idempotency_key.",
		}
	case len(given) > 1, len(given[0]) > operation.MaxKey, !utf8.ValidString(given[0]):
		return &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: "The " + keyHeader + " cannot be taken.", Hint: hint}
	}
	return nil
}

// submit asks what a request with a key is. Where it repeats one that is at work it waits, as long as a verb may take.
func (f *front) submit(r *http.Request, in guard.Admission, key string) (*submission.Running, core.Verdict, *protocol.Problem) {
	ctx, cancel := context.WithTimeout(r.Context(), control.Timeout)
	defer cancel()
	session, at := in.Route.Shows(r)
	running, v, err := f.cfg.Submissions.Submit(ctx, core.Submission{
		Key: core.Key{By: in.Who.Share(), Name: key}, Operation: in.Route.Name, Session: session, Sum: sumOf(r), LookAt: at,
	})
	if err != nil {
		return nil, v, submission.AtWork()
	}
	return running, v, nil
}

// sumOf tells contents apart: method, path, query and body.
func sumOf(r *http.Request) string {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery} {
		_, _ = io.WriteString(h, part+"\x00") // a hash takes everything
	}
	if body, held := r.Body.(interface{ EachPiece(take func([]byte)) }); held {
		body.EachPiece(func(piece []byte) { h.Write(piece) })
	}
	return hex.EncodeToString(h.Sum(nil))
}

// carryOut calls the handler of a submission that was accepted. It goes on when its client is gone: the client may come back and ask.
func carryOut(w http.ResponseWriter, r *http.Request, rt *guard.Route, running *submission.Running, next http.Handler) {
	failpoint.Hit("api/afterAccepted")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), submittedTime)
	defer cancel()
	out := &heldAnswer{ResponseWriter: w}
	ended := false
	defer func() {
		if !ended { // it panicked
			running.Unsure()
		}
	}()
	next.ServeHTTP(out, r.WithContext(ctx))
	ended = true
	failpoint.Hit("api/beforeAnswered")
	a := out.answer()
	a.Secret = rt.Secret
	switch outcomeOfAnswer(&a) {
	case core.Done:
		running.Done(a)
	case core.Refused:
		running.Refused(a)
	case core.Unsure:
		running.Unsure()
	}
	failpoint.Hit("api/afterAnswered")
	out.send()
}

// outcomeOfAnswer says what an answer means for its key. What was refused was not done, and may be tried again with the key.
func outcomeOfAnswer(a *core.Answer) core.Outcome {
	switch {
	case a.Status < http.StatusBadRequest:
		return core.Done
	case a.Status < http.StatusInternalServerError:
		return core.Refused
	}
	var p protocol.Problem
	if json.Unmarshal([]byte(a.Body), &p) != nil || !submission.Undone(p.Code) {
		return core.Unsure
	}
	return core.Refused
}

func repeat(w http.ResponseWriter, a *core.Answer) {
	h := w.Header()
	h.Set(repeatHeader, "true")
	for name, value := range map[string]string{"Content-Type": a.Type, "Location": a.Location} {
		if value != "" {
			h.Set(name, value)
		}
	}
	w.WriteHeader(a.Status)
	_, _ = io.WriteString(w, a.Body) // to a client that may have gone
}

// heldAnswer keeps an answer until it is on the disk. Its headers are the answer's own.
type heldAnswer struct {
	http.ResponseWriter

	status int
	body   bytes.Buffer
}

// Unwrap is for http.ResponseController.
func (h *heldAnswer) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// WriteHeader notes the status.
func (h *heldAnswer) WriteHeader(status int) {
	if h.status == 0 {
		h.status = status
	}
}

func (h *heldAnswer) Write(b []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	return h.body.Write(b)
}

func (h *heldAnswer) answer() core.Answer {
	h.WriteHeader(http.StatusOK)
	return core.Answer{Status: h.status, Type: h.Header().Get("Content-Type"), Location: h.Header().Get("Location"), Body: h.body.String()}
}

func (h *heldAnswer) send() {
	h.ResponseWriter.WriteHeader(h.status)
	_, _ = h.ResponseWriter.Write(h.body.Bytes()) // to a client that may have gone
}
