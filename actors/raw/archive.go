package raw

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxQueued is how many bytes of lines may wait for the disk, with what each takes besides its text, before Wait waits.
	maxQueued = 512 << 10
	// fewQueued is how many bytes of lines may wait for more: an agent that says a word at a time costs one write for many lines.
	fewQueued = 16 << 10
	// calmAfter is how long an archive may be quiet before it closes its file, and lets go of its buffers, and of the lines that the next ones
	// would be compared with.
	calmAfter = 2 * time.Second
)

// Archive is the writing side of one session's archive; there must be one only. Its methods are safe for concurrent use.
// What is recorded is written by a goroutine that lives as long as there is something to write; an idle archive costs
// neither a goroutine nor, after the end of its connection, an open file. Few lines wait for more until the Linger of the options has passed,
// the connection ends, or somebody wants to read them.
type Archive struct {
	opt  Options
	mu   sync.Mutex
	cond sync.Cond // something was written, or the goroutine has ended

	queue   lines  // waits to be written
	taken   uint64 // how often lines were put there
	written uint64 // how many of these puts are written, or lost
	spare   lines  // the lines written last, whose memory is used again
	running bool
	waiting *time.Timer // until what is queued is written; nil: nothing waits for more
	closed  bool
	bases   []*base     // of the connections that have not ended
	look    *time.Timer // for what nobody uses; nil: there is nothing, or work
	seen    uint64      // taken, at the last look

	version atomic.Uint64 // of the files: another one has each connection begin with a whole line
	files   files         // of the goroutine
}

// New makes the archive in a folder, whose parent must exist by the first write. It touches nothing yet.
func New(dir string, opt Options) *Archive {
	a := &Archive{opt: opt.withDefaults()}
	a.cond.L = &a.mu
	a.files = files{opt: &a.opt, place: place{a.opt.FS, dir}, anew: func() { a.version.Add(1) }, apart: apart}
	return a
}

// connect gives a new connection its line before.
func (a *Archive) connect() *base {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := new(base)
	a.bases = append(a.bases, b)
	return b
}

// leave takes it back.
func (a *Archive) leave(b *base) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bases = slices.DeleteFunc(a.bases, func(other *base) bool { return other == b })
	b.close()
}

// Connected says that there is a connection which has not ended.
func (a *Archive) Connected() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.bases) > 0
}

// watch looks some time later for what nobody uses any more, while there is something. With mu held, and the goroutine at its end.
func (a *Archive) watch() {
	some := a.queue.holds() || a.spare.holds() || a.files.holds() || slices.ContainsFunc(a.bases, (*base).large)
	if a.look == nil && !a.closed && some {
		a.seen, a.look = a.taken, time.AfterFunc(calmAfter, a.calm)
	}
}

func (a *Archive) calm() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.look = nil
	if a.running || a.closed {
		return // it watches at its end
	}
	for _, b := range a.bases {
		b.calm()
	}
	if a.taken == a.seen {
		a.queue.trim(0)
		a.spare.trim(0)
		a.files.trim(0)
		a.files.close()
	}
	a.watch()
}

// put takes lines over; they are copied.
func (a *Archive) put(l *lines) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return
	}
	a.queue.add(l)
	a.taken++
	switch n := len(a.queue.items); {
	case a.running || n == 0:
	case a.opt.Linger <= 0 || len(a.queue.text) > fewQueued || a.queue.items[n-1].last:
		a.begin()
	case a.waiting == nil:
		a.waiting = time.AfterFunc(a.opt.Linger, a.hurry)
	}
}

// hurry writes what waits for more.
func (a *Archive) hurry() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin()
}

// begin writes what is queued. A timer that was stopped too late has it called once more, which does no harm.
func (a *Archive) begin() {
	if a.waiting != nil {
		a.waiting.Stop()
		a.waiting = nil
	}
	if !a.running && len(a.queue.items) > 0 {
		a.running = true
		go a.run()
	}
}

// run writes until nothing waits.
func (a *Archive) run() {
	for {
		a.mu.Lock()
		if len(a.queue.items) == 0 {
			a.running = false
			a.watch()
			a.cond.Broadcast()
			a.mu.Unlock()
			return
		}
		now, taken := a.queue, a.taken
		a.queue, a.spare = a.spare, lines{}
		a.mu.Unlock()
		a.files.write(&now)
		now.reset()
		a.mu.Lock()
		a.spare, a.written = now, taken
		a.cond.Broadcast()
		a.mu.Unlock()
	}
}

// wait returns when there is room in the queue. The disk's errors make room, too.
func (a *Archive) wait() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.queue.size() > maxQueued {
		a.cond.Wait()
	}
}

// Flush returns when everything that was recorded before has been written, or lost; or with the error of the context.
func (a *Archive) Flush(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.cond.Broadcast()
	})()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin()
	for due := a.taken; a.written < due && ctx.Err() == nil; {
		a.cond.Wait()
	}
	return context.Cause(ctx)
}

// Close writes what waits and takes nothing more.
func (a *Archive) Close() {
	a.mu.Lock()
	a.begin()
	a.closed = true
	for a.running {
		a.cond.Wait()
	}
	if a.look != nil {
		a.look.Stop()
		a.look = nil
	}
	for _, b := range a.bases {
		b.close()
	}
	a.bases = nil
	a.files.close()
	a.mu.Unlock()
	a.files.settle()
}
