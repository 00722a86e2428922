package adapter

import (
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// window holds the batches that the session has not confirmed. It is the one place between the pipe and the journal:
// what is here is sent again when either side is replaced.
type window struct {
	lines int // most native lines unconfirmed
	bytes int // most native bytes unconfirmed

	mu      sync.Mutex
	to      session.Ref
	number  uint64
	pending []pending
	held    pending // totals
	closed  bool
	room    chan struct{} // one slot: something was confirmed
}

type pending struct {
	batch        *session.Batch
	lines, bytes int
}

func newWindow(lines, bytes int) *window {
	return &window{lines: lines, bytes: bytes, room: make(chan struct{}, 1)}
}

// wait returns when there is room; false: the window was closed. Of the reader.
func (w *window) wait() bool {
	for {
		w.mu.Lock()
		closed, full := w.closed, w.held.lines >= w.lines || w.held.bytes >= w.bytes
		w.mu.Unlock()
		if closed {
			return false
		}
		if !full {
			return true
		}
		<-w.room
	}
}

// put numbers a batch, keeps it and sends it.
func (w *window) put(b *session.Batch, lines, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.number++
	b.Number = w.number
	w.pending = append(w.pending, pending{b, lines, bytes})
	w.held.lines += lines
	w.held.bytes += bytes
	if w.to.Valid() {
		w.to.Send(b)
	}
}

// confirm forgets the batches up to number and reports whether the last of them was the connection's last.
func (w *window) confirm(number uint64) (over bool) {
	w.mu.Lock()
	n := 0
	for n < len(w.pending) && w.pending[n].batch.Number <= number {
		w.held.lines -= w.pending[n].lines
		w.held.bytes -= w.pending[n].bytes
		over = over || w.pending[n].batch.Exit != nil
		n++
	}
	w.pending = append(w.pending[:0], w.pending[n:]...)
	w.mu.Unlock()
	if n > 0 {
		w.signal()
	}
	return over
}

// attach sends everything after confirmed to a session's new actor.
func (w *window) attach(to session.Ref, confirmed uint64) (over bool) {
	over = w.confirm(confirmed)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = to
	for _, p := range w.pending {
		to.Send(p.batch)
	}
	return over
}

func (w *window) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.signal()
}

func (w *window) signal() {
	select {
	case w.room <- struct{}{}:
	default:
	}
}
