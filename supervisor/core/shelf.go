package core

import (
	"container/heap"
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

const (
	// maxAwake is how many sessions that have ended may have an actor: each is memory. Those that ended first are put away before they are quiet for long.
	maxAwake = 256
	// asideFor is how long a session that cannot go now is not looked at again.
	asideFor = time.Minute
)

// shelf is what retention knows of a member.
type shelf struct {
	since   int64 // Unix ms of its newest event, or of the newest of its tree, as far as that was looked at: the order in which members go
	places  [lines]int32
	bytes   int64 // on the disk, with raw
	raw     int64 // of native lines
	seq     uint64
	until   int64    // Unix ns; it is not looked at before
	why     keep.Why // it goes; empty: it does not
	sized   bool     // bytes are those of its event seq
	dirty   bool     // it waits to be measured
	read    bool     // its actor did not let go, since somebody reads; until then it is not asked again
	leaving bool     // it is being put away so that it can go
}

// The lines in which members stand.
const (
	lineRest  = iota // they may go, where their trees may
	lineRaw          // of them, those without an actor that have native lines
	lineAwake        // they have ended, and have an actor
	lines
)

// line is a heap of members: the one whose turn it is first. A member's place in it counts from 1.
type line struct {
	which int
	list  []*member
}

func (l *line) Len() int { return len(l.list) }

func (l *line) Less(i, j int) bool { return goesBefore(l.list[i], l.list[j]) }

// goesBefore says which of two goes first: the one that has rested longer.
func goesBefore(x, y *member) bool {
	if x.shelf.since != y.shelf.since {
		return x.shelf.since < y.shelf.since
	}
	return x.summary.ID < y.summary.ID
}

func (l *line) Swap(i, j int) {
	l.list[i], l.list[j] = l.list[j], l.list[i]
	l.list[i].shelf.places[l.which], l.list[j].shelf.places[l.which] = int32(i+1), int32(j+1)
}

// Push is for package heap, as Pop is.
func (l *line) Push(x any) {
	if x, is := x.(*member); is {
		l.list = append(l.list, x)
		x.shelf.places[l.which] = int32(len(l.list))
	}
}

// Pop takes the last one.
func (l *line) Pop() any {
	last := len(l.list) - 1
	x := l.list[last]
	l.list[last], l.list = nil, l.list[:last]
	x.shelf.places[l.which] = 0
	return x
}

func (l *line) first() *member {
	if len(l.list) == 0 {
		return nil
	}
	return l.list[0]
}

// put has a member stand where it belongs, or not stand at all. A line costs the logarithm of its length.
func (l *line) put(x *member, stands bool) {
	switch place := x.shelf.places[l.which]; {
	case stands && place == 0:
		heap.Push(l, x)
	case stands:
		heap.Fix(l, int(place-1))
	case place > 0:
		heap.Remove(l, int(place-1))
	}
}

// aside is a member that is not looked at before a time, unless its shelf has another one by now.
type aside struct {
	member *member
	until  int64
}

// retention has the members in the order in which they go, and how far that has come.
type retention struct {
	lines     [lines]line
	aside     []aside  // in the order of their times
	total     int64    // bytes of all members, as far as they are measured
	short     int64    // bytes that are to be free and are not
	dirty     []string // members to be measured at the next tick
	queue     []string // those of this tick
	measuring bool
	going     int        // members that are being put away or removed, and archives that are being dropped
	leaving   []leaving  // members that go, and whose folders are not being removed yet
	asked     *keep.Rule // somebody has asked for it; nil: the configuration counts
	askedAt   time.Time  // age counts as of then: what is due later was not asked for
	seen      time.Time  // the clock at the last tick
	held      time.Time  // age counts for nothing before
}

func newRetention() (r retention) {
	for i := range r.lines {
		r.lines[i].which = i
	}
	return r
}

// shelved says that a session may go as far as those know who look at it often. One on its way to another node is about to be that one's, and Core has it.
func (x *member) shelved() bool {
	return !x.deleted() && !x.removing && !x.isSealed() && !x.summary.Pinned && !x.unread && (x.ended() || !x.live)
}

// rests says that nobody works with a session and nothing of it is open: it may go, unless its tree is used.
func (x *member) rests() bool {
	sum := x.summary
	waits := len(x.found)+len(x.letters)+len(x.listed)+len(x.repeats) > 0
	damaged := x.damaged || sum.Damage != nil // it may be mended
	undone := x.creating != 0 || x.making || x.stale || x.untold || x.open || x.opening || x.process || x.linked != 0 || x.wanted > 0
	asks := len(sum.Open) > 0 || sum.Status.QueuedPrompts > 0
	if x.live && x.ended() { // its actor is put away first, which a reader or a process that is left prevents
		undone = x.creating != 0 || x.making || x.opening || x.wanted > 0
	}
	return x.shelved() && !waits && !damaged && !undone && !asks
}

// shelve has a member stand in the lines where it belongs now. It must be called after every change of what shelved looks at.
func (r *retention) shelve(x *member, measure bool) {
	h := &x.shelf
	h.since = max(h.since, x.summary.Updated.UnixMilli())
	stands := h.until == 0 && x.shelved()
	r.lines[lineRest].put(x, stands)
	r.lines[lineRaw].put(x, stands && !x.live && h.raw > 0)
	r.lines[lineAwake].put(x, x.shelved() && x.live && !x.parking && !x.stopping && !h.read)
	if measure && !h.dirty && !x.making && !x.deleted() && (!h.sized || h.seq != x.summary.Seq) {
		h.dirty = true
		r.dirty = append(r.dirty, x.summary.ID)
	}
}

// unshelve takes a member that is gone out of everything.
func (r *retention) unshelve(x *member) {
	for i := range r.lines {
		r.lines[i].put(x, false)
	}
	r.measured(x, 0, 0)
}

// measured notes what a member has on the disk.
func (r *retention) measured(x *member, bytes, raw int64) {
	r.total += bytes - x.shelf.bytes
	x.shelf.bytes, x.shelf.raw = bytes, raw
}

// putAside has members not be looked at for a while. Their actors are put away all the same, where too many are awake: what has ended just now does not go
// for bytes, and a feed that ends more than is kept within a minute had all of that minute's actors.
func (r *retention) putAside(now time.Time, list ...*member) {
	for _, x := range list {
		x.shelf.until = now.Add(asideFor).UnixNano()
		r.aside = append(r.aside, aside{x, x.shelf.until})
		r.lines[lineRest].put(x, false)
		r.lines[lineRaw].put(x, false)
	}
}

// declined puts a member aside whose actor did not let go.
func (r *retention) declined(now time.Time, x *member) {
	x.shelf.read = true
	r.putAside(now, x)
	r.lines[lineAwake].put(x, false)
}
