package fold

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type stateInput struct {
	operation.SessionPath
	At          string `query:"at" example:"42" doc:"A cursor: the state after that event. Without it, the newest."`
	Entries     int    `query:"entries" minimum:"1" maximum:"1000" example:"100" doc:"A page: the newest entries, at most so many, with the turns and requests of their part of the log and all that is open. Without it, the whole state."`
	Before      uint64 `query:"before" minimum:"1" maximum:"9007199254740991" example:"1200" doc:"With entries: the newest that began before this event, as part.from of the page behind says."`
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of what the client has"`
}

func (s *States) registerState(t *operation.Table) {
	headers := schema.SessionHeaders()
	headers["ETag"] = &huma.Param{Description: "Names exactly this state", Schema: &huma.Schema{Type: huma.TypeString}}
	operation.Register(t, operation.Operation{
		ID: "getSessionState", Method: http.MethodGet, Path: "/sessions/{id}/state", Tag: "log",
		Summary: "Read the state that a log says",
		Text: "The log folded up to one event: turns, entries, requests, queue, usage, status. Clients that fold the log themselves get the same. " +
			"A state of more than 50,000 turns, entries and requests is refused as a whole (413 too_large). " +
			"With entries it is a page, which takes as long however long the log is; part says which one.",
		Errors: []int{http.StatusBadRequest, http.StatusNotFound, http.StatusGone, http.StatusRequestEntityTooLarge},
		Responses: map[string]*huma.Response{
			"200": {
				Description: "The state",
				Headers:     headers,
				Content:     map[string]*huma.MediaType{"application/json": {Schema: schema.SessionState(t.Schemas())}},
			},
			"304": {Description: "The client has this state"},
		},
	}, s.state)
}

func (s *States) state(ctx context.Context, in *stateInput) (*huma.StreamResponse, error) {
	cursor, err := reading.Cursor(in.At)
	if err != nil {
		return nil, err
	}
	if in.Before > 0 && in.Entries == 0 {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "before is of a page, and this is none.",
			"Pass entries, too: how many of those before are wanted.")
	}
	if in.Entries > 0 {
		return reading.Framed(ctx, s.door, in.ID, "state", func(r *session.Reader) (*huma.StreamResponse, error) { return s.answer(ctx, in, r, cursor) })
	}
	return reading.Of(ctx, s.door, in.ID, "state", func(r *session.Reader) (*huma.StreamResponse, error) { return s.answer(ctx, in, r, cursor) })
}

// answer is of what a reader can read.
func (s *States) answer(ctx context.Context, in *stateInput, reader *session.Reader, cursor protocol.Cursor) (*huma.StreamResponse, error) {
	head := max(reader.Newest(), min(cursor.Seq, reader.Ring.Head()))
	at, reset, ok := reading.Locate(reader, cursor, head)
	if !ok {
		return nil, protocol.CursorReset(reset)
	}
	if in.At == "" {
		at = head
	}
	tag := `"` + strconv.FormatUint(reset.Epoch, 10) + "." + strconv.FormatUint(at, 10) + `-state"`
	if in.Entries > 0 {
		tag = strings.TrimSuffix(tag, `"`) + fmt.Sprintf(`-%d-%d"`, in.Entries, in.Before)
	}
	if reader.Damage != nil {
		tag = strings.TrimSuffix(tag, `"`) + `-damaged"`
	}
	fresh := !reading.TagMatches(in.IfNoneMatch, tag)
	var state *folded
	var err error
	if fresh {
		state, err = afresh(ctx, at, func() (*folded, error) {
			if in.Entries > 0 && at > 0 {
				return s.page(ctx, reader, at, Page{in.Entries, in.Before})
			}
			return s.fold(ctx, reader, at)
		})
		if err != nil {
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
		reading.SetHeaders(h, reader, reset.Epoch, at)
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
			if r.Context().Err() == nil && !answer.IsLost(err) {
				s.log.Error("a state ended early", zap.String("session", in.ID), zap.Error(err))
			}
			panic(http.ErrAbortHandler) // a cut answer must not look whole
		}
	}}, nil
}
