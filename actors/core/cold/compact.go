package cold

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// What is compacted, where a Compactor does not say otherwise.
const (
	Full     = 8 << 20   // bytes of lines that a segment has, or some more: a row is not divided
	mostRows = 10_000    // that a segment is made of at most: they go in one transaction, for which the session's owner waits
	Rest     = time.Hour // behind which what a session has in rows goes, too
	page     = 100       // sessions that are asked for at once
	mostBad  = 10        // sessions that fail, behind which a pass ends
)

// Compactor moves events into the object store. It holds one segment in memory, and keeps nothing between two passes.
type Compactor struct {
	Core  core.Cold
	Store objects.Store
	Full  int64         // 0: Full
	Rest  time.Duration // 0: Rest
}

// Report is what a pass has done.
type Report struct {
	Sessions, Segments int
	Lost               int // segments that somebody else had made meanwhile, or whose rows were cut
	Events             uint64
	Lines, Bytes       int64 // of what was compacted: as rows, and as objects
}

// Pass makes segments of all that is due. Where that fails for a session it goes on with the others, and gives the first error in the end; a store that does
// not take what it is given ends it.
func (c *Compactor) Pass(ctx context.Context) (r Report, err error) {
	seen, bad := map[string]bool{}, 0
	var failed error
	want := core.Due{Full: cmp.Or(c.Full, Full), Rest: cmp.Or(c.Rest, Rest), Most: page}
	for {
		list, err := c.Core.Due(ctx, want)
		if err != nil {
			return r, cmp.Or(failed, err)
		}
		fresh := 0
		for _, due := range list {
			if seen[due.Session] {
				continue
			}
			seen[due.Session] = true
			fresh++
			if err := c.session(ctx, &due, want.Full, &r); err != nil {
				failed = cmp.Or(failed, fmt.Errorf("session %s: %w", due.Session, err))
				if bad++; bad == mostBad || isStore(err) || ctx.Err() != nil {
					return r, failed
				}
			}
		}
		if fresh == 0 {
			return r, failed
		}
	}
}

// isStore says that an error is about the store, and not about what was put.
func isStore(err error) bool {
	refused := new(*objects.RefusedError)
	return objects.Typed(err) && !errors.As(err, refused)
}

// session makes segments of what one has in rows, as long as there is enough for another.
func (c *Compactor) session(ctx context.Context, due *core.Ready, full int64, r *Report) error {
	for first := true; due.Since < due.Head; first = false {
		s, body, err := c.make(ctx, due, full)
		var gone *store.GoneError
		var beyond *store.BeyondError
		switch {
		case errors.As(err, &gone), errors.As(err, &beyond), errors.Is(err, errMoved), errors.Is(err, segment.ErrLine):
			return nil // another log than a moment ago: the next pass sees it; or one that stays in rows
		case err != nil:
			return err
		case s == nil:
			return nil
		}
		taken, err := c.move(ctx, s, body)
		switch {
		case err != nil:
			return err
		case !taken:
			r.Lost++
			return nil
		}
		if first {
			r.Sessions++
		}
		r.Segments++
		r.Events += s.Last - s.First + 1
		r.Lines += s.Bytes()
		r.Bytes += s.Object.Size
		due.Since = s.Last
	}
	return nil
}

// errMoved: what was in rows is in a segment already.
var errMoved = errors.New("somebody else has made a segment")

// make reads rows and makes an object of them; nil: there are not enough.
func (c *Compactor) make(ctx context.Context, due *core.Ready, full int64) (*core.Segment, []byte, error) {
	var body bytes.Buffer
	w := segment.NewWriter(&body, due.Since+1)
	s := &core.Segment{Session: due.Session, First: due.Since + 1}
	size, last := int64(0), []byte(nil)
	for p, err := range c.Core.Pieces(ctx, due.Session, due.Since, due.Head) {
		if err == nil && p.Segment != nil {
			err = errMoved
		}
		if err == nil {
			_, err = w.Write(p.Lines)
		}
		if err != nil {
			return nil, nil, err
		}
		row := core.Row{Stretch: p.Stretch, Bytes: int64(len(p.Lines)), Lease: p.Lease}
		row.Lines = nil
		s.Rows = append(s.Rows, row)
		last = p.Lines
		if size += row.Bytes; size >= full || len(s.Rows) == mostRows {
			break
		}
	}
	if len(s.Rows) == 0 || size < full && len(s.Rows) < mostRows && !due.Rests {
		return nil, nil, nil
	}
	x, err := w.Close()
	if err != nil {
		return nil, nil, err
	}
	s.Last, s.Line = x.Last, last[bytes.LastIndexByte(last[:len(last)-1], '\n')+1:]
	s.Object = core.Object{Key: objects.Attempt(x.LogKey(due.Session)), First: x.First, Last: x.Last, Size: x.Size, SHA256: x.SHA256}
	for _, f := range x.Frames {
		s.Object.Frames = append(s.Object.Frames, core.Frame(f))
	}
	return s, body.Bytes(), nil
}

// move puts a segment's object, and then its row.
func (c *Compactor) move(ctx context.Context, s *core.Segment, body []byte) (taken bool, err error) {
	if ok, err := c.Core.Intend(ctx, s.Session, s.Object.Key); err != nil || !ok {
		return false, err
	}
	failpoint.Hit("cold/afterIntend")
	// Where something is there already, it is what a try of this call has put, of which no answer came.
	if _, err := c.Store.Put(ctx, s.Object.Key, objects.Body{ReaderAt: bytes.NewReader(body), Size: s.Object.Size, SHA256: s.Object.SHA256}); err != nil {
		return false, err
	}
	failpoint.Hit("cold/afterPut")
	if taken, err = c.Core.Compact(ctx, s); err != nil || taken {
		failpoint.Hit("cold/afterCompact")
		return taken, err
	}
	if err := c.Store.Delete(ctx, s.Object.Key); err != nil {
		return false, err
	}
	return false, c.Core.Deleted(ctx, []string{s.Object.Key})
}
