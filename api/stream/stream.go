package stream

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
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type streamInput struct {
	operation.SessionPath
	Since       string `query:"since" example:"42" doc:"A cursor: send what follows it. Without it, everything."`
	LastEventID string `header:"Last-Event-ID" doc:"The last id that was received: wins over since. Browsers send it when they reconnect."`
}

// Config is what logs are served with.
type Config struct {
	Door      *control.Door
	Encoders  *compress.Pool
	Streams   *Limit
	Log       *zap.Logger
	Closing   context.Context // done when the streams shall end
	Heartbeat time.Duration   // of a stream without events
	Now       func() time.Time
	Rand      func(n int64) int64 // 0 to n-1, for the jitter of reconnects
	Refused   func()              // is told of a stream that there is no room for
}

// Logs serves the logs of sessions: whole, as a patch, live.
type Logs struct{ Config }

// New makes what serves logs.
func New(c Config) *Logs { return &Logs{c} }

// Register serves the log in its three forms.
func (l *Logs) Register(t *operation.Table) {
	l.registerLog(t)
	l.registerEvents(t)
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
		return &huma.StreamResponse{Body: l.refuse}, nil
	}
	reader, err := l.Door.Join(ctx, in.ID, "stream")
	if err != nil {
		leave()
		return nil, err
	}
	s := &stream{logs: l, id: in.ID, reader: reader}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		answer.Lasts(w, func() {
			defer leave()
			defer func() { s.reader.Leave() }()
			s.serve(w, r, cursor)
		})
	}}, nil
}

// cursor is where a stream begins.
func (in *streamInput) cursor() (protocol.Cursor, error) {
	if in.LastEventID != "" {
		return reading.Cursor(in.LastEventID)
	}
	return reading.Cursor(in.Since)
}

// refuse answers a stream that there is no room for. Not with 503: EventSource would give up for good (spec §7.7).
func (l *Logs) refuse(hc huma.Context) {
	_, w := humago.Unwrap(hc)
	streamHeaders(w.Header())
	w.WriteHeader(http.StatusOK)
	wait := 5*time.Second + time.Duration(l.Rand(int64(5*time.Second)))
	_, _ = w.Write(protocol.AppendRetry(nil, wait))
}

func streamHeaders(h http.Header) {
	h.Set("Content-Type", schema.EventStream)
	h.Set("X-Accel-Buffering", "no")
}

// stream is one reader of one session: a position, and the goroutine of its HTTP handler. It costs the session's actor a
// member of the subscriber set and nothing per event.
type stream struct {
	logs   *Logs
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
	since, reset, ok := reading.Locate(s.reader, cursor, head)
	s.at = s.reader.Cursor(since)
	h := w.Header()
	reading.SetHeaders(h, reset.Epoch, head)
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
			if err := s.write(protocol.AppendHeartbeat(nil, s.at, s.logs.Now().UnixMilli())); err != nil {
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
	since, reset, _ := reading.Locate(s.reader, protocol.Cursor{}, s.reader.Ring.Head())
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
	reader, err := s.logs.Door.Join(ctx, s.id, s.reader.Name)
	if err != nil {
		return err
	}
	s.reader.Leave()
	s.reader = reader
	if _, _, ok := reading.Locate(reader, s.at, reader.Ring.Head()); !ok {
		return s.restart()
	}
	reader.At(s.at.Seq)
	return nil
}

// write sends and flushes; the deadline is armed by answer.
func (s *stream) write(b []byte) error {
	if err := s.put(b); err != nil {
		return err
	}
	return s.flush()
}

// put sends; net/http may hold the last few KiB until flush, or until more is put.
func (s *stream) put(b []byte) error {
	failpoint.Torn("stream/midFrame", s.w, b)
	if _, err := s.w.Write(b); err != nil {
		return answer.Lost(err)
	}
	s.wrote = time.Now()
	return nil
}

func (s *stream) flush() error {
	if err := s.out.Flush(); err != nil {
		return answer.Lost(err)
	}
	return nil
}
