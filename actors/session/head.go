package session

import (
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
)

// Head is how far a session's log is shown. The session's actor sets it for every batch; any goroutine may read it, without a question.
type Head struct {
	seq     atomic.Uint64
	time    atomic.Int64 // Unix ms
	changed atomic.Uint64
	settled atomic.Uint64
	alarm   atomic.Pointer[alarm]
}

// alarm is a bell that is rung once, when the log has come to a number.
type alarm struct {
	seq  uint64
	bell *ring.Bell
}

func (h *Head) set(seq, changed uint64, time int64) {
	if h == nil {
		return
	}
	h.changed.Store(changed) // first: whoever sees the event knows whether it has changed something
	h.seq.Store(seq)
	h.time.Store(time)
	if a := h.alarm.Load(); a != nil && seq >= a.seq && h.alarm.CompareAndSwap(a, nil) {
		a.bell.Ring()
	}
}

// Refresh gives a summary, which is told with changes of state only, with the newest event: a copy where there is a newer one. The head may be nil.
func (h *Head) Refresh(s *Summary) *Summary {
	if h == nil || h.seq.Load() <= s.Seq {
		return s
	}
	now := *s
	now.Seq = h.seq.Load()
	now.Updated = time.UnixMilli(max(h.time.Load(), s.Updated.UnixMilli())).UTC()
	return &now
}

// Tells says that a summary tells of status, turn, prompts and requests what the log shows, no less and no more. Where it does not, another summary is on
// its way. The head may be nil: the session was not taken up since the daemon's start.
func (h *Head) Tells(s *Summary) bool {
	return h == nil || s.Damage != nil || h.changed.Load() <= s.Changed && s.Changed <= h.seq.Load()
}

// Wake has a bell rung once the log has come to a number, at once where it has. There is one such bell, the one that was asked for last; a nil bell takes
// it away. What it costs the session does not depend on who waits. The head may be nil.
func (h *Head) Wake(seq uint64, b *ring.Bell) {
	if h == nil {
		return
	}
	if b == nil {
		h.alarm.Store(nil)
		return
	}
	a := &alarm{seq, b}
	h.alarm.Store(a)
	if h.seq.Load() >= seq && h.alarm.CompareAndSwap(a, nil) {
		b.Ring()
	}
}

// Settled is the newest event that no loss of power takes any more, once the session's actor has ended in order; 0: it has not.
func (h *Head) Settled() uint64 { return h.settled.Load() }
