package fold

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Page is which part of a state is wanted: of the entries that began before an event, the newest.
type Page struct {
	Entries int    // the most
	Before  uint64 // 0: the newest of all, and everything that is open
}

// pageBytes is how much of a log is read for a page. A page of events that are longer has fewer entries.
const pageBytes = 8 << 20

// page makes a part of the state at an event.
func (s *States) page(ctx context.Context, r *session.Reader, at uint64, p Page) (*folded, error) {
	return s.make(ctx, r, at, p, func(f *folded, part protocol.StatePart) (err error) {
		f.more, err = json.Marshal(part)
		return err
	})
}

// make makes a part of the state at an event, and has it become what is to be sent. Its lists are folded from the part of the log that they are of; what is
// open, and everything else, comes from the frame of the fold. Where the session gave none of this event, the frame is made of the log, from its beginning.
func (s *States) make(
	ctx context.Context, r *session.Reader, at uint64, p Page, become func(*folded, protocol.StatePart) error,
) (*folded, error) {
	begins, err := beginningOf(r, at)
	if err != nil {
		return nil, err
	}
	oldest, end := begins.oldest, at+1
	if p.Before > 0 {
		end = max(min(p.Before, end), oldest)
	}
	from, err := begin(ctx, r.Log, oldest, end, p.Entries)
	if err != nil {
		return nil, err
	}
	frame := r.Frame
	if frame == nil || frame.State.Seq != at {
		if frame, err = s.frame(ctx, r.Log, begins, at); err != nil {
			return nil, err
		}
	}
	part := run{from - 1, end - 1, at, true, nil}
	if from == oldest {
		part.on = begins.dropped
	}
	return s.run(ctx, r, part, func(f *folded) error {
		f.begun(from, &begins)
		if p.Before > 0 {
			if err := f.complete(ctx, end); err != nil {
				return err
			}
		}
		f.within(frame, from, p.Before == 0)
		return become(f, protocol.StatePart{From: from, Oldest: oldest, Told: frame.Told})
	})
}

// begin finds where the part of a log begins that has so many entries and ends before an event: behind the start of the entry before them, so that the turn
// that they began is in it. It goes back through the log.
func begin(ctx context.Context, log store.Log, oldest, end uint64, entries int) (from uint64, err error) {
	var starts []uint64 // of a window
	read, want := int64(0), entries+1
	for hi, step := end-1, uint64(256); hi >= oldest; step *= 2 {
		lo := hi - min(step, hi-oldest+1)
		size, err := logSize(log, lo, hi)
		if err != nil {
			return 0, err
		}
		if room := pageBytes - read; size > room { // so much of it as there is room for, if its events are equally long; and one, however long it is
			n := uint64(float64(hi-lo) * float64(room) / float64(size))
			if n == 0 && hi < end-1 {
				break
			}
			lo = hi - max(n, 1)
			if size, err = logSize(log, lo, hi); err != nil {
				return 0, err
			}
		}
		seq := lo
		starts = starts[:0]
		err = reading.EachLine(log, lo, hi, func(line []byte) error {
			if seq++; reading.LineType(line) == protocol.TypeEntryStart {
				starts = append(starts, seq)
			}
			return context.Cause(ctx)
		})
		if err != nil {
			return 0, err
		}
		if n := len(starts); n >= want {
			return starts[n-want] + 1, nil
		}
		want -= len(starts)
		read += size
		if end = lo + 1; read >= pageBytes {
			break
		}
		hi = lo
	}
	return end, nil
}

// frame makes the frame of a log at an event.
func (s *States) frame(ctx context.Context, log store.Log, begins beginning, at uint64) (*protocol.Frame, error) {
	release, err := s.encoders.Slot(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	f, seq := begins.frame(), begins.oldest-1
	err = reading.EachLine(log, seq, at, func(line []byte) error {
		if seq++; seq < at && reading.LineType(line) == protocol.TypeEntryDelta { // nearly all of a log, and nothing to a frame
			return nil
		}
		if seq%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e, err := protocol.Decode(line)
		if err != nil {
			return log.Damaged(seq, err.Error())
		}
		f.Apply(&e)
		return nil
	})
	if err != nil || len(f.State.Entries) == 0 {
		return f, err
	}
	// The texts of what is open are those of a fold that knows of nothing else.
	open := begins.frame().State
	seq = max(f.State.Entries[0].StartSeq, begins.oldest) - 1
	err = reading.EachLine(log, seq, at, func(line []byte) error {
		if seq++; seq%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch reading.LineType(line) {
		case protocol.TypeEntryDelta:
			if _, id := reading.LineHead(line); open.Entry(string(id)) == nil {
				return nil
			}
		case protocol.TypeEntryStart:
		default:
			return nil
		}
		e, err := protocol.Decode(line)
		if err != nil {
			return log.Damaged(seq, err.Error())
		}
		if p, is := e.Payload.(*protocol.EntryStart); !is || f.State.Entry(p.EntryID) != nil {
			open.Apply(&e)
		}
		return nil
	})
	for _, x := range f.State.Entries {
		if y := open.Entry(x.EntryID); y != nil {
			x.Data = y.Data
		}
	}
	return f, err
}

// begun leaves of a part of a log the entries that have begun in it, and the turns that have begun or ended there: of one that began before, it has but the
// end.
func (f *folded) begun(from uint64, begins *beginning) {
	if from == begins.oldest {
		if on := begins.dropped; on != nil { // an entry brings the turn that it is of, also one that has gone
			f.state.Turns = slices.DeleteFunc(f.state.Turns, func(t *protocol.TurnState) bool { return !f.began[t.TurnID] && on.State.Turn(t.TurnID) == nil })
		}
		return
	}
	f.state.Entries = slices.DeleteFunc(f.state.Entries, func(x *protocol.EntryState) bool {
		before := x.StartSeq == x.EndSeq
		if before {
			delete(f.long, x)
		}
		return before
	})
	f.state.Turns = slices.DeleteFunc(f.state.Turns, func(t *protocol.TurnState) bool {
		if f.began[t.TurnID] {
			return false
		}
		t.StartSeq, t.StartTs = 0, 0
		return t.EndSeq == 0
	})
}

// complete reads on behind a part of a log, until what it has opened is closed.
func (f *folded) complete(ctx context.Context, end uint64) error {
	open := map[string]bool{}
	for _, x := range f.state.Entries {
		if x.Open {
			open[x.EntryID] = true
		}
	}
	for _, r := range f.state.OpenRequests() {
		open[r.RequestID] = true
	}
	if len(open) == 0 || end > f.at {
		return nil
	}
	seq := end - 1
	err := reading.EachLine(f.log, seq, f.at, func(line []byte) error {
		if seq++; seq%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch reading.LineType(line) { // most lines are of others, and are not decoded
		case protocol.TypeEntryDelta:
			if _, id := reading.LineHead(line); !open[string(id)] {
				return nil
			}
		case protocol.TypeEntryEnd, protocol.TypeRequestResolved:
		default:
			return nil
		}
		e, err := protocol.Decode(line)
		if err != nil {
			return f.log.Damaged(seq, err.Error())
		}
		closes := ""
		switch p := e.Payload.(type) {
		case *protocol.EntryEnd:
			closes = p.EntryID
		case *protocol.RequestResolved:
			closes = p.RequestID
		default:
		}
		if closes != "" && !open[closes] {
			return nil
		}
		if err := f.take(&e, len(line)); err != nil {
			return err
		}
		if delete(open, closes); len(open) == 0 {
			return errComplete
		}
		return nil
	})
	if errors.Is(err, errComplete) {
		return nil
	}
	return err
}

var errComplete = errors.New("complete")

// within puts the lists of a part into the frame of the whole; with what is open before it, if that is wanted.
func (f *folded) within(frame *protocol.Frame, from uint64, newest bool) {
	part := f.state
	f.state = frame.State
	s := &f.state
	if newest {
		s.Entries = slices.DeleteFunc(s.Entries, func(x *protocol.EntryState) bool { return x.StartSeq >= from || part.Entry(x.EntryID) != nil })
		s.Requests = slices.DeleteFunc(s.Requests, func(r *protocol.RequestState) bool { return r.OpenedSeq >= from || part.Request(r.RequestID) != nil })
	} else {
		s.Turns, s.Entries, s.Requests = nil, nil, nil
	}
	s.Entries = append(s.Entries, part.Entries...)
	s.Requests = append(s.Requests, part.Requests...)
	known := s.Turns // they are told whole
	s.Turns = slices.DeleteFunc(slices.Clone(known), func(t *protocol.TurnState) bool { return part.Turn(t.TurnID) != nil })
	for _, t := range part.Turns {
		if i := slices.IndexFunc(known, func(k *protocol.TurnState) bool { return k.TurnID == t.TurnID }); i >= 0 {
			delete(f.long, t)
			t = known[i]
		}
		s.Turns = append(s.Turns, t)
	}
	of := map[string]*protocol.TurnState{}
	for _, t := range s.Turns {
		t.Entries, of[t.TurnID] = nil, t
	}
	for _, x := range s.Entries {
		if t := of[x.TurnID]; t != nil {
			t.Entries = append(t.Entries, x.EntryID)
		}
	}
}
