package ring

import (
	"bytes"
	"math"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const overflowPiece = 12 << 10 // bytes of text in one frame: five of them fill a block

// Overflow shows the readers that are there a part of a text beyond what the log keeps of it. It follows an event, and is put there before the events
// behind that are published. A ring keeps as much of such frames as of events, in a ring of their own with numbers of their own, which is there once there
// is one. Of the writer.
func (r *Ring) Overflow(after uint64, o *protocol.Overflow) {
	of := r.overflow.Load()
	if of == nil {
		of = New(0, 0, r.keep)
	}
	for part, rest := o.Cut(overflowPiece); part != nil; part, rest = rest.Cut(overflowPiece) {
		of.putOverflow(after, protocol.AppendOverflow(nil, part))
		of.head.Store(of.next - 1)
	}
	r.overflow.Store(of)
	r.signal()
}

func (r *Ring) putOverflow(after uint64, line []byte) {
	b := r.last(len(line) + 64)
	if b.after == nil {
		b.after = make([]uint64, len(b.ends))
	}
	b.after[b.n] = after
	mem := append(b.mem[:b.used], "data: "...) //nolint:gocritic // the block's own memory, with room
	r.end(b, append(append(mem, line...), '\n', '\n'))
}

// OverflowHead is the number of the newest overflow: where a reader begins that joins now.
func (r *Ring) OverflowHead() uint64 {
	if of := r.overflow.Load(); of != nil {
		return of.head.Load()
	}
	return 0
}

// OverflowAfter is the event that the next overflow behind a number follows: a reader that has the events up to since takes it between that event and the next
// one. What follows an earlier event is passed over, as by Overflowed. There is none: it is larger than any.
func (r *Ring) OverflowAfter(number, since uint64) uint64 {
	for {
		b, i, until := r.nextOverflow(number)
		if b == nil {
			return math.MaxUint64
		}
		for ; i < until; i++ {
			if b.after[i] >= since {
				return b.after[i]
			}
		}
		number = b.first + uint64(until) - 1
	}
}

// Overflowed returns the SSE frames of overflows behind a number that follow the event since, as Frames does, and the number up to which there is nothing
// more for a reader that stands there. What follows an earlier event is left out, since this reader has had the next one from the journal, and so is
// what is no longer there. The frames have no id.
func (r *Ring) Overflowed(number, since uint64) (frames []byte, last uint64) {
	b, from, until := r.nextOverflow(number)
	if b == nil {
		return nil, number
	}
	for from < until && b.after[from] < since {
		from++
	}
	to := from
	for to < until && b.after[to] == since {
		to++
	}
	last = b.first + uint64(to) - 1
	if to == from {
		return nil, last
	}
	start := uint32(0)
	if from > 0 {
		start = b.ends[from-1]
	}
	end := b.ends[to-1]
	return b.mem[start:end:end], last
}

// nextOverflow is the block that has the next overflow behind a number, where in it that is, and how many there are in it; nil: there is none.
func (r *Ring) nextOverflow(number uint64) (b *block, from, until int) {
	of := r.overflow.Load()
	if of == nil {
		return nil, 0, 0
	}
	head := of.head.Load() // before the table: the table then covers it
	tab := *of.tab.Load()
	if number >= head || len(tab) == 0 {
		return nil, 0, 0
	}
	next := max(number+1, tab[0].first)
	if next > head {
		return nil, 0, 0
	}
	i := find(tab, next)
	last := head
	if i+1 < len(tab) {
		last = min(head, tab[i+1].first-1)
	}
	return tab[i], int(next - tab[i].first), int(last-tab[i].first) + 1
}

// CutOverflow takes the line of the first of the frames that Overflowed gives apart. rest is what follows.
func CutOverflow(frames []byte) (line, rest []byte) {
	end := bytes.IndexByte(frames, '\n')
	return frames[len("data: "):end], frames[end+2:]
}
