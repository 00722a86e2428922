package adapter

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// window holds the batches that the session has not confirmed, the only copy between the pipe and the journal: they are sent again when the session's
// actor is replaced.
type window struct {
	lines int // most native lines unconfirmed
	bytes int // most native bytes unconfirmed

	mu      sync.Mutex
	to      session.Ref
	number  uint64
	pending []pending
	held    pending // totals
	over    bool    // the last batch was confirmed
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

// rest returns after some time, or when the window is closed. Of the reader.
func (w *window) rest(long time.Duration) {
	if long <= 0 {
		return
	}
	timer := time.NewTimer(long)
	defer timer.Stop()
	for {
		w.mu.Lock()
		closed := w.closed
		w.mu.Unlock()
		if closed {
			return
		}
		select {
		case <-timer.C:
			return
		case <-w.room: // wait looks for itself
		}
	}
}

// next gives the number of the next batch. Each number must be put, in order: the session takes a batch only when it has all before it.
func (w *window) next() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.number++
	return w.number
}

// put keeps a batch and sends it.
func (w *window) put(b *session.Batch, lines, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pending = append(w.pending, pending{b, lines, bytes})
	w.held.lines += lines
	w.held.bytes += bytes
	failpoint.Hit("adapter/beforeSend")
	if w.to.Valid() {
		w.to.Send(session.Say(b))
	}
}

// confirm forgets the batches up to number and reports whether the connection's last was among them, now or before.
func (w *window) confirm(number uint64) (over bool) {
	w.mu.Lock()
	n := 0
	for n < len(w.pending) && w.pending[n].batch.Number <= number {
		w.held.lines -= w.pending[n].lines
		w.held.bytes -= w.pending[n].bytes
		w.over = w.over || w.pending[n].batch.Exit != nil
		n++
	}
	w.pending = slices.Delete(w.pending, 0, n)
	failpoint.Hit("adapter/afterConfirm")
	over = w.over
	w.mu.Unlock()
	if n > 0 {
		w.signal()
	}
	return over
}

// attach sends everything after what is confirmed to a session's new actor.
func (w *window) attach(m *session.Attach) (over bool) {
	over = w.confirm(m.Confirmed)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.to = m.Session
	if m.Quarantine && len(w.pending) > 0 {
		w.pending[0].batch = quarantined(w.pending[0].batch)
	}
	for _, p := range w.pending {
		w.to.Send(session.Say(p.batch))
	}
	return over
}

// quarantined replaces a batch at which the session's actor fails again and again: a notice says how many drafts were left out, and the exit stays.
func quarantined(b *session.Batch) *session.Batch {
	return &session.Batch{
		Incarnation: b.Incarnation, Number: b.Number, Exit: b.Exit,
		Drafts: []adapters.Draft{adapters.Notice{
			Level: "error", Kind: "batch_quarantined",
			Text: fmt.Sprintf("The daemon failed again and again on something that the agent said; %d parts of it were left out.", len(b.Drafts)),
		}},
	}
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
