package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Times of a stream. The daemon shows itself every 15 s: three missing signs are a dead connection.
const (
	silence    = 45 * time.Second
	firstRetry = 250 * time.Millisecond
	lastRetry  = 5 * time.Second
	giveUp     = 30 * time.Second // without any answer
)

// Update is one thing that a followed log has to tell.
//
//sumtype:decl
type Update interface{ update() }

// Line is one event. Raw is its line as the daemon wrote it, without the newline; it may be kept.
type Line struct {
	Event protocol.Event
	At    protocol.Cursor
	Raw   []byte
}

// Reset says that what was read before is void: the log begins again with the next Line.
type Reset struct{ protocol.Reset }

// Damage says that the log ends early: what follows cannot be read.
type Damage struct{ protocol.Damage }

// Lost says that the connection was lost and is taken up again after Wait.
type Lost struct {
	Err  error
	Wait time.Duration
}

func (Line) update()   {}
func (Reset) update()  {}
func (Damage) update() {}
func (Lost) update()   {}

// ErrGap says that the daemon left out an event or sent one twice, which it never may.
var ErrGap = errors.New("the stream has a gap")

// ErrStop is what a Follow callback returns to end the following without an error.
var ErrStop = errors.New("stop")

// Follow reads the log of a session from a cursor on, live, and hands everything to each, in order, from this goroutine.
// It returns nil when the session is over and everything was read, or when each returned ErrStop; else the error of each,
// the cause of ctx, the daemon's *protocol.Problem, or *Unreachable when the daemon stayed away.
func (s Session) Follow(ctx context.Context, since protocol.Cursor, each func(Update) error) error {
	f := follower{session: s, at: since, each: each}
	err := f.run(ctx)
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

type follower struct {
	session Session
	at      protocol.Cursor // everything up to here was handed out
	each    func(Update) error
	joined  bool          // a connection was made once
	fails   int           // since the last frame
	away    time.Duration // waited since the last frame
	retry   time.Duration // what the daemon asked for
}

func (f *follower) run(ctx context.Context) error {
	for {
		over, err := f.connect(ctx)
		if over || !f.lost(err) {
			return err
		}
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if !f.joined || f.away >= giveUp {
			return err
		}
		wait := max(f.retry, f.backoff())
		f.away += wait
		if err := f.each(Lost{err, wait}); err != nil {
			return err
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return context.Cause(ctx)
		}
	}
}

// backoff doubles from firstRetry to lastRetry, the upper half of it by chance. The first time it is 0: a stream that
// ended after a frame, as that of an ended session does, is asked for again at once.
func (f *follower) backoff() time.Duration {
	f.fails++
	if f.fails == 1 {
		return 0
	}
	d := min(firstRetry<<min(f.fails-2, 10), lastRetry)
	return d/2 + rand.N(d/2+1)
}

// lostError is a connection that ended.
type lostError struct{ err error }

func (e *lostError) Error() string { return "connection lost: " + e.err.Error() }
func (e *lostError) Unwrap() error { return e.err }

// lost says whether an error is one of the connection, which may be taken up again.
func (f *follower) lost(err error) bool {
	var l *lostError
	var u *Unreachable
	var p *protocol.Problem
	switch {
	case errors.As(err, &p):
		return p.Code == protocol.CodeOverloaded || p.Code == protocol.CodeUnavailable
	default:
		return errors.As(err, &l) || errors.As(err, &u)
	}
}

// connect reads one connection to its end. over says that nothing more will come.
func (f *follower) connect(ctx context.Context) (over bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(&lostError{errors.New("the daemon went silent")}) })
	defer watch.Stop()

	header := http.Header{"Accept": {"text/event-stream"}}
	if !f.at.Start() {
		header.Set("Last-Event-ID", f.at.String())
	}
	resp, err := f.session.client.do(ctx, call{method: http.MethodGet, path: f.session.path("stream"), header: header})
	if err != nil {
		return false, err
	}
	defer func() { _ = resp.Body.Close() }()
	f.joined = true
	if resp.StatusCode == http.StatusNoContent {
		return true, nil
	}
	frames := protocol.NewSSEReader(resp.Body, 0)
	for {
		frame, err := frames.Next()
		f.retry = frames.Retry()
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return false, cause
			}
			if errors.Is(err, io.EOF) {
				err = errors.New("the daemon ended it")
			}
			return false, &lostError{err}
		}
		watch.Reset(silence)
		f.fails, f.away = 0, 0
		if err := f.frame(frame); err != nil {
			return false, err
		}
	}
}

func (f *follower) frame(frame protocol.SSEFrame) error {
	m, err := protocol.DecodeMessage(frame.Data)
	if err != nil {
		return fmt.Errorf("the daemon's stream: %w", err)
	}
	switch m := m.(type) {
	case *protocol.Heartbeat:
		return nil
	case *protocol.Damage:
		return f.each(Damage{*m})
	case *protocol.Reset:
		f.at = protocol.Cursor{Epoch: m.Epoch, Seq: max(m.Oldest, 1) - 1}
		return f.each(Reset{*m})
	case *protocol.Event:
		at, err := protocol.ParseCursor(frame.ID)
		if err != nil {
			return fmt.Errorf("the daemon's stream: %w", err)
		}
		if at.Epoch == f.at.Epoch && m.Seq <= f.at.Seq {
			return fmt.Errorf("%w: event %d came again", ErrGap, m.Seq)
		}
		if !f.at.Start() && m.Seq != f.at.Seq+1 {
			return fmt.Errorf("%w: event %d came after %d", ErrGap, m.Seq, f.at.Seq)
		}
		f.at = at
		return f.each(Line{Event: *m, At: at, Raw: append([]byte(nil), frame.Data...)})
	}
	return nil
}
