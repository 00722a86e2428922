package supervisor

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"go.uber.org/zap"
)

// KeepRule says what stays of sessions that are at rest.
type KeepRule = core.KeepRule

// Why says why retention removes something.
type Why = core.Why

// The reasons.
const (
	WhyAge   = core.WhyAge
	WhyBytes = core.WhyBytes
	WhyDisk  = core.WhyDisk
)

// audit tells of what retention removes: each removal is a line of the daemon's log, and is counted.
type audit struct {
	log    *zap.Logger
	health *health
}

func (a *audit) discarding(e core.Discarding) {
	a.log.Info("retention removes a session", zap.String("session", e.ID), zap.String("why", string(e.Why)), zap.Int64("bytes", e.Bytes),
		zap.Time("since", e.Since))
	a.health.mu.Lock()
	a.health.freed += uint64(max(0, e.Bytes))
	a.health.mu.Unlock()
}

func (a *audit) discarded(e core.Discarded) {
	if !e.Done {
		a.log.Warn("retention could not remove a session", zap.String("session", e.ID), zap.String("why", string(e.Why)))
		return
	}
	a.health.mu.Lock()
	if a.health.discarded == nil {
		a.health.discarded = map[Why]uint64{}
	}
	a.health.discarded[e.Why]++
	a.health.mu.Unlock()
}

func (a *audit) dropped(e core.DropArchive, err error) {
	if err != nil {
		a.log.Warn("retention could not remove native lines", zap.String("session", e.ID), zap.String("why", string(e.Why)), zap.Error(err))
		return
	}
	a.log.Info("retention removes native lines", zap.String("session", e.ID), zap.String("why", string(e.Why)), zap.Int64("bytes", e.Bytes))
	a.health.mu.Lock()
	defer a.health.mu.Unlock()
	if a.health.archivesGone == nil {
		a.health.archivesGone = map[Why]uint64{}
	}
	a.health.archivesGone[e.Why]++
	a.health.freed += uint64(max(0, e.Bytes))
}

func (a *audit) stepped(e core.ClockStepped) {
	a.log.Warn("the clock has gone far at once: no session goes by its age for a while", zap.Duration("by", e.By), zap.Time("until", e.Until))
}

func (s *state) retainLater(e core.RetainLater) {
	if s.retainer != nil {
		s.retainer.Stop()
	}
	self := s.self
	s.retainer = time.AfterFunc(e.After, func() { self.Send(&retain{}) })
}

// measure measures sessions, and the disk.
func (s *state) measure(e core.Measure) {
	self, yard := s.self, yardstick{s.data, s.cfg.Files}
	go func() { // ends with the sizes, for which the drain waits
		m := &measured{free: folder.Free(yard.data.Root)}
		for _, id := range e.IDs {
			m.sizes = append(m.sizes, yard.size(id))
		}
		self.Send(m)
	}()
}

// yardstick measures what sessions have on the disk.
type yardstick struct {
	data  folder.Data
	files disk.FS
}

// size counts the bytes of a session's files. What cannot be read has none.
func (y *yardstick) size(id string) core.Size {
	rawBytes := y.folder(y.data.Raw(id))
	return core.Size{ID: id, Raw: rawBytes, Bytes: rawBytes + y.folder(y.data.Session(id)) + y.folder(y.data.Images(id))}
}

func (y *yardstick) folder(dir string) (bytes int64) {
	list, err := y.files.List(dir)
	if err != nil {
		return 0
	}
	for _, e := range list {
		bytes += e.Size
	}
	return bytes
}

// dropArchive removes a session's native lines. An agent that starts meanwhile writes behind them, into the same archive.
func (s *state) dropArchive(e core.DropArchive) {
	h := s.homes.of(e.ID)
	if h.archive == nil {
		h.archive = newArchive(e.ID, s.data, &s.cfg, &s.health.raw)
	}
	self, archive, tell := s.self, h.archive, s.audit
	go func() { // ends with the removal, for which the drain waits
		err := archive.Drop()
		tell.dropped(e, err)
		self.Send(&dropped{e.ID, err == nil})
	}()
}

// onceNoted answers once the newest record of a session is on the disk.
func (s *state) onceNoted(e core.OnceNoted) {
	m, is := s.owed.end(e.Ticket).(*Pin)
	if !is {
		return
	}
	recorder := s.recorder
	go func() { // ends with the write
		recorder.Wait(e.ID)
		m.Send(session.Done{})
	}()
}
