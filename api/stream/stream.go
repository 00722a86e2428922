package stream

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (l *Logs) registerStream(t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "streamSession", Method: http.MethodGet, Path: "/sessions/{id}/stream", Tag: "log",
		Summary: "Follow a session live",
		Text: "Server-sent events: everything after the cursor, then what happens, with nothing lost or doubled in between. " +
			"The id of a frame is the cursor of its event. A heartbeat follows 15 s without a frame. A cursor that is not of this log gets " +
			"a reset frame, then everything. The stream of an ended session closes when everything was sent; a client that has everything gets 204.",
		Errors: []int{http.StatusBadRequest, http.StatusNotFound}, Stream: true, Endless: true,
		Responses: map[string]*huma.Response{
			"200": {
				Description: "Server-sent events whose data is a StreamMessage",
				Headers:     schema.SessionHeaders(),
				Content:     map[string]*huma.MediaType{schema.EventStream: {Schema: schema.StreamMessage(t.Schemas())}},
			},
			"204": {Description: "The session has ended and the client has everything"},
		},
	}, l.stream)
}

func (l *Logs) stream(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
	cursor, err := in.cursor()
	if err != nil {
		return nil, err
	}
	leave, ok := l.Streams.enter(access.Of(ctx), in.ID)
	if !ok {
		l.Refused()
		return l.NoRoom(), nil
	}
	reader, err := l.Door.Join(ctx, in.ID, "stream")
	if err != nil {
		leave()
		return nil, err
	}
	s := &stream{logs: l, id: in.ID, reader: reader, isNode: access.Of(ctx).IsNode()}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		answer.Lasts(w, func() {
			defer leave()
			defer func() { s.reader.Leave() }()
			s.serve(w, r, cursor)
		})
	}}, nil
}

// NoRoom answers a stream that there is no room for. Not with 503: EventSource would give up for good (spec §7.7).
func (l *Logs) NoRoom() *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		streamHeaders(w.Header())
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(protocol.AppendRetry(nil, 5*time.Second+time.Duration(l.Rand(int64(5*time.Second)))))
	}}
}

func (s *stream) serve(w http.ResponseWriter, r *http.Request, cursor protocol.Cursor) {
	head := s.reader.Ring.Head()
	over := s.reader.Ring.State() == ring.Ended
	since, reset, ok := reading.Locate(s.reader, cursor, head)
	s.at = s.reader.Cursor(since)
	h := w.Header()
	reading.SetHeaders(h, s.reader, reset.Epoch, head)
	if ok && over && since == s.reader.Ring.Head() {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	streamHeaders(h)
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.logs.Closing, cancel)()

	s.w, s.out = w, http.NewResponseController(w)
	hello := append(make([]byte, 0, 256), ": ringmaster\n"...)
	hello = protocol.AppendRetry(hello, time.Second+time.Duration(s.logs.Rand(int64(time.Second))))
	if !ok {
		hello = protocol.AppendReset(hello, reset)
	}
	if s.write(hello) != nil {
		return
	}
	if err := s.run(ctx); err != nil && !isGone(ctx, err) {
		s.logs.Log.Warn("stream ended early", zap.String("session", s.id), zap.Error(err))
	}
}

// isGone says that a stream ended as streams do: the client left or did not read, the daemon closes, the session was deleted.
func isGone(ctx context.Context, err error) bool {
	var p *protocol.Problem
	return ctx.Err() != nil || answer.IsLost(err) || errors.As(err, &p)
}

// run sends until the session has ended and everything was sent, the client is gone, or something fails.
func (s *stream) run(ctx context.Context) error {
	idle := heartbeat{every: s.logs.Heartbeat}
	defer idle.stop()
	for {
		if s.isNode && s.reader.Away { // it has moved: the node asks the one that has it, instead of what this one is told of it
			return nil
		}
		state := s.reader.Ring.State() // before the frames: what is published before an end is sent before it
		frames, last, ok := s.reader.Frames(s.at.Seq)
		switch {
		case !ok:
			err := s.catchUp(ctx)
			if err != nil && s.lookAgain(ctx, err) {
				err = s.rejoin(ctx)
			}
			if err != nil {
				return err
			}
		case len(frames) > 0:
			if err := s.write(frames); err != nil {
				return err
			}
			s.moved(last)
		case s.overflowed():
			if err := s.write(s.over); err != nil {
				return err
			}
		case s.reader.Damage != nil && !s.told:
			if err := s.tellDamage(); err != nil {
				return err
			}
		case state == ring.Ended:
			return nil
		case state == ring.Retired:
			if err := s.rejoin(ctx); err != nil {
				return err
			}
		default:
			if idle.wait(ctx, s.reader, s.at.Seq, s.wrote) {
				continue
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := s.write(protocol.AppendHeartbeat(nil, s.at, s.logs.Now().UnixMilli())); err != nil {
				return err
			}
		}
	}
}
