package link

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tail is how many events of a log are read before what comes.
const tail = 3000

// Waits between two readings of a log that failed. The first one comes at once.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 30 * time.Second
)

// errLost says that the connection was lost over which a log came.
var errLost = errors.New("connection lost")

// reading is a log on its way to the box.
type reading struct {
	link    *Link
	session string
	number  uint64          // by which the box knows it
	at      protocol.Cursor // everything up to here was handed on
	some    bool            // anything was
}

// readLog reads the newest events of a log, and then what comes, until ctx is done or the log is over. A reading that fails is told, and begun again where it
// was: after a while, and at once when the list of sessions is current again.
func (l *Link) readLog(ctx context.Context, w desk.Open, number uint64) {
	at, err := protocol.ParseCursor(w.Cursor)
	if w.Cursor == "" || err != nil {
		at = protocol.Cursor{}
	}
	r := reading{link: l, session: w.Session, number: number, at: earlier(at, tail)}
	if !r.at.Start() {
		l.box.reset(number, false, true)
	}
	for wait := time.Duration(0); ; wait = min(max(2*wait, firstWait), lastWait) {
		current, from := l.box.current(), r.at
		err := r.read(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		if r.at != from {
			wait = 0
		}
		if wait == 0 {
			continue
		}
		l.box.pause(number, exit.Words(err))
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-current:
		case <-ctx.Done():
		}
		t.Stop()
	}
}

// read reads what is there, and what comes.
func (r *reading) read(ctx context.Context) error {
	if err := r.stored(ctx); err != nil {
		return err
	}
	r.link.box.caught(r.number)
	return r.on(ctx)
}

// stored reads what is there, without the deltas of what has ended.
func (r *reading) stored(ctx context.Context) error {
	body, err := r.link.client.Session(r.session).OpenLog(ctx, client.LogQuery{Since: r.at, Settled: true})
	var p *protocol.Problem
	if errors.As(err, &p) && p.Code == protocol.CodeCursorReset && !r.at.Start() {
		r.void(protocol.Cursor{})
		return r.stored(ctx)
	}
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	lines := protocol.NewLineReader(body, 0)
	for {
		text, err := lines.Next()
		if errors.Is(err, io.EOF) {
			r.at = protocol.Cursor{Epoch: body.Epoch, Seq: body.Version}
			return nil
		}
		if err != nil {
			return err
		}
		e, err := protocol.Decode(text)
		if err != nil {
			continue // a signal, or of a later version
		}
		if err := r.add(ctx, &e, protocol.Cursor{Epoch: body.Epoch, Seq: e.Seq}); err != nil {
			return err
		}
	}
}

// on reads what comes, until the connection is lost.
func (r *reading) on(ctx context.Context) error {
	for u, err := range r.link.client.Follow(ctx, r.session, r.at) {
		if err != nil {
			return err
		}
		switch u := u.(type) {
		case client.Line:
			if err := r.add(ctx, &u.Event, u.At); err != nil {
				return err
			}
		case client.Overflow: // a screen that is scrolled shows what the log keeps
		case client.Reset:
			r.void(protocol.Cursor{Epoch: u.Epoch, Seq: max(u.Oldest, 1) - 1})
		case client.Damage:
			r.link.box.pause(r.number, "the log ends here: "+u.String())
		case client.Lost:
			return errLost
		}
	}
	return nil
}

func (r *reading) add(ctx context.Context, e *protocol.Event, at protocol.Cursor) error {
	if !r.link.box.add(r.number, e, ctx.Done()) {
		return context.Canceled
	}
	r.at, r.some = at, true
	return nil
}

// void says that what was handed on is void: the log begins again behind a cursor.
func (r *reading) void(at protocol.Cursor) {
	if r.some {
		r.link.box.reset(r.number, true, false)
	}
	r.at, r.some = at, false
}
