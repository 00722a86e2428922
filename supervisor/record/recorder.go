package record

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"

	"go.uber.org/zap"
)

// Recorder writes session.json files, and checkpoints, in a goroutine of its own, the newest record of each session once, so that the
// supervisor waits for no disk. What waits is bounded by the number of sessions, and by 64 MiB of checkpoints.
//
// The first record of a session in this daemon's life is made safe from a loss of power: how the session is written and where its
// agent is stays the same, and nothing else tells it.
type Recorder struct {
	path    func(id string) string
	files   disk.FS
	log     *zap.Logger
	resting *Resting // nil: no copies are kept

	mu      sync.Mutex
	waiting map[string]job
	waits   int              // bytes of the checkpoints among them
	busy    string           // the session whose record is being written
	rests   bool             // it is at rest, and Withdraw was not called since
	idle    *sync.Cond       // signalled when busy or waiting have changed
	arrived chan struct{}    // one slot
	safe    map[string]bool  // sessions that have a record of this daemon
	anew    map[string]bool  // of them, those whose next record is made safe all the same
	failed  map[string]error // of sessions whose newest record could not be written
	done    chan struct{}
	closed  bool

	failing bool // the last write failed, and was told; of the goroutine
}

// job is what waits to be written of one session.
type job struct {
	record     *Record     // nil: none
	checkpoint *Checkpoint // likewise
}

// NewRecorder starts one. path gives a session's file; resting may be nil.
func NewRecorder(path func(id string) string, files disk.FS, resting *Resting, log *zap.Logger) *Recorder {
	r := &Recorder{
		path: path, files: files, resting: resting, log: log, waiting: map[string]job{}, safe: map[string]bool{}, anew: map[string]bool{},
		failed: map[string]error{}, arrived: make(chan struct{}, 1), done: make(chan struct{}),
	}
	r.idle = sync.NewCond(&r.mu)
	go r.run()
	return r
}

// Put replaces what waits for the session.
func (r *Recorder) Put(id string, rec Record) {
	r.put(id, func(j *job) { j.record = &rec })
}

// PutCheckpoint replaces the checkpoint that waits for the session; one without a state has the session have none. Where too many bytes wait for a slow disk,
// those of other sessions come first, and this one has its checkpoint later.
func (r *Recorder) PutCheckpoint(id string, c Checkpoint) {
	r.put(id, func(j *job) {
		if n := r.waits - j.bytes() + len(c.State); n <= maxWaiting || len(c.State) == 0 {
			r.waits, j.checkpoint = n, &c
		}
	})
}

// maxWaiting bounds the checkpoints that wait, in bytes.
const maxWaiting = 64 << 20

func (j *job) bytes() int {
	if j.checkpoint == nil {
		return 0
	}
	return len(j.checkpoint.State)
}

func (r *Recorder) put(id string, set func(*job)) {
	r.mu.Lock()
	j := r.waiting[id]
	set(&j)
	r.waiting[id] = j
	r.mu.Unlock()
	r.signal()
}

// Checkpoint reads the session's checkpoint, where there is one that this build can use.
func (r *Recorder) Checkpoint(id string) (Checkpoint, bool) {
	return readCheckpoint(r.files, checkpointOf(r.path(id)))
}

// ForgetCheckpoint removes a checkpoint, written or not.
func (r *Recorder) ForgetCheckpoint(id string) {
	r.mu.Lock()
	j := r.waiting[id]
	r.waits -= j.bytes()
	if j.record != nil {
		r.waiting[id] = job{record: j.record}
	} else {
		delete(r.waiting, id)
	}
	for r.busy == id {
		r.idle.Wait()
	}
	r.mu.Unlock() // the session that asks puts none meanwhile
	if err := r.files.Remove(checkpointOf(r.path(id))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log.Warn("remove checkpoint", zap.String("session", id), zap.Error(err))
	}
}

// PutSafely is Put; a loss of power does not take the record.
func (r *Recorder) PutSafely(id string, rec Record) {
	r.put(id, func(j *job) { // together: a record that waits already does not take the mark
		r.anew[id] = true
		j.record = &rec
	})
}

// Wait returns when what was put for the session was written, or with the reason why its newest record was not.
func (r *Recorder) Wait(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		if _, waits := r.waiting[id]; !waits && r.busy != id {
			return r.failed[id]
		}
		r.idle.Wait()
	}
}

// Forget drops what waits for a session whose folder is about to go, and waits for a write under way.
func (r *Recorder) Forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := r.waiting[id]
	r.waits -= j.bytes()
	delete(r.waiting, id)
	for r.busy == id {
		r.idle.Wait()
	}
	delete(r.anew, id) // also where the write under way has failed
	delete(r.safe, id)
	delete(r.failed, id)
}

// copy keeps a copy of what was written of a session at rest.
func (r *Recorder) copy(id string, rec *Record) {
	stamp, err := r.files.Stamp(r.path(id), true)
	failpoint.Hit("record/beforeCopied")
	r.mu.Lock()
	rests := r.rests
	r.mu.Unlock()
	if err == nil && rests {
		r.resting.Put(rec, stamp)
		r.resting.Tidy()
	}
}

// Withdraw has no start take a session for one at rest, before its log is opened for writing: whatever becomes of this daemon, and of the file that has the
// copies, its session.json is another version from now on. It waits for a record of the session that is being written.
func (r *Recorder) Withdraw(id string) {
	if r.resting == nil {
		return
	}
	r.mu.Lock()
	if j := r.waiting[id]; j.record != nil {
		j.record.Rests = false
	}
	for r.busy == id {
		r.rests = false
		r.idle.Wait()
	}
	r.mu.Unlock()
	if err := grow(r.files, r.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.resting.Void(err)
	}
	failpoint.Hit("record/afterWithdrawn")
}

// grow makes a session.json another version that says the same.
func grow(files disk.FS, path string) error {
	f, err := files.Append(path)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte{'\n'})
	return errors.Join(err, f.Close())
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
		id, todo, safe, more, closed := r.next()
		if !more {
			if closed {
				return
			}
			<-r.arrived
			continue
		}
		err := todo.write(r.files, r.path(id), !safe)
		if err == nil && r.resting != nil && todo.record != nil && todo.record.Rests {
			r.copy(id, todo.record)
		}
		if err != nil && !r.failing { // a full disk refuses all of them
			r.log.Warn("session.json", zap.String("session", id), zap.Error(err))
		}
		r.failing = err != nil
		r.mu.Lock()
		switch {
		case todo.record == nil:
		case err == nil:
			r.safe[id] = true
			delete(r.failed, id)
		default:
			r.failed[id] = err
			r.anew[id] = r.anew[id] || !safe // the next one is to be what this one was to be
		}
		r.busy = ""
		r.idle.Broadcast()
		r.mu.Unlock()
	}
}

func (r *Recorder) next() (id string, todo job, safe, more, closed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, todo = range r.waiting {
		delete(r.waiting, id)
		r.waits -= todo.bytes()
		r.busy = id
		if todo.record != nil {
			safe = r.safe[id] && !r.anew[id]
			delete(r.anew, id)
		}
		r.rests = todo.record != nil && todo.record.Rests
		return id, todo, safe, true, r.closed
	}
	return "", job{}, false, false, r.closed
}

// write writes the record before the checkpoint: a list needs it.
func (j *job) write(files disk.FS, path string, safe bool) (err error) {
	if j.record != nil {
		err = j.record.write(files, path, safe)
	}
	if j.checkpoint != nil {
		err = errors.Join(err, j.checkpoint.write(files, checkpointOf(path)))
	}
	return err
}
