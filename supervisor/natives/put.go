package natives

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

// What a segment has at most, beside its last frame.
const (
	maxObject = 8 << 20   // bytes of its object
	maxLines  = 128 << 20 // bytes of its lines
)

// place is a folder with native lines of a session: its own, or one that was set aside.
type place struct {
	dir   string
	aside string // its name; "": it is the session's own
}

// places are those of a session, in the order of their lines: that of the moments at which they were set aside. Of a place that comes behind a later one
// nothing would be put any more, so there are none where it is not known which there are: that is the error, a *raw.Error.
func (n *Natives) places(id string) (list []place, err error) {
	if n.cfg.Logs != nil {
		names, err := n.cfg.Logs.Asides(id)
		if err != nil {
			return nil, &raw.Error{Op: "list", File: id, Err: err}
		}
		folder.SortAsides(names)
		for _, name := range names {
			list = append(list, place{n.cfg.Data.AsideRaw(id, name), name})
		}
	}
	if n.cfg.Epoch(id) > 0 {
		list = append(list, place{dir: n.cfg.Data.Raw(id)})
	}
	return list, nil
}

// epoch is the newest one of the log beside a place; 0: that has gone, or is damaged for good. An error, a *raw.Error, says that it cannot be looked at now.
func (n *Natives) epoch(id string, p place) (uint64, error) {
	if p.aside == "" {
		return n.cfg.Epoch(id), nil
	}
	log, err := n.cfg.Logs.Aside(id, p.aside)
	var damaged *store.DamageError
	switch {
	case err == nil:
		return log.Epoch(), nil
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &damaged):
		return 0, nil
	}
	return 0, &raw.Error{Op: "look at the log of", File: p.dir, Err: err}
}

// withLines are those of the sessions that have native lines here. No file is opened for it.
func (n *Natives) withLines(ids []string) (list []string) {
	for _, id := range ids {
		if places, err := n.places(id); err != nil || slices.ContainsFunc(places, n.hasLines) {
			list = append(list, id)
		} else {
			n.pauses.End(id)
		}
	}
	return list
}

func (n *Natives) hasLines(p place) bool {
	has, err := raw.Look(p.dir, n.cfg.Files)
	return err != nil || !has.Empty()
}

// put puts the lines of a session behind upTo. done: nothing is left that could be put now.
func (n *Natives) put(ctx context.Context, id string, upTo uint64) (done bool, err error) {
	isLive := false
	if n.cfg.Epoch(id) > 0 {
		if isLive, err = n.cfg.Written(ctx, id); err != nil { // the session has gone meanwhile, the daemon ends, or ctx is done
			return false, ctx.Err()
		}
	}
	places, err := n.places(id)
	if err != nil {
		return false, err
	}
	for _, p := range places {
		next, done, err := n.place(ctx, id, p, p.aside == "" && isLive, upTo)
		switch {
		case isRemoved(err): // the session was, or has moved, meanwhile
			return false, nil
		case err != nil:
			return false, err
		case !done:
			return p.aside != "" && n.isGone(ctx, id), nil
		}
		upTo = next
	}
	return true, nil
}

// isRemoved says that an archive was removed, or renamed, while it was read. A store of which the folder is not there says something of the kind as well.
func isRemoved(err error) bool {
	var unread *raw.Error
	return errors.As(err, &unread) && errors.Is(err, fs.ErrNotExist)
}

// place puts the lines of a place behind since, and gives the newest line that is there then.
func (n *Natives) place(ctx context.Context, id string, p place, isLive bool, since uint64) (upTo uint64, done bool, err error) {
	last, err := n.last(p, isLive)
	if err != nil || last <= since {
		return since, err == nil, err
	}
	epoch, err := n.epoch(id, p)
	if err != nil || epoch == 0 {
		return since, err == nil, err
	}
	r, err := raw.Read(p.dir, n.cfg.Files)
	if err != nil {
		return since, false, err
	}
	return n.stretch(ctx, &made{node: n.cfg.Node, session: id, epoch: epoch}, r, since, last)
}

// last is the newest line of a place that does not change any more. Of a live one no file is opened for it, of others the heads of the newest files are read.
func (n *Natives) last(p place, isLive bool) (uint64, error) {
	has, err := raw.Look(p.dir, n.cfg.Files)
	switch {
	case err != nil:
		return 0, err
	case isLive:
		return has.Finished(), nil
	}
	return has.Newest()
}

// isGone says that Core does not have a session any more.
func (n *Natives) isGone(ctx context.Context, id string) bool {
	at, err := n.core.Positions(ctx, []string{id})
	return err == nil && at[0].Session == "" && n.cfg.Epoch(id) == 0
}

// stretch puts the lines behind since, up to last, of an archive, as segments, and gives the newest line that is there then.
func (n *Natives) stretch(ctx context.Context, m *made, r *raw.Reader, since, last uint64) (upTo uint64, done bool, err error) {
	upTo = since
	move := func() (bool, error) {
		if m.isEmpty() {
			return true, nil
		}
		g, body, err := m.segment()
		if err != nil {
			return false, err
		}
		isPut, err := cold.PutNative(ctx, n.core, n.store, g, body)
		n.pauses.Tried(g.Session, isPut, err)
		if isPut {
			upTo = g.Object.Last
			n.worked.Store(true)
		}
		return isPut, err
	}
	for l, err := range r.From(since + 1) {
		switch {
		case err != nil:
			return upTo, false, err
		case ctx.Err() != nil:
			return upTo, false, context.Cause(ctx)
		}
		if l.Number > last {
			break
		}
		if m.isFull() || !m.follows(&l) {
			if isPut, err := move(); err != nil || !isPut {
				return upTo, false, err
			}
		}
		if err := m.add(&l); err != nil {
			return upTo, false, err
		}
	}
	isPut, err := move()
	return upTo, isPut, err
}

// made is a segment that is being made. It holds its object in memory.
type made struct {
	node, session  string
	epoch          uint64
	body           bytes.Buffer
	to             *segment.Writer // nil: no line has come yet
	next           uint64          // number of the next line
	lines, longest int64
}

func (m *made) isEmpty() bool { return m.to == nil }

func (m *made) isFull() bool { return m.body.Len() >= maxObject || m.lines >= maxLines }

// follows says that a line has the number that comes next: the lines of a segment have no gaps.
func (m *made) follows(l *raw.Line) bool { return m.to == nil || l.Number == m.next }

func (m *made) add(l *raw.Line) error {
	if m.to == nil {
		m.to = segment.NewWriter(&m.body, l.Number)
	}
	record := l.Record
	if len(record) >= segment.MaxLine {
		note := raw.TooLong(l)
		record = note.Record
	}
	m.next = l.Number + 1
	m.lines += int64(len(record)) + 1
	m.longest = max(m.longest, int64(len(record))+1)
	if _, err := m.to.Write(record); err != nil {
		return err
	}
	_, err := m.to.Write([]byte{'\n'})
	return err
}

// segment ends it, and begins anew.
func (m *made) segment() (*core.NativeSegment, []byte, error) {
	x, err := m.to.Close()
	if err != nil {
		return nil, nil, err
	}
	g := &core.NativeSegment{Session: m.session, Node: m.node, Epoch: m.epoch, Lines: m.lines, Longest: m.longest}
	g.Object = core.Object{Key: objects.Attempt(x.RawKey(m.session, m.node)), First: x.First, Last: x.Last, Size: x.Size, SHA256: x.SHA256}
	for _, f := range x.Frames {
		g.Object.Frames = append(g.Object.Frames, core.Frame(f))
	}
	body := m.body.Bytes()
	*m = made{node: m.node, session: m.session, epoch: m.epoch}
	return g, body, nil
}
