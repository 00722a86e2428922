package api

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type stateInput struct {
	SessionPath
	At          string `query:"at" example:"42" doc:"A cursor: the state after that event. Without it, the newest."`
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of what the client has"`
}

func (a *API) registerState() {
	headers := sessionHeaders()
	headers["ETag"] = &huma.Param{Description: "Names exactly this state", Schema: &huma.Schema{Type: huma.TypeString}}
	register(a, operation{
		id: "getSessionState", method: http.MethodGet, path: "/sessions/{id}/state", tag: "log",
		summary: "Read the state that a log says",
		text:    "The log folded up to one event: turns, entries, requests, queue, usage, status. Clients that fold the log themselves get the same.",
		errors:  []int{http.StatusBadRequest, http.StatusNotFound, http.StatusGone},
		responses: map[string]*huma.Response{
			"200": {
				Description: "The state",
				Headers:     headers,
				Content:     map[string]*huma.MediaType{"application/json": {Schema: sessionState(a.huma.OpenAPI().Components.Schemas)}},
			},
			"304": {Description: "The client has this state"},
		},
	}, a.sessionState)
}

func (a *API) sessionState(ctx context.Context, in *stateInput) (*huma.StreamResponse, error) {
	cursor, err := cursorOf(in.At)
	if err != nil {
		return nil, err
	}
	return reading(ctx, a, in.ID, "state", func(r *session.Reader) (*huma.StreamResponse, error) { return a.stateOf(ctx, in, r, cursor) })
}

// stateOf is the answer of what a reader can read.
func (a *API) stateOf(ctx context.Context, in *stateInput, reader *session.Reader, cursor protocol.Cursor) (*huma.StreamResponse, error) {
	head := reader.Ring.Head()
	at, reset, ok := locate(reader, cursor, head)
	if !ok {
		return nil, protocol.CursorReset(reset)
	}
	if in.At == "" {
		at = head
	}
	tag := `"` + strconv.FormatUint(reset.Epoch, 10) + "." + strconv.FormatUint(at, 10) + `-state"`
	if reader.Damage != nil {
		tag = strings.TrimSuffix(tag, `"`) + `-damaged"`
	}
	fresh := !etagMatches(in.IfNoneMatch, tag)
	var state *foldedState
	var err error
	if fresh {
		if state, err = a.fold(ctx, reader, reset.Oldest-1, at); err != nil {
			var gone *store.GoneError
			if errors.As(err, &gone) {
				reset.Oldest = gone.Oldest
				err = protocol.CursorReset(reset)
			}
			return nil, err
		}
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		h := w.Header()
		setSessionHeaders(h, reset.Epoch, at)
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache")
		if !fresh {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		defer state.close()
		h.Set("Content-Type", "application/json")
		if state.whole() {
			h.Set("Content-Length", strconv.Itoa(length(state.pieces)))
		}
		w.WriteHeader(http.StatusOK)
		if r.Method == http.MethodHead {
			return
		}
		if err := state.send(w); err != nil {
			if r.Context().Err() == nil && !isWriteError(err) {
				a.log.Error("a state ended early", zap.String("session", in.ID), zap.Error(err))
			}
			panic(http.ErrAbortHandler) // a cut answer must not look whole
		}
	}}, nil
}
