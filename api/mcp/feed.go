package mcp

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// feed reads one session's log for one reader, event by event from any position, live, also when the session's actor is put
// away or replaced. It is not safe for concurrent use.
type feed struct {
	door   *control.Door
	id     string
	name   string
	epoch  uint64
	reader *session.Reader // nil: it has left
	recent *recent         // nil: the feed decodes for itself
	at     uint64          // seq of the last event read
	lost   bool            // events that were read are no longer in the log: the reader must begin anew
}

// openFeed begins before the first event.
func openFeed(ctx context.Context, d *control.Door, id, name string) (*feed, error) {
	r, err := d.Join(ctx, id, name)
	if err != nil {
		return nil, err
	}
	return &feed{door: d, id: id, name: name, epoch: r.Ring.Epoch(), reader: r}, nil
}

// close lets go of the session; rejoin takes it up again.
func (f *feed) close() {
	if f.reader != nil {
		f.reader.Leave()
		f.reader = nil
	}
}

func (f *feed) head() uint64 { return f.reader.Ring.Head() }

// ended says that nothing is left to read and nothing will come: the session has ended, or its log is damaged.
func (f *feed) ended() bool {
	return (f.reader.Ring.State() == ring.Ended || f.reader.Damage != nil) && f.at >= f.head()
}

// read gives the events after the position, as far as they are there, to visit, which says whether it wants more. A reader
// that retention has overtaken goes on with the oldest event; oldest is then its seq, else 0. Events must not be changed.
//
// Where the journal is not as it was written, the session looks at it anew, and the feed reads on in what it has found, or is lost.
func (f *feed) read(ctx context.Context, visit func(e *protocol.Event) bool) (oldest uint64, err error) {
	if oldest, err = f.readOn(ctx, visit); err == nil || !f.reader.Doubt(ctx, err) {
		return oldest, err
	}
	if err = f.rejoin(ctx); err != nil || f.lost {
		return oldest, err
	}
	return f.readOn(ctx, visit)
}

func (f *feed) readOn(ctx context.Context, visit func(e *protocol.Event) bool) (oldest uint64, err error) {
	head := f.head()
	if more := f.shared(head, visit); !more || f.at >= head {
		f.reader.At(f.at)
		return 0, ctx.Err()
	}
	lines, err := store.LinesOf(f.reader.Log, f.at, head)
	var gone *store.GoneError
	if errors.As(err, &gone) {
		oldest = gone.Oldest
		f.at = gone.Oldest - 1
		lines, err = store.LinesOf(f.reader.Log, f.at, head)
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
				return oldest, f.reader.Log.Damaged(lines.Seq(), err.Error())
			}
			e = &decoded
			f.recent.keep(e, len(lines.Line()))
		}
		f.at = lines.Seq()
		if !visit(e) {
			break
		}
	}
	if err := lines.Err(); err != nil && !errors.As(err, &gone) { // what has gone meanwhile is told by the next read
		return oldest, err
	}
	f.reader.At(f.at)
	return oldest, ctx.Err()
}

// shared gives what another feed has decoded, up to head or to the first event that none has; more says that visit wants more.
func (f *feed) shared(head uint64, visit func(e *protocol.Event) bool) (more bool) {
	for more = true; more && f.at < head; {
		e := f.recent.event(f.at + 1)
		if e == nil {
			return true
		}
		f.at++
		more = visit(e)
	}
	return more
}

// wait returns when there is something to read, or the session has ended, or lost is set; or with the context's error.
func (f *feed) wait(ctx context.Context) error {
	for {
		if err := f.reader.Ring.Wait(ctx, f.at); err != nil {
			return err
		}
		if f.reader.Ring.State() != ring.Retired || f.head() > f.at {
			return nil
		}
		if err := f.rejoin(ctx); err != nil || f.lost {
			return err
		}
	}
}

// rejoin reads the session's log as it is now, from where the feed was, or sets lost.
func (f *feed) rejoin(ctx context.Context) error {
	r, err := f.door.Join(ctx, f.id, f.name)
	if err != nil {
		return err
	}
	f.close()
	was := protocol.Cursor{Epoch: f.epoch, Seq: f.at}
	f.reader, f.epoch = r, r.Ring.Epoch()
	at, ok := f.after(was)
	if f.lost = !ok || was.Epoch != f.epoch; !f.lost {
		f.at = at
		r.At(at)
	}
	return nil
}

// after is where to read on behind a cursor; ok is false where that is not of this log. What a client has beyond the end of a damaged log may be
// all that is left of it.
func (f *feed) after(c protocol.Cursor) (at uint64, ok bool) {
	head := f.head()
	switch {
	case c.Start():
		return 0, true
	case c.Epoch != f.epoch, c.Seq > head && f.reader.Damage == nil:
		return 0, false
	}
	return min(c.Seq, head), true
}
