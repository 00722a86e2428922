// Package ring is the newest part of a session's log in memory: encoded once, shared read-only by all readers. One
// writer (the session actor) appends and publishes; any number of readers hold a position and take what follows it, many
// events at a time, without locks and without a copy. Nothing is pushed: readers wait for one wake-up for all of them.
//
// A reader whose position is older than the ring reads the journal and comes back.
package ring

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	blockEvents = 256
	blockBytes  = 64 << 10
	firstBytes  = 4 << 10 // the first block of a quiet session is small
	firstEvents = 32
	inlineWake  = 32 // with more waiters than this the wake-up is handed to a goroutine
)

// Ring is made by New.
type Ring struct {
	head  atomic.Uint64            // the newest published seq
	tab   atomic.Pointer[[]*block] // replaced whenever a block comes or goes
	state atomic.Int32             // Open, Ended, Retired
	keep  int                      // bytes, at least the newest block stays
	epoch uint64

	// Of the writer alone: read and written without synchronization.
	next  uint64 // seq of the next event to append
	total int    // bytes of all blocks

	wake    atomic.Pointer[chan struct{}] // closed at the next publish; nil: no reader has waited since the last one
	waiters atomic.Int64
	bells   atomic.Pointer[[]*Bell] // replaced whenever one comes or goes; nil: there are none

	overflow atomic.Pointer[Ring] // nil: no text has grown beyond what the log keeps
}

// block holds consecutive SSE frames. Readers look only at what head covers; that part never changes.
type block struct {
	first uint64
	mem   []byte   // full length from the start; its array never moves
	ends  []uint32 // end of each frame in mem; full length from the start
	after []uint64 // of overflows: the event that each follows; full length from the start
	used  int      // of the writer: bytes of mem
	n     int      // of the writer: frames, published or not
}

// The states of a ring.
const (
	Open    int32 = iota
	Ended         // the session is over: readers close when they have everything
	Retired       // the writer has gone; readers ask for the session anew
)

// New makes a ring that continues after seq newest and keeps about keep bytes.
func New(epoch, newest uint64, keep int) *Ring {
	r := &Ring{keep: keep, epoch: epoch, next: newest + 1}
	r.head.Store(newest)
	r.tab.Store(&[]*block{})
	return r
}

// Head is the newest published seq.
func (r *Ring) Head() uint64 { return r.head.Load() }

// Epoch is the log's epoch.
func (r *Ring) Epoch() uint64 { return r.epoch }

// State is Open, Ended or Retired.
func (r *Ring) State() int32 { return r.state.Load() }

// Next is the seq that the next appended event must have. Of the writer.
func (r *Ring) Next() uint64 { return r.next }

// Append encodes events after the newest one, unpublished, and appends their lines, as the journal and /log have them, to
// lines. Of the writer.
func (r *Ring) Append(lines []byte, events []protocol.Event) []byte {
	for i := range events {
		e := &events[i]
		from := len(lines)
		lines = protocol.Append(lines, e)
		r.put(lines[from:])
		lines = append(lines, '\n')
	}
	return lines
}

// AppendLines is Append of lines that were encoded elsewhere, each with its newline. It keeps nothing of them. Of the ring's writer.
func AppendLines(r *Ring, lines []byte) {
	for line := range bytes.Lines(lines) {
		r.put(line[:len(line)-1])
	}
}

func (r *Ring) put(line []byte) {
	size := len(line) + 64 // "id: ", a cursor of at most 41 digits, "\ndata: ", "\n\n"
	b := r.last(size)
	mem := append(b.mem[:b.used], "id: "...) //nolint:gocritic // the block's own memory, with room
	if r.epoch > 1 {
		mem = strconv.AppendUint(mem, r.epoch, 10)
		mem = append(mem, '.')
	}
	mem = strconv.AppendUint(mem, r.next, 10)
	mem = append(mem, "\ndata: "...)
	mem = append(mem, line...)
	r.end(b, append(mem, '\n', '\n'))
}

// end ends the frame with which the memory of a block ends.
func (r *Ring) end(b *block, mem []byte) {
	b.used = len(mem)
	b.ends[b.n] = uint32(b.used)
	b.n++
	r.next++
}

// last is a block with room for size more bytes and one more frame.
func (r *Ring) last(size int) *block {
	tab := *r.tab.Load()
	room, events := firstBytes, firstEvents
	if n := len(tab); n > 0 {
		b := tab[n-1]
		if b.n < len(b.ends) && b.used+size <= len(b.mem) {
			return b
		}
		room, events = blockBytes, blockEvents
	}
	b := &block{first: r.next, mem: make([]byte, max(room, size)), ends: make([]uint32, events)}
	r.total += len(b.mem)
	drop := 0
	for drop < len(tab) && r.total > r.keep && tab[drop].first+uint64(tab[drop].n) <= r.head.Load()+1 {
		r.total -= len(tab[drop].mem)
		drop++
	}
	grown := make([]*block, 0, len(tab)-drop+1)
	grown = append(append(grown, tab[drop:]...), b)
	r.tab.Store(&grown)
	return b
}

// Publish shows everything appended up to and including seq, and wakes the waiting readers: O(1) for the writer,
// whatever their number. Of the writer.
func (r *Ring) Publish(seq uint64) {
	r.head.Store(seq)
	r.signal()
}

// Close sets the state Ended or Retired and wakes everybody. Of the writer.
func (r *Ring) Close(state int32) {
	r.state.Store(state)
	r.signal()
}

// Release drops the frames of a quiet session; readers fall back to the journal. Of the writer, with nothing unpublished.
func (r *Ring) Release() {
	r.tab.Store(&[]*block{})
	r.total = 0
	if of := r.overflow.Load(); of != nil {
		of.Release()
	}
}

// signal rings the bells, and wakes the readers that wait. A reader counts itself, takes the channel and then looks at head; the writer stores
// head, looks for readers and then takes the channel away. So either the reader sees the new head or the writer sees the reader,
// and no wake-up is lost. There is no lock by which thousands of readers could delay the writer.
func (r *Ring) signal() {
	r.ringAll()
	waiting := r.waiters.Load()
	if waiting == 0 {
		return
	}
	switch wake := r.wake.Swap(nil); {
	case wake == nil:
	case waiting <= inlineWake:
		close(*wake)
	default:
		go close(*wake) // closing costs per waiter; the writer does not pay that. Ends at once.
	}
}

// nextWake is the channel that the next signal closes.
func (r *Ring) nextWake() chan struct{} {
	for {
		if wake := r.wake.Load(); wake != nil {
			return *wake
		}
		wake := make(chan struct{})
		if r.wake.CompareAndSwap(nil, &wake) {
			return wake
		}
	}
}

// Frames returns the SSE frames after since as one slice of shared memory, which must not be changed, at most to the end of a block, and
// the seq of its last frame. Nothing new: frames is empty and ok true. ok is false when since is older than the ring: the journal has the rest.
func (r *Ring) Frames(since uint64) (frames []byte, last uint64, ok bool) {
	return r.frames(since, r.head.Load())
}

// FramesBefore is Frames that goes no further than to the event that the next overflow behind a number follows.
func (r *Ring) FramesBefore(since, overflow uint64) (frames []byte, last uint64, ok bool) {
	head := r.head.Load() // before the overflows, which are there ahead of the events behind them
	return r.frames(since, min(head, r.OverflowAfter(overflow, since)))
}

// frames are those up to head, which was looked at before: the table then covers it.
func (r *Ring) frames(since, head uint64) (frames []byte, last uint64, ok bool) {
	if since >= head {
		return nil, since, true
	}
	tab := *r.tab.Load()
	i := find(tab, since+1)
	if i < 0 {
		return nil, since, false
	}
	b, last := tab[i], head
	if i+1 < len(tab) {
		last = min(head, tab[i+1].first-1)
	}
	from := uint32(0)
	if n := since + 1 - b.first; n > 0 {
		from = b.ends[n-1]
	}
	end := b.ends[last-b.first]
	return b.mem[from:end:end], last, true
}

// Cut takes the first of the frames that Frames gives apart: the text of its cursor and its line. rest is what follows.
func Cut(frames []byte) (cursor, line, rest []byte) {
	head := bytes.IndexByte(frames, '\n')
	end := head + bytes.IndexByte(frames[head+1:], '\n') + 1
	return frames[len("id: "):head], frames[head+1+len("data: ") : end], frames[end+2:]
}

// find is the index of the block that holds seq; -1: it is older than the ring.
func find(tab []*block, seq uint64) int {
	if len(tab) == 0 || seq < tab[0].first {
		return -1
	}
	lo, hi := 0, len(tab)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; tab[mid].first <= seq {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// ErrDue says that the time of WaitUntil came first.
var ErrDue = errors.New("nothing was published in time")

// Wait returns when something after since is published, when the ring is closed, or with the context's error.
func (r *Ring) Wait(ctx context.Context, since uint64) error {
	return r.wait(ctx, nil, func() bool { return r.isPast(since) })
}

// WaitUntil is Wait that also returns for the overflow behind a number, where it follows since, and returns ErrDue when due gives something first; nil
// never does.
func (r *Ring) WaitUntil(ctx context.Context, since, overflow uint64, due <-chan time.Time) error {
	return r.wait(ctx, due, func() bool { return r.isPast(since) || r.OverflowAfter(overflow, since) == since })
}

func (r *Ring) isPast(since uint64) bool { return r.head.Load() > since || r.state.Load() != Open }

// WaitRetired returns when the writer has gone, or with the context's error.
func (r *Ring) WaitRetired(ctx context.Context) error {
	return r.wait(ctx, nil, func() bool { return r.state.Load() == Retired })
}

func (r *Ring) wait(ctx context.Context, due <-chan time.Time, ready func() bool) error {
	if ready() {
		return nil
	}
	r.waiters.Add(1)
	defer r.waiters.Add(-1)
	for {
		wake := r.nextWake()
		if ready() {
			return nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-due:
			return ErrDue
		}
		if ready() {
			return nil
		}
	}
}
