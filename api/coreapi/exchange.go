package coreapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// exchange is one call while it is served.
type exchange struct {
	caller
	server *Server
	call   string
	tally  *tally
	w      http.ResponseWriter
	r      *http.Request
	ctl    *http.ResponseController
	body   []byte // of JSON and of objects; a stream is read by its handler
}

// handler answers a call. An error is told instead of an answer that has not begun.
type handler func(ctx context.Context, x *exchange) error

// lane is what a call may take.
type lane struct {
	isPulse  bool // nothing holds it up
	isStream bool // the answer is as long as it takes
}

// handle registers a call with the guard, which lets it in without a token: this package has its own.
func (s *Server) handle(pattern, call, media string, l lane, h handler) {
	s.routes.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		begun, t := time.Now(), tallied(w, r)
		defer func() { s.metrics.answered(call, l, t, time.Since(begun)) }()
		x := &exchange{server: s, call: call, tally: t, w: t, r: r, ctl: http.NewResponseController(t)}
		if err := s.serve(x, l, h); err != nil {
			x.fail(err)
		}
	})
	row := s.routes.Row(pattern)
	row.Open, row.Need = true, guard.Read
	if media != "" {
		row.MaxBody, row.Media = wire.MaxBody, []string{media}
	}
}

var (
	errBody  = errors.New("the body is none of this call")
	errSize  = errors.New("the size of the body is not said, or not right")
	errLarge = errors.New("it is larger than one call may be")
)

// serve finds out who asks, takes a place, and has the call answered.
func (s *Server) serve(x *exchange, l lane, h handler) error {
	grant, err := s.book.grant(x.r)
	if errors.Is(err, errBusy) {
		return s.metrics.busy(limitConnections)
	}
	if err != nil {
		s.note(err)
		return err
	}
	x.caller = caller{Grant: grant, book: s.book}
	places, at, limit := s.places, s.work, limitRequests
	if l.isPulse {
		places, at, limit = s.pulses, s.beats, limitBeats
	}
	if !places.take(x.r.Context(), grant.ID, 1) {
		return s.metrics.busy(limit)
	}
	defer places.give(grant.ID, 1)
	if x.core, err = at.get(); err != nil {
		s.note(err)
		return err
	}
	size, err := x.size()
	if err != nil {
		return &core.RefusedError{Op: x.call, Err: err}
	}
	if size > 0 {
		if !s.bodies.take(x.r.Context(), grant.ID, size) {
			return s.metrics.busy(limitBodies)
		}
		defer s.bodies.give(grant.ID, size)
	}
	ctx := x.r.Context()
	if !l.isStream {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, callTime)
		defer cancel()
	}
	err = h(ctx, x)
	s.note(err)
	return err
}

// size is how much memory a body takes: what is said of it is what is read of it.
func (x *exchange) size() (int64, error) {
	n := x.r.ContentLength
	switch {
	case n < 0:
		return 0, errSize
	case x.r.Header.Get("Content-Type") != wire.Frames:
		return n, nil
	}
	expanded, err := strconv.ParseInt(x.r.Header.Get(wire.Size), 10, 64)
	if err != nil || expanded < 0 {
		return 0, errSize
	}
	if expanded > wire.MaxBody {
		return 0, errLarge
	}
	return expanded, nil
}

// read reads the body, of which the length was said.
func (x *exchange) read() (err error) {
	x.begin()
	x.body = make([]byte, x.r.ContentLength)
	_, err = io.ReadFull(x.r.Body, x.body)
	return x.end(err)
}

// begin gives a body its time.
func (x *exchange) begin() { _ = x.ctl.SetReadDeadline(time.Now().Add(bodyTime)) }

// end takes it back: from now on only the end of the connection is looked for.
func (x *exchange) end(err error) error {
	_ = x.ctl.SetReadDeadline(time.Time{})
	if err != nil {
		return &core.AwayError{Op: x.call, Err: fmt.Errorf("the body did not come: %w", err)}
	}
	return nil
}

// fail tells an error.
func (x *exchange) fail(err error) {
	x.tally.failed(err)
	p := problemOf(err)
	if p.Code == wire.CodeForbidden {
		x.server.noteRefusal(&x.caller, x.call, p)
	}
	if p.Code == wire.CodeCredential {
		x.w.Header().Set("WWW-Authenticate", "Bearer")
	}
	x.writes()
	answer(x.w, p.Status, problemMedia, p)
}

// writes gives what is written next its time.
func (x *exchange) writes() { _ = x.ctl.SetWriteDeadline(time.Now().Add(writeTime)) }

// asked is a call with one value for one.
func asked[Q, A any](s *Server, name string, l lane, act func(ctx context.Context, x *exchange, q *Q) (A, error)) {
	s.handle("POST "+wire.Path(name), name, wire.JSON, l, func(ctx context.Context, x *exchange) error {
		var q Q
		if err := x.decode(&q); err != nil {
			return err
		}
		a, err := act(ctx, x, &q)
		if err != nil {
			return err
		}
		x.writes()
		answer(x.w, http.StatusOK, wire.JSON, a)
		return nil
	})
}

// decode reads a JSON body.
func (x *exchange) decode(into any) error {
	if err := x.read(); err != nil {
		return err
	}
	if err := json.Unmarshal(x.body, into); err != nil {
		return &core.RefusedError{Op: x.call, Err: errBody}
	}
	return nil
}
