package merged

import (
	"context"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// flushEvery is how often a stream is written to at most.
const flushEvery = time.Millisecond

// stream is one connection.
type stream struct {
	list
	flushed time.Time // when it was last written to
}

func newStream(c *Config, want *wish, f form, all *access.Roster) *stream {
	s := new(stream)
	s.reader = reader{
		Config: c, want: want, out: &output{form: f}, roster: all, line: newLine(), feeds: map[string]*feed{}, shown: map[string]struct{}{},
	}
	s.joins.door, s.joins.fold = c.Door, want.fold
	return s
}

// serve sends until the client is gone, the daemon closes, or every session of a stream that follows no list is over.
func (s *stream) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", s.out.media)
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.Closing, cancel)()
	s.out.w, s.out.out = w, http.NewResponseController(w)
	s.out.ctx, s.joins.ctx = ctx, ctx
	if !s.out.lines {
		s.out.buf = append(s.out.buf, ": ringmaster\n"...)
		s.out.buf = protocol.AppendRetry(s.out.buf, time.Second+time.Duration(s.Rand(int64(time.Second))))
	}
	defer s.close()
	defer cancel() // before close waits for what joins
	if err := s.run(ctx); err != nil && ctx.Err() == nil && !answer.IsLost(err) {
		s.Log.Warn("merged stream ended early", zap.Error(err))
	}
}

func (s *stream) run(ctx context.Context) error {
	s.beat = time.Now()
	s.begin()
	timer := time.NewTimer(s.Heartbeat)
	defer timer.Stop()
	for {
		s.turns()
		s.due(time.Now())
		switch {
		case s.out.bad != nil:
			return s.out.bad
		case len(s.line.feeds) > 0:
			continue
		}
		if err := s.out.flush(); err != nil {
			return err
		}
		s.flushed = time.Now()
		if s.bell == nil && s.left == 0 {
			return nil // nothing can follow
		}
		s.wait(ctx, timer)
	}
}

// turns gives every feed that is in line a turn.
func (s *stream) turns() {
	s.take()
	for n := len(s.line.feeds); n > 0 && s.out.bad == nil; n-- {
		if f := s.line.next(); s.advance(f) {
			s.line.add(f)
		}
	}
	s.take()
}

func (s *stream) take() { s.changed = s.line.take(s.bell) || s.changed }

// due does what it is time for.
func (s *stream) due(now time.Time) {
	if s.changed && now.Sub(s.listed) >= listEvery {
		s.look(now)
	}
	s.retry(now)
	if now.Sub(s.beat) >= s.Heartbeat {
		s.heartbeat(now)
	}
}

// wait returns when a bell was rung, when something is due, or when the stream is over.
func (s *stream) wait(ctx context.Context, timer *time.Timer) {
	next := s.beat.Add(s.Heartbeat)
	if at := s.listed.Add(listEvery); s.changed && at.Before(next) {
		next = at
	}
	if len(s.later) > 0 && s.later[0].again.Before(next) {
		next = s.later[0].again
	}
	timer.Reset(max(time.Until(next), 0))
	select {
	case <-s.line.bells.Rung():
		s.gather(ctx, timer)
	case <-timer.C:
	case <-ctx.Done():
		s.out.bad = context.Cause(ctx)
	}
}

// gather lets what comes close behind the last write wait for more: of thousands of events a second each would cost a write of its own, and its reader a
// read. What comes after a pause is handed on at once.
func (s *stream) gather(ctx context.Context, timer *time.Timer) {
	wait := flushEvery - time.Since(s.flushed)
	if wait <= 0 {
		return
	}
	timer.Reset(wait)
	select {
	case <-timer.C:
	case <-ctx.Done():
		s.out.bad = context.Cause(ctx)
	}
}
