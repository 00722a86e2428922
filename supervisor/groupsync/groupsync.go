// Package groupsync brings the journals of all sessions to the disk.
//
// Where few journals were written since the last tick, each is synced by itself. Where many were, their new lines go into one file that is synced
// once (package tails), and the journals themselves are synced later, a few at a tick, before that file goes.
package groupsync

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
)

const (
	maxWorkers   = 4
	syncInterval = 100 * time.Millisecond
)

// Config is what a Syncer works with.
type Config struct {
	Failed *atomic.Uint64 // counts syncs that failed
	// Store has the logs; nil: their syncs cannot be shared, and Folder is not used.
	Store  store.Mender
	Folder *tails.Folder
	// Apart is how many journals of a tick are synced each by itself; 0: as many as are synced at once.
	Apart int
	// Limit is how many bytes a file of tails takes before the next one begins; 0: 32 MiB.
	Limit int64
}

// Syncer brings journals to the disk for all sessions: at once where a session waits for it, and now and then for
// sessions that do not. A session has at most one entry, so what waits is bounded by the number of sessions. Its
// goroutines live only while there is something to sync.
type Syncer struct {
	cfg    Config
	shared *shared // nil: no syncs are shared
	debts  *debts  // what the disk has refused of kept lines

	mu      sync.Mutex
	wanted  map[string]Work // somebody waits
	dirty   map[string]Work // written since the last tick
	late    []kept          // whose lines are safe, and that are to be synced before their file goes
	owed    bool            // to late: the last one that was taken was wanted
	workers int
	running sync.WaitGroup // of workers and the tick
	timer   *time.Timer    // of the next tick, or of the one under way; nil: there is none
	closed  bool
}

// Work is a journal that is to be brought to the disk.
type Work struct {
	Journal store.Writer
	Seq     uint64 // that is told to have been synced
	To      session.Ref
	answer  bool
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

// Note makes what was written safe within the interval.
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
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.running.Add(1)
	defer s.running.Done()
	began, dirty := time.Now(), s.dirty
	s.dirty = make(map[string]Work, len(dirty))
	s.mu.Unlock()

	apart := dirty
	var late []kept
	more := false
	if s.shared != nil {
		apart, late, more = s.shared.tick(dirty)
	}
	more = s.debts.any(more) || more

	s.mu.Lock()
	defer s.mu.Unlock()
	for id, w := range apart {
		if _, waits := s.wanted[id]; !waits {
			s.wanted[id] = w
		}
	}
	s.late = append(s.late, late...)
	for !s.closed && s.workers < min(maxWorkers, len(s.wanted)+len(s.late)) {
		s.workers++
		s.running.Go(s.work)
	}
	if !s.closed && s.debts.due() {
		s.running.Go(func() { s.debts.payAll(s.ends) })
	}
	s.timer = nil
	if !s.closed && (more || len(s.dirty) > 0) {
		s.timer = time.AfterFunc(max(0, syncInterval-time.Since(began)), s.tick)
	}
}

// Close ends with the syncs under way. What waits is left: its journals were closed, which syncs them. Files of tails that are needed no more go.
func (s *Syncer) Close() {
	s.mu.Lock()
	s.closed = true
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	s.running.Wait()
	if s.shared != nil {
		s.shared.close()
	}
}

func (s *Syncer) work() {
	for {
		k, late, ok := s.next()
		switch {
		case !ok:
			return
		case late:
			s.settle(k)
		default:
			s.sync(k.log.ID, &k.Work)
		}
	}
}

// sync syncs a journal. One that its session has left in disorder since, which syncs nothing, is synced by its name.
func (s *Syncer) sync(id string, w *Work) {
	if err := w.sync(s.cfg.Failed); s.cfg.Store == nil || !errors.Is(err, store.ErrClosed) || w.Journal.Settled() > 0 {
		return
	}
	if n := w.Journal.Place().Segment; n > 0 {
		s.settleSegment(tails.Log{ID: id, Segment: n})
	}
}

func (s *Syncer) settleSegment(l tails.Log) {
	if err := s.cfg.Store.Settle(l.ID, l.Segment); err != nil {
		s.cfg.Failed.Add(1)
	}
}

// sync syncs a journal, and tells the session of it where it waits, or has to know.
func (w *Work) sync(failed *atomic.Uint64) error {
	err := w.Journal.Sync()
	if refused(err) {
		failed.Add(1)
	}
	if w.answer || refused(err) {
		w.To.Send(&session.Synced{Seq: w.Seq, Err: err})
	}
	return err
}

// refused says that an error of Sync is the disk's. The others say that the journal was closed or recovered meanwhile.
func refused(err error) bool {
	return err != nil && !errors.Is(err, store.ErrClosed) && !errors.Is(err, store.ErrForgotten)
}

// next is what a worker does next: by turns a journal that is wanted, and one whose lines are safe. Where the latter waited for the former, their file would
// not go as long as much is wanted; and while it is there and the next one is full, everything is.
func (s *Syncer) next() (k kept, late, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.late); n > 0 && !s.closed && (s.owed || len(s.wanted) == 0) {
		k, s.late, s.owed = s.late[n-1], s.late[:n-1], false
		return k, true, true
	}
	for id, w := range s.wanted {
		delete(s.wanted, id)
		s.owed = true
		return kept{tails.Log{ID: id}, w}, false, true
	}
	s.workers--
	return k, false, false
}
