package shipper

import (
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// What is known at once.
const (
	maxSessions = 500              // of a turn
	maxKnown    = 16384            // sessions of which the position is remembered while nothing is to be sent
	retryAfter  = 10 * time.Second // of a session with a problem
)

// State is how the shipper stands, for people and metrics.
type State struct {
	Up         bool      // Core answers
	Err        error     // why it does not; nil: it does, or was not asked yet
	Since      time.Time // when Up has changed last
	Waiting    int       // sessions of which something may be to be sent
	Behind     uint64    // events that are shown and that Core is not known to have
	Lag        time.Duration
	Problems   map[Kind]int // sessions of which nothing can be sent
	Events     uint64       // that Core has taken
	Bytes      uint64       // likewise
	WentBack   uint64       // times that Core had lost events that it had taken
	Superseded uint64       // events that a log had lost and Core had
	Objects    *Objects     // nil: this node moves none
}

// Objects is how the moving of events from Core's rows into its object store goes.
type Objects struct {
	Works bool
	Moved uint64 // events, since the daemon's start
}

// book is what the shipper knows of the sessions. Its methods may be called by any goroutine; those of a way, and with a small letter where that is said, by a
// holder of the lock.
type book struct {
	doubt
	mu   sync.Mutex
	ways map[string]*way
	// claimed are the newest epochs of which Core has said that sessions are this node's, of all that the node has: a Core that went back has forgotten it.
	claimed map[string]uint64
	queue   []string // sessions of which something may be to be sent, in the order in which that was noted
	later   []*way   // that have a problem, and have shown something since it was found out: they are tried again, and not at once
	state   State
	life    core.Owner // of this node that Core knows; the zero value: none yet
	over    bool       // that life is over, and the node is to join again

	hurry chan struct{} // one slot: somebody waits
}

func newBook() *book {
	arrived := make(chan struct{}, 1)
	return &book{doubt: doubt{arrived: arrived}, ways: map[string]*way{}, claimed: map[string]uint64{}, hurry: make(chan struct{}, 1)}
}

// way is one session's.
type way struct {
	id     string
	log    Log // nil: Find has to be asked
	shown  uint64
	works  bool      // the session is at work behind that
	since  time.Time // when the oldest was noted of what may be to be sent; zero: nothing is
	queued bool
	later  bool // it is among those that are tried again later
	gone   bool // the session was removed, and Core is to remove it

	at       core.Position // where Core stands, if known
	known    bool
	checked  bool // Core's newest line was the log's
	refused  int  // how often Core has refused what was sent of it alone
	problem  *Problem
	tried    time.Time          // when that was found out last
	record   func() core.Record // to be told; nil: it was
	awaiting []waiter
}

type waiter struct {
	seq  uint64
	done chan<- bool // one slot
}

// item is a way as a turn finds it.
type item struct {
	*way
	log     Log
	shown   uint64
	works   bool
	at      core.Position
	known   bool
	checked bool
	gone    bool
	record  func() core.Record
	problem *Problem

	ahead core.Position // where Core stands once it has taken what was sent
	in    *parcel       // with the newest of that
}

// Shown says that a session's log is shown up to an event; works: that the session is at work behind it. The log stays usable until the session is removed.
func (b *book) Shown(id string, log Log, seq uint64, works bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.way(id)
	w.log, w.shown, w.works = log, seq, works
	if w.problem != nil && time.Since(w.tried) < retryAfter {
		if !w.later {
			w.later, b.later = true, append(b.later, w)
			ring(b.arrived)
		}
		return
	}
	if !w.known || w.problem != nil || w.at.Head < seq || !w.checked {
		b.enqueue(w)
	}
}

// Told says that what is told of a session has changed. record is called later, by the shipper's goroutine.
func (b *book) Told(id string, record func() core.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.way(id)
	w.record = record
	b.enqueue(w)
}

// Removed says that a session was removed.
func (b *book) Removed(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.way(id)
	w.gone, w.log, w.record = true, nil, nil
	w.giveUp()
	b.enqueue(w)
}

// Life is the life of this node that Core knows; ok is false until it has joined.
func (b *book) Life() (o core.Owner, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.life, b.life.Node != ""
}

func (b *book) lives(o core.Owner) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.life = o
}

// IsLeaving says that a session was removed, and that Core may have it still.
func (b *book) IsLeaving(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.ways[id]
	return w != nil && w.gone
}

func (b *book) way(id string) *way {
	w := b.ways[id]
	if w == nil {
		w = &way{id: id}
		b.ways[id] = w
	}
	return w
}

// enqueue is called with mu held.
func (b *book) enqueue(w *way) {
	if w.queued {
		return
	}
	w.queued = true
	if w.since.IsZero() {
		w.since = time.Now()
	}
	b.queue = append(b.queue, w.id)
	ring(b.arrived)
}

// rest is how long there may be nothing to do, where nobody says anything: until a survey, or until a session with a problem is tried again.
func (b *book) rest(survey time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	rest := time.Until(survey)
	for _, w := range b.later {
		rest = min(rest, time.Until(w.tried.Add(retryAfter)))
	}
	return rest
}

// again enqueues the sessions with a problem whose time has come. Called with mu held.
func (b *book) again() {
	left := b.later[:0]
	for _, w := range b.later {
		if time.Since(w.tried) < retryAfter {
			left = append(left, w)
			continue
		}
		w.later = false
		b.enqueue(w)
	}
	clear(b.later[len(left):])
	b.later = left
}

// take gives the sessions whose turn it is; alone: one.
func (b *book) take(alone bool) (items []*item) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.again()
	limit, n := maxSessions, 0
	if alone {
		limit = 1
	}
	for ; n < len(b.queue) && len(items) < limit; n++ {
		w := b.ways[b.queue[n]]
		if w == nil || !w.queued { // it is gone, and was noted again since
			continue
		}
		w.queued = false
		items = append(items, &item{
			way: w, log: w.log, shown: w.shown, works: w.works, at: w.at, known: w.known, checked: w.checked, gone: w.gone,
			record: w.record,
		})
		w.record = nil
	}
	if b.queue = b.queue[n:]; len(b.queue) == 0 {
		b.queue = nil // gives the array back
	}
	return items
}

// release takes over what a turn has found. Sessions with more to send, and after an error all, come again. isRefused says that the error is the one item's.
func (b *book) release(items []*item, err error, isRefused bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, i := range items {
		w := i.way
		if err == nil || isRefused {
			w.at, w.known, w.checked, w.problem = i.at, i.known, i.checked, nil
			if w.known && w.at.Session != "" && w.at.Owner.Node != "" && w.at.Owner == b.life && b.ways[i.id] == w {
				b.claimed[i.id] = max(b.claimed[i.id], w.at.Epoch)
			}
		} else {
			w.known = false
		}
		if i.problem != nil { // it was found out before the error came
			w.problem, w.tried = i.problem, time.Now()
		}
		if w.record == nil && i.record != nil {
			w.record = i.record
		}
		if w.log == nil && !w.gone {
			w.log, w.shown = i.log, i.shown
		}
		w.wake()
		switch {
		case err != nil && i.problem == nil, w.lacks():
			b.enqueue(w)
		case !w.queued:
			w.since = time.Time{}
		}
	}
	b.tidy()
}

// lacks says that Core is to be sent more.
func (w *way) lacks() bool {
	return w.problem == nil && (w.gone || w.record != nil && w.known || w.log != nil && (!w.known || !w.checked || w.at.Head < w.shown))
}

// tidy forgets ways of which there is nothing to do, and nothing of what Core has said of them. Called with mu held.
func (b *book) tidy() {
	for id, w := range b.ways {
		if len(b.ways) <= maxKnown {
			return
		}
		if !w.queued && w.problem == nil && len(w.awaiting) == 0 && !w.lacks() {
			delete(b.ways, id)
		}
	}
}

// isFull says that there is enough for a statement without waiting for more.
func (b *book) isFull() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queue) >= maxSessions
}

// waits says that something may be to be sent.
func (b *book) waits() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queue) > 0
}

// has says that Core has the log up to an event, and that it is the log's.
func (w *way) has(seq uint64) bool {
	return w.known && w.checked && w.problem == nil && w.at.Head >= seq
}

// wake tells those that wait what is known now. Called with mu held.
func (w *way) wake() {
	if w.problem != nil {
		w.giveUp()
		return
	}
	left := w.awaiting[:0]
	for _, a := range w.awaiting {
		if w.has(a.seq) {
			a.done <- true
		} else {
			left = append(left, a)
		}
	}
	if w.awaiting = left; len(left) == 0 {
		w.awaiting = nil
	}
}

// giveUp answers all that wait that Core does not have it. Called with mu held.
func (w *way) giveUp() {
	for _, a := range w.awaiting {
		a.done <- false
	}
	w.awaiting = nil
}
