package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type streamInput struct {
	SessionPath
	Since       string `query:"since" example:"42" doc:"A cursor: send what follows it. Without it, everything."`
	LastEventID string `header:"Last-Event-ID" doc:"The last id that was received: wins over since. Browsers send it when they reconnect."`
}

func (a *API) registerStream() {
	register(a, operation{
		id: "streamSession", method: http.MethodGet, path: "/sessions/{id}/stream", tag: "log",
		summary: "Follow a session live",
		text: "Server-sent events: everything after the cursor, then what happens, with nothing lost or doubled in between. " +
			"The id of a frame is the cursor of its event. A heartbeat follows 15 s without a frame. A cursor that is not of this log gets " +
			"a reset frame, then everything. The stream of an ended session closes when everything was sent; a client that has everything gets 204.",
		errors: []int{http.StatusBadRequest, http.StatusNotFound}, stream: true, endless: true,
		responses: map[string]*huma.Response{
			"200": {
				Description: "Server-sent events whose data is a StreamMessage",
				Headers:     sessionHeaders(),
				Content:     map[string]*huma.MediaType{eventStream: {Schema: streamMessage(a.huma.OpenAPI().Components.Schemas)}},
			},
			"204": {Description: "The session has ended and the client has everything"},
		},
	}, a.streamSession)
}

func (a *API) streamSession(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
	cursor, err := in.cursor()
	if err != nil {
		return nil, err
	}
	leave, ok := a.streams.enter(access.Of(ctx), in.ID)
	if !ok {
		a.metrics.rejections.WithLabelValues("streams").Inc()
		return &huma.StreamResponse{Body: a.refuseStream}, nil
	}
	reader, err := a.door.Join(ctx, in.ID, "stream")
	if err != nil {
		leave()
		return nil, err
	}
	s := &stream{api: a, id: in.ID, reader: reader}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		lasts(w, func() {
			defer leave()
			defer func() { s.reader.Leave() }()
			s.serve(w, r, cursor)
		})
	}}, nil
}

// cursor is where a stream begins.
func (in *streamInput) cursor() (protocol.Cursor, error) {
	if in.LastEventID != "" {
		return cursorOf(in.LastEventID)
	}
	return cursorOf(in.Since)
}

// cursorOf reads a cursor; the empty text is the start.
func cursorOf(text string) (protocol.Cursor, error) {
	if text == "" {
		return protocol.Cursor{Epoch: 1}, nil
	}
	c, err := protocol.ParseCursor(text)
	if err != nil {
		return c, badCursor()
	}
	return c, nil
}

// refuseStream answers a stream that there is no room for. Not with 503: EventSource would give up for good (spec §7.7).
func (a *API) refuseStream(hc huma.Context) {
	_, w := humago.Unwrap(hc)
	streamHeaders(w.Header())
	w.WriteHeader(http.StatusOK)
	wait := 5*time.Second + time.Duration(a.cfg.Rand(int64(5*time.Second)))
	_, _ = w.Write(protocol.AppendRetry(nil, wait))
}

func streamHeaders(h http.Header) {
	h.Set("Content-Type", eventStream)
	h.Set("X-Accel-Buffering", "no")
}

// stream is one reader of one session: a position, and the goroutine of its HTTP handler. It costs the session's actor a
// member of the subscriber set and nothing per event.
type stream struct {
	api    *API
	id     string
	reader *session.Reader

	out   *http.ResponseController
	w     http.ResponseWriter
	at    protocol.Cursor // of the last event sent, or where the connection began
	wrote time.Time       // the last frame
	told  bool            // that the log is damaged
	again uint64          // the event for which the session has looked at its journal anew; 0: none
}

func (s *stream) serve(w http.ResponseWriter, r *http.Request, cursor protocol.Cursor) {
	head := s.reader.Ring.Head()
	over := s.reader.Ring.State() == ring.Ended
	since, reset, ok := locate(s.reader, cursor, head)
	s.at = s.reader.Cursor(since)
	h := w.Header()
	setSessionHeaders(h, reset.Epoch, head)
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
	defer context.AfterFunc(s.api.closing, cancel)()

	s.w, s.out = w, http.NewResponseController(w)
	hello := append(make([]byte, 0, 256), ": ringmaster\n"...)
	hello = protocol.AppendRetry(hello, time.Second+time.Duration(s.api.cfg.Rand(int64(time.Second))))
	if !ok {
		hello = protocol.AppendReset(hello, reset)
	}
	if s.write(hello) != nil {
		return
	}
	if err := s.run(ctx); err != nil && !isGone(ctx, err) {
		s.api.log.Warn("stream ended early", zap.String("session", s.id), zap.Error(err))
	}
}

// isGone says that a stream ended as streams do: the client left or did not read, the daemon closes, the session was deleted.
func isGone(ctx context.Context, err error) bool {
	var write *streamWriteError
	var p *protocol.Problem
	return ctx.Err() != nil || errors.As(err, &write) || errors.As(err, &p)
}

// run sends until the session has ended and everything was sent, the client is gone, or something fails.
func (s *stream) run(ctx context.Context) error {
	idle := idleWait{every: s.api.cfg.Heartbeat}
	defer idle.stop()
	for {
		state := s.reader.Ring.State() // before the frames: what is published before an end is sent before it
		frames, last, ok := s.reader.Ring.Frames(s.at.Seq)
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
			if idle.wait(ctx, s.reader.Ring, s.at.Seq, s.wrote) {
				continue
			}
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := s.write(protocol.AppendHeartbeat(nil, s.at, s.api.cfg.Now().UnixMilli())); err != nil {
				return err
			}
		}
	}
}

// tellDamage says, once everything that can be read was sent, that this is not the log's end.
func (s *stream) tellDamage() error {
	s.told = true
	return s.write(protocol.AppendDamageFrame(nil, s.reader.Damage))
}

func (s *stream) moved(seq uint64) {
	s.at.Seq = seq
	s.reader.At(seq)
}

// restart tells the client that what it holds is void, and begins with the oldest event.
func (s *stream) restart() error {
	since, reset, _ := locate(s.reader, protocol.Cursor{}, s.reader.Ring.Head())
	s.at = s.reader.Cursor(since)
	return s.write(protocol.AppendReset(nil, reset))
}

// lookAgain has the session look at its journal, once for each event, where that is not as it was written; the stream goes on with what it has
// found.
func (s *stream) lookAgain(ctx context.Context, err error) bool {
	was := s.again
	s.again = s.at.Seq + 1
	return s.again != was && s.reader.Doubt(ctx, err)
}

// rejoin follows a session whose actor was put away or replaced.
func (s *stream) rejoin(ctx context.Context) error {
	reader, err := s.api.door.Join(ctx, s.id, s.reader.Name)
	if err != nil {
		return err
	}
	s.reader.Leave()
	s.reader = reader
	if _, _, ok := locate(reader, s.at, reader.Ring.Head()); !ok {
		return s.restart()
	}
	reader.At(s.at.Seq)
	return nil
}

// streamWriteError says that a client did not take a frame: it left, or it stopped reading for WriteTimeout.
type streamWriteError struct{ err error }

func (e *streamWriteError) Error() string { return "write: " + e.err.Error() }
func (e *streamWriteError) Unwrap() error { return e.err }

// write sends and flushes; the deadline is armed by answer.
func (s *stream) write(b []byte) error {
	if err := s.put(b); err != nil {
		return err
	}
	return s.flush()
}

// put sends; net/http may hold the last few KiB until flush, or until more is put.
func (s *stream) put(b []byte) error {
	failpoint.Torn("api/midFrame", s.w, b)
	if _, err := s.w.Write(b); err != nil {
		return &streamWriteError{err}
	}
	s.wrote = time.Now()
	return nil
}

func (s *stream) flush() error {
	if err := s.out.Flush(); err != nil {
		return &streamWriteError{err}
	}
	return nil
}
