// Package retention carries out what the supervisor decides about what need not be kept: it measures, tells and counts. It knows no actor.
package retention

import (
	"maps"
	"sync"

	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"go.uber.org/zap"
)

// Counts are what was removed in the daemon's life.
type Counts struct {
	Sessions map[keep.Why]uint64 // by reason
	Archives map[keep.Why]uint64 // sessions of which the native lines went, by reason
	Trims    uint64              // of the oldest events of a log
	Bytes    uint64
}

// Audit tells of what goes: each removal is a line of the daemon's log, and is counted. It is safe for concurrent use.
type Audit struct {
	log *zap.Logger

	mu     sync.Mutex
	counts Counts
	told   func(id string) // nil: nobody wants to know
}

// NewAudit writes to a log, under the name "audit".
func NewAudit(log *zap.Logger) *Audit {
	return &Audit{log: log.Named("audit"), counts: Counts{Sessions: map[keep.Why]uint64{}, Archives: map[keep.Why]uint64{}}}
}

// Counts is a copy.
func (a *Audit) Counts() Counts {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.counts
	c.Sessions, c.Archives = maps.Clone(c.Sessions), maps.Clone(c.Archives)
	return c
}

// Discarding tells of a session that goes.
func (a *Audit) Discarding(e core.Discarding) {
	a.log.Info("retention removes a session", zap.String("session", e.ID), zap.String("why", string(e.Why)), zap.Int64("bytes", e.Bytes),
		zap.Time("since", e.Since))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts.Bytes += uint64(max(0, e.Bytes))
}

// Discarded tells whether it has gone.
func (a *Audit) Discarded(e core.Discarded) {
	if !e.Done {
		a.log.Warn("retention could not remove a session", zap.String("session", e.ID), zap.String("why", string(e.Why)))
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts.Sessions[e.Why]++
}

// Dropped tells of native lines that have gone, or why they have not.
func (a *Audit) Dropped(e core.DropArchive, err error) {
	if err != nil {
		a.log.Warn("retention could not remove native lines", zap.String("session", e.ID), zap.String("why", string(e.Why)), zap.Error(err))
		return
	}
	a.log.Info("retention removes native lines", zap.String("session", e.ID), zap.String("why", string(e.Why)), zap.Int64("bytes", e.Bytes))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts.Archives[e.Why]++
	a.counts.Bytes += uint64(max(0, e.Bytes))
}

// Trimmed tells of the oldest events of a log that has more bytes than one may, or why they have not gone.
func (a *Audit) Trimmed(id string, oldest uint64, bytes int64, err error) {
	if err != nil {
		a.log.Warn("the oldest events of a log could not be removed", zap.String("session", id), zap.Error(err))
	}
	if bytes <= 0 {
		return
	}
	a.log.Info("the oldest events of a log are removed", zap.String("session", id), zap.Uint64("oldest", oldest), zap.Int64("bytes", bytes))
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts.Trims++
	a.counts.Bytes += uint64(bytes)
}

// Stepped tells of a clock that has gone far at once.
func (a *Audit) Stepped(e core.ClockStepped) {
	a.log.Warn("the clock has gone far at once: no session goes by its age for a while", zap.Duration("by", e.By), zap.Time("until", e.Until))
}

// Tell has do called for each session that has gone, by Gone.
func (a *Audit) Tell(do func(id string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.told = do
}

// Gone tells who wants to know. It is called by the goroutine of the removal, and may wait for the disk.
func (a *Audit) Gone(id string) {
	a.mu.Lock()
	told := a.told
	a.mu.Unlock()
	if told != nil {
		told(id)
	}
}
