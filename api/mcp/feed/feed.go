// Package feed reads logs of sessions for clients of MCP, event by event, and shares what was decoded and folded.
package feed

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Feed reads one session's log for one reader, event by event from any position, live, also when the session's actor is put
// away or replaced. It is not safe for concurrent use.
type Feed struct {
	Door   *control.Door
	ID     string
	Name   string
	Epoch  uint64
	Reader *session.Reader // nil: it has left
	recent *recent         // nil: the feed decodes for itself
	At     uint64          // seq of the last event read
	Lost   bool            // events that were read are no longer in the log: the reader must begin anew
}

// Open begins before the first event.
func Open(ctx context.Context, d *control.Door, id, name string) (*Feed, error) {
	r, err := d.Join(ctx, id, name)
	if err != nil {
		return nil, err
	}
	return &Feed{Door: d, ID: id, Name: name, Epoch: r.Ring.Epoch(), Reader: r}, nil
}

// Close lets go of the session; rejoin takes it up again.
func (f *Feed) Close() {
	if f.Reader != nil {
		f.Reader.Leave()
		f.Reader = nil
	}
}

// Head is the seq of the newest event.
func (f *Feed) Head() uint64 { return f.Reader.Ring.Head() }

// Ended says that nothing is left to read and nothing will come: the session has ended, or its log is damaged.
func (f *Feed) Ended() bool {
	return (f.Reader.Ring.State() == ring.Ended || f.Reader.Damage != nil) && f.At >= f.Head()
}

// Read gives the events after the position, as far as they are there, to visit, which says whether it wants more. A reader
// that retention has overtaken goes on with the oldest event; oldest is then its seq, else 0. Events must not be changed.
//
// Where the journal is not as it was written, the session looks at it anew, and the feed reads on in what it has found, or is lost.
func (f *Feed) Read(ctx context.Context, visit func(e *protocol.Event) bool) (oldest uint64, err error) {
	if oldest, err = f.readOn(ctx, visit); err == nil || !f.Reader.Doubt(ctx, err) {
		return oldest, err
	}
	if err = f.Rejoin(ctx); err != nil || f.Lost {
		return oldest, err
	}
	return f.readOn(ctx, visit)
}

func (f *Feed) readOn(ctx context.Context, visit func(e *protocol.Event) bool) (oldest uint64, err error) {
	head := f.Head()
	if more := f.shared(head, visit); !more || f.At >= head {
		f.Reader.At(f.At)
		return 0, ctx.Err()
	}
	lines, err := store.LinesOf(f.Reader.Log, f.At, head)
	var gone *store.GoneError
	if errors.As(err, &gone) {
		oldest = gone.Oldest
		f.At = gone.Oldest - 1
		lines, err = store.LinesOf(f.Reader.Log, f.At, head)
	}
	if err != nil {
		return oldest, err
	}
	defer lines.Close()
	for ctx.Err() == nil && lines.Next() {
		e := f.recent.event(lines.Seq())
		if e == nil {
			decoded, err := protocol.Decode(lines.Line())
			if err != nil {
				return oldest, f.Reader.Log.Damaged(lines.Seq(), err.Error())
			}
			e = &decoded
			f.recent.keep(e, len(lines.Line()))
		}
		f.At = lines.Seq()
		if !visit(e) {
			break
		}
	}
	if err := lines.Err(); err != nil && !errors.As(err, &gone) { // what has gone meanwhile is told by the next read
		return oldest, err
	}
	f.Reader.At(f.At)
	return oldest, ctx.Err()
}

// shared gives what another feed has decoded, up to head or to the first event that none has; more says that visit wants more.
func (f *Feed) shared(head uint64, visit func(e *protocol.Event) bool) (more bool) {
	for more = true; more && f.At < head; {
		e := f.recent.event(f.At + 1)
		if e == nil {
			return true
		}
		f.At++
		more = visit(e)
	}
	return more
}

// Wait returns when there is something to read, or the session has ended, or lost is set; or with the context's error.
func (f *Feed) Wait(ctx context.Context) error {
	for {
		if err := f.Reader.Ring.Wait(ctx, f.At); err != nil {
			return err
		}
		if f.Reader.Ring.State() != ring.Retired || f.Head() > f.At {
			return nil
		}
		if err := f.Rejoin(ctx); err != nil || f.Lost {
			return err
		}
	}
}

// Rejoin reads the session's log as it is now, from where the feed was, or sets lost.
func (f *Feed) Rejoin(ctx context.Context) error {
	r, err := f.Door.Join(ctx, f.ID, f.Name)
	if err != nil {
		return err
	}
	f.Close()
	was := protocol.Cursor{Epoch: f.Epoch, Seq: f.At}
	f.Reader, f.Epoch = r, r.Ring.Epoch()
	at, ok := f.After(was)
	if f.Lost = !ok || was.Epoch != f.Epoch; !f.Lost {
		f.At = at
		r.At(at)
	}
	return nil
}

// After is where to read on behind a cursor; ok is false where that is not of this log.
func (f *Feed) After(c protocol.Cursor) (at uint64, ok bool) { return f.Reader.Behind(c, f.Head()) }
