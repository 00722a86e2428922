package session

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Reader is the reading side of a session for one reader: a position, the shared ring and the journal's own read side.
// After Join it needs the actor no more, until the ring is Retired (the session was passivated or its actor replaced). Then the
// caller asks for the session again and goes on from the same position.
type Reader struct {
	SessionID string
	Name      string
	Ring      *ring.Ring
	Log       store.Log
	Epochs    protocol.Epochs  // that the log has had
	Damage    *protocol.Damage // the damage at which the readable log ends early; nil: there is none
	Frame     *protocol.Frame  // of the fold up to an event that may be read; nil: none was wanted, or the journal does not work
	// Beginning reads the frame of the fold of what was dropped of the log, with the texts of what was open there, and waits for the disk for it; it gives
	// nil where nothing was. It may tell of more than was dropped, for a moment. nil: the log is whole.
	Beginning func() (*protocol.Frame, error)
	Away      bool // it is read from Core: the session is on another node, or on none

	joined time.Time
	yields bool // at the newest event it does not keep the session in memory
	seq    atomic.Uint64
	over   uint64 // number of the last overflow that was taken, or of the newest when the reader came
	ref    Ref
}

// NewReader makes the reading side of a session for a reader that has joined. by is the actor that was asked; Beginning, Damage and Frame are still to be set.
func (m *Join) NewReader(by Ref, id string, shown *ring.Ring, log store.Log, epochs protocol.Epochs, now time.Time) *Reader {
	return &Reader{
		SessionID: id, Name: m.Name, Ring: shown, Log: log, Epochs: epochs,
		joined: now, yields: m.Yields, over: shown.OverflowHead(), ref: by,
	}
}

// Info is what Description tells of the reader; head is the newest event that is shown.
func (r *Reader) Info(head uint64) ReaderInfo {
	seq := r.seq.Load()
	return ReaderInfo{Name: r.Name, Seq: seq, Behind: head - min(head, seq), Since: r.joined}
}

// readers are the subscriber set.
type readers map[*Reader]struct{}

// Done says that the reader yields, and has everything of the ring that is there now.
func (r *Reader) Done(now *ring.Ring) bool {
	return r.yields && r.Ring == now && r.seq.Load() >= now.Head()
}

// done says that nobody needs the session for reading: its readers, if there are any, yield and have everything.
func (all readers) done(now *ring.Ring) bool {
	for r := range all {
		if !r.Done(now) {
			return false
		}
	}
	return true
}

// At notes the last event that was sent, for Description.
func (r *Reader) At(seq uint64) { r.seq.Store(seq) }

// Frames is that of the ring, up to the event that the next overflow follows.
func (r *Reader) Frames(since uint64) (frames []byte, last uint64, ok bool) {
	return r.Ring.FramesBefore(since, r.over)
}

// Overflow returns the SSE frames of the overflows since the last call that follow the event since, at most to the end of a block of the ring. It is
// called where Frames gives nothing.
func (r *Reader) Overflow(since uint64) []byte {
	for {
		frames, last := r.Ring.Overflowed(r.over, since)
		isAll := len(frames) > 0 || last == r.over
		r.over = last
		if isAll {
			return frames
		}
	}
}

// WaitUntil returns when there is an event after since or an overflow to be taken, when the ring is closed, ring.ErrDue when due gives something
// first, or with the context's error.
func (r *Reader) WaitUntil(ctx context.Context, since uint64, due <-chan time.Time) error {
	return r.Ring.WaitUntil(ctx, since, r.over, due)
}

// Leave takes the reader out of the subscriber set. It may be called more than once.
func (r *Reader) Leave() { r.ref.Send(&Leave{Reader: r}) }

// Newest is the newest event that may be read; of a reader with a frame, the one up to which that is.
func (r *Reader) Newest() uint64 {
	if r.Frame != nil {
		return r.Frame.State.Seq
	}
	return r.Ring.Head()
}

// Agree gives the seq up to which the log is the one that it was in an epoch: protocol.MaxSeq in its own. known is false where it never had that epoch, or
// where that cannot be told any more.
func (r *Reader) Agree(epoch uint64) (upTo uint64, known bool) {
	if own := r.Ring.Epoch(); epoch == own {
		return protocol.MaxSeq, true
	} else if next, ok := r.Epochs.After(own - 1); !ok || next.Epoch != own { // its first event is not written yet
		return 0, false
	}
	return r.Epochs.Agree(epoch)
}

// Behind gives where to read on behind a cursor (spec §2.3), whatever the oldest event is that is kept. head is the newest event to be shown. ok is false where
// the cursor is not of this log. What a client has beyond the end of a damaged log may be all that is left of it; what it has beyond Core's, Core gets yet.
func (r *Reader) Behind(c protocol.Cursor, head uint64) (seq uint64, ok bool) {
	upTo, known := r.Agree(c.Epoch)
	switch {
	case c.Start():
		return 0, true
	case r.Damage != nil && c.Epoch == r.Ring.Epoch():
		return min(c.Seq, head), true
	case r.Away && c.Epoch == r.Ring.Epoch():
		return c.Seq, true
	case !known || c.Seq > min(upTo, head):
		return 0, false
	}
	return c.Seq, true
}

// Cursor is the position of an event of this log.
func (r *Reader) Cursor(seq uint64) protocol.Cursor {
	return protocol.Cursor{Epoch: r.Ring.Epoch(), Seq: seq}
}
