package webhook

import (
	"context"
	"errors"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// The bounds of looking at logs.
const (
	maxScanners = 8       // at once
	scanBytes   = 1 << 20 // of one log, before others have their turn
	scanFound   = 64      // notices of one log, likewise
)

// errEnough ends a walk.
var errEnough = errors.New("enough")

// look has a log looked at. With mu held.
func (h *Hooks) look(e core.Scan) {
	h.scans = append(h.scans, e)
	if h.scanner < maxScanners {
		h.scanner++
		h.all.Go(h.scanAll) // ends when nothing waits, or with Close
	}
}

// scanAll looks at logs until none waits.
func (h *Hooks) scanAll() {
	for {
		h.mu.Lock()
		if len(h.scans) == 0 || h.ctx.Err() != nil {
			h.scanner--
			h.mu.Unlock()
			return
		}
		e := h.scans[0]
		h.scans = h.scans[1:]
		h.mu.Unlock()
		in, err := h.scan(access.With(h.ctx, access.Daemon), e)
		if err != nil {
			in = &core.Scanned{Session: e.Session, From: e.From, Failed: true}
			if p := (*protocol.Problem)(nil); h.ctx.Err() == nil && !errors.As(err, &p) {
				h.Log.Warn("webhooks: a session cannot be read", zap.String("session", e.Session), zap.Error(err))
			}
		}
		h.step(in)
	}
}

// scan looks at a session's log behind a position.
func (h *Hooks) scan(ctx context.Context, e core.Scan) (*core.Scanned, error) {
	r, err := h.world.Door.Follow(ctx, e.Session, "webhooks")
	if err != nil {
		return nil, err
	}
	defer r.Leave()
	w := &walk{reader: r, in: core.Scanned{Session: e.Session, From: e.From}}
	w.begin(e.From)
	err = w.run()
	if err != nil && session.Doubts(err) {
		r.Doubt(ctx, err) // it is read again later, as the session finds it then
	}
	return &w.in, err
}

// walk goes through a log.
type walk struct {
	reader *session.Reader
	in     core.Scanned
	bytes  int
}

// begin finds where to begin. Where the log has another epoch than the position, events may have been lost: what follows the last one that is the same
// as then is new.
func (w *walk) begin(from core.Position) {
	r := w.reader
	oldest, _ := r.Log.Bounds()
	head := r.Ring.Head()
	if next, ok := r.Epochs.After(from.Epoch); ok && next.First > 0 {
		from.Seq = min(from.Seq, next.First-1)
	}
	from.Seq = min(from.Seq, head)
	w.in.At = from
	if from.Seq+1 < oldest {
		w.in.At.Seq = oldest - 1
		w.in.Missed = &core.Missed{To: w.in.At, From: r.Cursor(from.Seq).String(), Up: r.Cursor(oldest - 1).String()}
	}
}

func epochOf(line []byte) (uint64, bool) {
	if reading.LineType(line) != protocol.TypeEpoch {
		return 0, false
	}
	e, err := protocol.Decode(line)
	if err != nil {
		return 0, false
	}
	p, is := e.Payload.(*protocol.Epoch)
	if !is {
		return 0, false
	}
	return p.Epoch, true
}

// run goes on until there is enough, or to the end of the log.
func (w *walk) run() error {
	log := w.reader.Ring
	for {
		frames, last, ok := log.Frames(w.in.At.Seq)
		switch {
		case !ok:
			err := reading.EachLine(w.reader.Log, w.in.At.Seq, log.Head(), w.line)
			if errors.Is(err, errEnough) {
				return nil
			}
			var gone *store.GoneError
			if errors.As(err, &gone) { // retention was faster: the next look tells of it
				return nil
			}
			if err != nil {
				return err
			}
		case len(frames) == 0:
			w.in.At = core.Position{Epoch: log.Epoch(), Seq: last} // also where the event that began the epoch was dropped
			end := w.reader.Cursor(last)
			w.in.End = &end
			return nil
		}
		for len(frames) > 0 {
			var line []byte
			_, line, frames = ring.Cut(frames)
			if err := w.line(line); err != nil {
				return nil //nolint:nilerr // it is errEnough
			}
		}
	}
}

// line takes one event.
func (w *walk) line(line []byte) error {
	w.in.At.Seq++
	w.bytes += len(line)
	t := reading.LineType(line)
	switch {
	case t == protocol.TypeEpoch:
		if epoch, is := epochOf(line); is {
			w.in.At.Epoch = epoch
		}
	case t == protocol.TypeStatus, t == protocol.TypeTurnStart, notice.May(t):
		if e, err := protocol.Decode(line); err == nil { // otherwise it is of another build: there is nothing to tell of it
			w.event(&e)
		}
	}
	if w.bytes >= scanBytes || len(w.in.Found) >= scanFound {
		return errEnough
	}
	return nil
}

func (w *walk) event(e *protocol.Event) {
	ended := false
	switch p := e.Payload.(type) {
	case *protocol.Status:
		if ended = p.State.Ended(); ended {
			return // the session_end before it has said so
		}
		w.in.Ended = &ended
	case *protocol.TurnStart:
		w.in.Ended = &ended
	case *protocol.SessionEnd:
		ended = true
		w.in.Ended = &ended
	default:
	}
	if kind, what, ok := notice.Of(e); ok {
		w.in.Found = append(w.in.Found, core.Found{
			At: core.Position{Epoch: w.in.At.Epoch, Seq: e.Seq}, Cursor: w.reader.Cursor(e.Seq).String(), Time: e.Time, Kind: kind, What: what,
		})
	}
}
