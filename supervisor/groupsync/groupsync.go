// Package groupsync brings the journals of all sessions to the disk.
package groupsync

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

const (
	maxWorkers   = 4
	syncInterval = 100 * time.Millisecond
)

// Syncer brings journals to the disk for all sessions: at once where a session waits for it, and now and then for
// sessions that do not. A session has at most one entry, so what waits is bounded by the number of sessions. Its
// goroutines live only while there is something to sync.
type Syncer struct {
	failed *atomic.Uint64

	mu      sync.Mutex
	wanted  map[string]Work // somebody waits
	dirty   map[string]Work // written since the last tick
	workers int
	running sync.WaitGroup // of workers
	timer   *time.Timer
	closed  bool
}

// Work is a journal that is to be brought to the disk.
type Work struct {
	Journal store.Writer
	Seq     uint64 // that is told to have been synced
	To      session.Ref
	answer  bool
}

// New makes one. failed counts syncs that failed.
func New(failed *atomic.Uint64) *Syncer {
	return &Syncer{failed: failed, wanted: map[string]Work{}, dirty: map[string]Work{}}
}

// Want syncs now, before Close; Synced goes to the session.
func (s *Syncer) Want(id string, w Work) {
	w.answer = true
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted[id] = w
	if !s.closed && s.workers < maxWorkers {
		s.workers++
		s.running.Go(s.work)
	}
}

// Note syncs within the interval.
func (s *Syncer) Note(id string, w Work) {
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

func (s *Syncer) tick() {
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
	for s.workers < min(maxWorkers, len(s.wanted)) {
		s.workers++
		s.running.Go(s.work)
	}
}

// Close ends with the syncs under way. What waits is left: its journals were closed, which syncs them.
func (s *Syncer) Close() {
	s.mu.Lock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	s.running.Wait()
}

func (s *Syncer) work() {
	for {
		w, ok := s.next()
		if !ok {
			return
		}
		err := w.Journal.Sync()
		quiet := errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrForgotten) // says nothing of the disk
		if err != nil && !quiet {
			s.failed.Add(1)
		}
		if w.answer || err != nil && !quiet {
			w.To.Send(&session.Synced{Seq: w.Seq, Err: err})
		}
	}
}

func (s *Syncer) next() (Work, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, w := range s.wanted {
		delete(s.wanted, id)
		return w, true
	}
	s.workers--
	return Work{}, false
}
