package stream

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// registerEvents serves the log as a stream that ends. Generated clients read server-sent events one by one and typed; lines of
// JSON they hand on as bytes. A generated client asks for no media type, so this is an address of its own.
func (l *Logs) registerEvents(t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "readSessionEvents", Method: http.MethodGet, Path: "/sessions/{id}/log/events", Tag: "log",
		Summary: "Read a session's log as a stream of events that ends",
		Text: "What /log gives, as server-sent events: clients that are generated from this description read it event by event. It ends with the newest event that there was " +
			"when it began, X-Session-Version; streamSession with the id of its last frame goes on from there. " +
			"A cursor that is not of this log gets a reset frame, then everything. " +
			"Not for EventSource, which would ask again and again.",
		Errors: []int{http.StatusBadRequest, http.StatusNotFound},
		Responses: map[string]*huma.Response{
			"200": {
				Description: "Server-sent events whose data is a StreamMessage: an event, or first of all a reset",
				Headers:     schema.SessionHeaders(),
				Content:     map[string]*huma.MediaType{schema.EventStream: {Schema: schema.StreamMessage(t.Schemas())}},
			},
		},
	}, l.events)
}

func (l *Logs) events(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
	cursor, err := in.cursor()
	if err != nil {
		return nil, err
	}
	reader, err := l.Door.Join(ctx, in.ID, "log")
	if err != nil {
		return nil, err
	}
	s := &stream{logs: l, id: in.ID, reader: reader}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer func() { s.reader.Leave() }()
		r, w := humago.Unwrap(hc)
		s.serveLog(w, r, cursor)
	}}, nil
}

func (s *stream) serveLog(w http.ResponseWriter, r *http.Request, cursor protocol.Cursor) {
	head := s.reader.Ring.Head()
	since, reset, ok := reading.Locate(s.reader, cursor, head)
	s.at = s.reader.Cursor(since)
	h := w.Header()
	reading.SetHeaders(h, s.reader, reset.Epoch, head)
	streamHeaders(h)
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	s.w, s.out = w, http.NewResponseController(w)
	err := s.put([]byte(": ringmaster\n\n"))
	if err == nil && !ok {
		err = s.put(protocol.AppendReset(nil, reset))
	}
	for err == nil && s.at.Seq < head {
		var gone *store.GoneError
		if err = s.fromJournal(r.Context(), head); errors.As(err, &gone) { // retention has overtaken this reader
			err = s.restart()
		} else if err != nil && s.lookAgain(r.Context(), err) {
			if err = s.rejoin(r.Context()); err == nil {
				head = min(head, s.reader.Ring.Head())
			}
		}
	}
	if err == nil && s.reader.Damage != nil {
		err = s.tellDamage()
	}
	if err != nil {
		if r.Context().Err() == nil && !answer.IsLost(err) {
			s.logs.Log.Error("log ended early", zap.String("session", s.id), zap.Error(err))
		}
		panic(http.ErrAbortHandler) // a cut log must not look whole
	}
}
