package session

import (
	"sync/atomic"
	"time"
)

// Head is how far a session's log is shown. The session's actor sets it for every batch; any goroutine may read it, without a question.
type Head struct {
	seq     atomic.Uint64
	time    atomic.Int64 // Unix ms
	settled atomic.Uint64
}

func (h *Head) set(seq uint64, time int64) {
	if h != nil {
		h.seq.Store(seq)
		h.time.Store(time)
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

// Settled is the newest event that no loss of power takes any more, once the session's actor has ended in order; 0: it has not.
func (h *Head) Settled() uint64 { return h.settled.Load() }
