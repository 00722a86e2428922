package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Times of a stream. The daemon shows itself every 15 s: three missing signs are a dead connection.
const (
	silence = 45 * time.Second
	quiet   = 10 * time.Second // a connection that lived so long was a good one, also without an event
)

// Follow reads the session's log from a cursor on, live; the zero cursor means from the start. A connection that is lost is taken up again, as long as the loop
// goes on, after waits that grow from 0 over 0.25 s to 30 s with chance in them, and are forgotten when an event comes or a connection has held for 10 s.
//
// It ends when the session is over and everything was read. It ends with an error when the daemon refuses (*protocol.Problem), when there was no daemon
// at the first try (*Unreachable), when the daemon left out an event (ErrGap), or with the cause of ctx. Breaking out of the loop closes the connection.
func (s Session) Follow(ctx context.Context, since protocol.Cursor) iter.Seq2[Update, error] {
	return func(yield func(Update, error) bool) {
		f := follower{session: s, at: since, yield: yield}
		if err := f.run(ctx); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

type follower struct {
	session Session
	at      protocol.Cursor // everything up to here was handed out
	yield   func(Update, error) bool
	joined  bool          // a connection was made once
	fails   int           // in a row
	away    time.Duration // waited since the last sign of life
	retry   time.Duration // what the daemon asked for
}

// errStopped says that the loop was left, errSilent that a connection has died without a sign.
var (
	errStopped = errors.New("stopped")
	errSilent  = errors.New("the daemon went silent")
)

func (f *follower) tell(u Update) error {
	if !f.yield(u, nil) {
		return errStopped
	}
	return nil
}

func (f *follower) run(ctx context.Context) error {
	for {
		over, err := f.connect(ctx)
		if over || !f.joined || !lost(err) {
			return err
		}
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		f.fails++
		wait := sync.Backoff(f.fails, f.retry, rand.Float64())
		if err := f.tell(Lost{Err: err, Wait: wait, Away: f.away}); err != nil {
			return err
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
		f.away += wait
	}
}

// lostError is a connection that ended.
type lostError struct{ err error }

func (e *lostError) Error() string { return "connection lost: " + e.err.Error() }
func (e *lostError) Unwrap() error { return e.err }

// lost says whether an error is one of the connection, which may be taken up again.
func lost(err error) bool {
	var l *lostError
	return errors.As(err, &l) || passing(err)
}

// connect reads one connection to its end. over says that nothing more will come.
func (f *follower) connect(ctx context.Context) (over bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(&lostError{errSilent}) })
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
	began := time.Now()
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
		f.away = 0
		if time.Since(began) >= quiet {
			f.fails = 0
		}
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
		return f.tell(Damage{*m})
	case *protocol.Overflow:
		return f.tell(Overflow{*m})
	case *protocol.Reset:
		f.at = protocol.Cursor{Epoch: m.Epoch, Seq: max(m.Oldest, 1) - 1}
		return f.tell(Reset{*m})
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
		f.at, f.fails = at, 0
		return f.tell(Line{Event: *m, At: at, Raw: append([]byte(nil), frame.Data...)})
	}
	return nil
}
