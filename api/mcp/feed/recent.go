package feed

import (
	"sync"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Recents keep the newest events of logs, decoded: of many clients that a log is pushed to the first one decodes an event, and the
// others take it from here.
type Recents struct {
	mu   sync.Mutex
	logs map[logKey]*recent
}

// recent has the newest events of one log; nil has none. They are read by many: nobody may change them.
type recent struct {
	feeds atomic.Int32 // changed with the lock of recents
	slots [recentEvents]atomic.Pointer[protocol.Event]
}

// Bounds of what is kept of a log: who is further behind, or reads longer lines, decodes for himself.
const (
	recentEvents = 128
	recentLine   = 4 << 10 // bytes
)

// NewRecents keeps nothing yet.
func NewRecents() *Recents { return &Recents{logs: map[logKey]*recent{}} }

// Share lets a feed take part, as long as its log stays the same one; leave must follow.
func (r *Recents) Share(f *Feed) (leave func()) {
	key := logKey{f.ID, f.Epoch}
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.logs[key]
	if of == nil {
		of = new(recent)
		r.logs[key] = of
	}
	of.feeds.Add(1)
	f.recent = of
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if of.feeds.Add(-1) == 0 {
			delete(r.logs, key)
		}
	}
}

// event gives an event that is kept.
func (r *recent) event(seq uint64) *protocol.Event {
	if r == nil {
		return nil
	}
	if e := r.slots[seq%recentEvents].Load(); e != nil && e.Seq == seq {
		return e
	}
	return nil
}

// keep keeps an event whose line has so many bytes for another feed, unless a newer one is in its place.
func (r *recent) keep(e *protocol.Event, line int) {
	if r == nil || line > recentLine || r.feeds.Load() < 2 {
		return
	}
	slot := &r.slots[e.Seq%recentEvents]
	if old := slot.Load(); old == nil || old.Seq < e.Seq {
		slot.Store(e)
	}
}
