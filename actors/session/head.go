package session

import (
	"sync/atomic"
	"time"
)

// Head is how far a session's log is shown. Its session sets it, for every batch; anybody may read it, without asking.
type Head struct {
	seq  atomic.Uint64
	time atomic.Int64 // Unix ms
}

func (h *Head) set(seq uint64, time int64) {
	if h != nil {
		h.seq.Store(seq)
		h.time.Store(time)
	}
}

// Refresh brings a summary, which is told with changes of state only, up to the newest event.
func (h *Head) Refresh(s *Summary) {
	if seq := h.seq.Load(); seq > s.Seq {
		s.Seq = seq
		s.Updated = time.UnixMilli(max(h.time.Load(), s.Updated.UnixMilli())).UTC()
	}
}
