package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
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
	var body [][]byte
	var room *fold
	var err error
	fresh := !etagMatches(in.IfNoneMatch, tag)
	if fresh {
		if body, room, err = a.fold(ctx, reader, reset.Oldest-1, at); err != nil {
			var gone *journal.GoneError
			if errors.As(err, &gone) {
				reset.Oldest = gone.Oldest
				err = protocol.CursorReset(reset)
			}
			return nil, err
		}
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		h := w.Header()
		setSessionHeaders(h, reset.Epoch, at)
		h.Set("ETag", tag)
		h.Set("Cache-Control", "no-cache")
		if !fresh {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		defer room.end()
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(length(body)))
		w.WriteHeader(http.StatusOK)
		for _, piece := range body {
			if send(w, piece) != nil {
				return
			}
		}
	}}, nil
}

// fold reads the log up to an event. A client that leaves ends its fold; room is the answer's until it was sent.
func (a *API) fold(ctx context.Context, r *session.Reader, since, at uint64) (body [][]byte, room *fold, err error) {
	size, err := logSize(r.Log, since, at)
	if err != nil {
		return nil, nil, err
	}
	taken, err := a.folds.begin(ctx, size)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if body == nil { // it failed, or panicked
			taken.end()
		}
	}()
	release, err := a.zips.slot(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	var state protocol.SessionState
	err = eachLine(r.Log, since, at, func(line []byte) error {
		e, err := protocol.Decode(line)
		if err != nil {
			return r.Log.Damaged(max(state.Seq, since)+1, err.Error())
		}
		state.Apply(&e)
		if e.Seq%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	pieces := state.Pieces()
	last := &pieces[len(pieces)-1]
	if r.Damage != nil {
		damage, err := json.Marshal(r.Damage)
		if err != nil {
			return nil, nil, err
		}
		*last = append(append((*last)[:len(*last)-1], `,"damage":`...), damage...)
		*last = append(*last, '}')
	}
	*last = append(*last, '\n')
	taken.made(length(pieces))
	return pieces, taken, nil
}
