package supervisor

import (
	"errors"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
)

const (
	syncWorkers  = 4
	syncInterval = 100 * time.Millisecond
)

// syncer brings journals to the disk for all sessions: at once where a session waits for it, and now and then for
// sessions that do not. A session has at most one entry, so what waits is bounded by the number of sessions. Its
// goroutines live only while there is something to sync.
type syncer struct {
	health *health

	mu      sync.Mutex
	wanted  map[string]syncWork // somebody waits
	dirty   map[string]syncWork // written since the last tick
	workers int
	running sync.WaitGroup // of workers
	timer   *time.Timer
	closed  bool
}

type syncWork struct {
	journal *journal.Journal
	seq     uint64
	to      session.Ref
	answer  bool
}

func newSyncer(h *health) *syncer {
	return &syncer{health: h, wanted: map[string]syncWork{}, dirty: map[string]syncWork{}}
}

// want syncs now, before close; Synced goes to the session.
func (s *syncer) want(id string, w syncWork) {
	w.answer = true
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted[id] = w
	if !s.closed && s.workers < syncWorkers {
		s.workers++
		s.running.Go(s.work)
	}
}

// note syncs within the interval.
func (s *syncer) note(id string, w syncWork) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.dirty[id] = w
	if s.timer == nil {
		s.timer = time.AfterFunc(syncInterval, s.tick)
	}
}

func (s *syncer) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = nil
	if s.closed {
		return
	}
	for id, w := range s.dirty {
		if _, waits := s.wanted[id]; !waits {
			s.wanted[id] = w
		}
	}
	clear(s.dirty)
	for s.workers < min(syncWorkers, len(s.wanted)) {
		s.workers++
		s.running.Go(s.work)
	}
}

// close ends with the syncs under way. What waits is left: its journals were closed, which syncs them.
func (s *syncer) close() {
	s.mu.Lock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	s.running.Wait()
}

func (s *syncer) work() {
	for {
		w, ok := s.next()
		if !ok {
			return
		}
		err := w.journal.Sync()
		quiet := errors.Is(err, journal.ErrClosed) || errors.Is(err, journal.ErrForgotten) // says nothing of the disk
		if err != nil && !quiet {
			s.health.writeErrors.Add(1)
		}
		if w.answer || err != nil && !quiet {
			w.to.Send(&session.Synced{Seq: w.seq, Err: err})
		}
	}
}

func (s *syncer) next() (syncWork, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, w := range s.wanted {
		delete(s.wanted, id)
		return w, true
	}
	s.workers--
	return syncWork{}, false
}
