package record

import (
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"go.uber.org/zap"
)

// Recorder writes session.json files in a goroutine of its own, the newest record of each session once, so that the
// supervisor waits for no disk. What waits is bounded by the number of sessions.
//
// The first record of a session in this daemon's life is made safe from a loss of power: how the session is written and where its
// agent is stays the same, and nothing else tells it.
type Recorder struct {
	path  func(id string) string
	files disk.FS
	log   *zap.Logger

	mu      sync.Mutex
	waiting map[string]Record
	busy    string          // the session whose record is being written
	idle    *sync.Cond      // signalled when busy or waiting have changed
	arrived chan struct{}   // one slot
	safe    map[string]bool // sessions that have a record of this daemon
	anew    map[string]bool // of them, those whose next record is made safe all the same
	done    chan struct{}
	closed  bool

	failing bool // the last write failed, and was told; of the goroutine
}

// NewRecorder starts one. path gives a session's file.
func NewRecorder(path func(id string) string, files disk.FS, log *zap.Logger) *Recorder {
	r := &Recorder{
		path: path, files: files, log: log, waiting: map[string]Record{}, safe: map[string]bool{}, anew: map[string]bool{},
		arrived: make(chan struct{}, 1), done: make(chan struct{}),
	}
	r.idle = sync.NewCond(&r.mu)
	go r.run()
	return r
}

// Put replaces what waits for the session.
func (r *Recorder) Put(id string, rec Record) {
	r.mu.Lock()
	r.waiting[id] = rec
	r.mu.Unlock()
	r.signal()
}

// PutSafely is Put; a loss of power does not take the record.
func (r *Recorder) PutSafely(id string, rec Record) {
	r.mu.Lock()
	r.anew[id] = true
	r.mu.Unlock()
	r.Put(id, rec)
}

// Wait returns when what was put for the session was written, or could not be.
func (r *Recorder) Wait(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if _, waits := r.waiting[id]; !waits && r.busy != id {
			return
		}
		r.idle.Wait()
	}
}

// Forget drops what waits for a session whose folder is about to go, and waits for a write under way.
func (r *Recorder) Forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, id)
	delete(r.anew, id)
	for r.busy == id {
		r.idle.Wait()
	}
	delete(r.safe, id)
}

// Close writes what waits and ends the goroutine.
func (r *Recorder) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.signal()
	<-r.done
}

func (r *Recorder) signal() {
	select {
	case r.arrived <- struct{}{}:
	default:
	}
}

func (r *Recorder) run() {
	defer close(r.done)
	for {
		id, rec, safe, more, closed := r.next()
		if !more {
			if closed {
				return
			}
			<-r.arrived
			continue
		}
		err := rec.write(r.files, r.path(id), !safe)
		if err != nil && !r.failing { // a full disk refuses all of them
			r.log.Warn("session.json", zap.String("session", id), zap.Error(err))
		}
		r.failing = err != nil
		r.mu.Lock()
		if err == nil {
			r.safe[id] = true
		}
		r.busy = ""
		r.idle.Broadcast()
		r.mu.Unlock()
	}
}

func (r *Recorder) next() (id string, rec Record, safe, more, closed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, rec = range r.waiting {
		delete(r.waiting, id)
		r.busy = id
		safe = r.safe[id] && !r.anew[id]
		delete(r.anew, id)
		return id, rec, safe, true, r.closed
	}
	return "", Record{}, false, false, r.closed
}
