// Package trim makes the snapshots without which the beginning of a log cannot be dropped, and has openings begin with them.
package trim

import (
	"bytes"
	"context"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
)

// Trimmer makes one snapshot at a time, in a goroutine that lives while there is something to make: it reads as much of a log as is to go. A session has at
// most one entry, so what waits is bounded by the number of sessions.
type Trimmer struct {
	folder func(id string) string
	files  disk.FS

	mu      sync.Mutex
	waiting map[string]session.Trim
	order   []string   // of waiting, with those that were forgotten
	busy    string     // the session whose snapshot is being made; empty: none is
	stop    func()     // ends that
	changed *sync.Cond // busy is another one, or one does not wait any more
	running sync.WaitGroup
	runs    bool
	closed  bool
}

// New makes a Trimmer of sessions that have their files in these folders.
func New(folder func(id string) string, files disk.FS) *Trimmer {
	t := &Trimmer{folder: folder, files: files, waiting: map[string]session.Trim{}}
	t.changed = sync.NewCond(&t.mu)
	return t
}

// Want has a snapshot made; session.Trimmed tells of it, unless the session is forgotten or the Trimmer closed.
func (t *Trimmer) Want(id string, work session.Trim) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	if _, waits := t.waiting[id]; !waits {
		t.order = append(t.order, id)
	}
	t.waiting[id] = work
	if !t.runs {
		t.runs = true
		t.running.Go(t.run) // ends when nothing waits
	}
}

// Forget returns when nothing is written for a session any more, whose folder is about to go.
func (t *Trimmer) Forget(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.waiting, id)
	t.changed.Broadcast()
	for t.busy == id {
		t.stop()
		t.changed.Wait()
	}
}

// Close ends what is being made, and waits for it.
func (t *Trimmer) Close() {
	t.mu.Lock()
	t.closed = true
	clear(t.waiting)
	t.changed.Broadcast()
	if t.busy != "" {
		t.stop()
	}
	t.mu.Unlock()
	t.running.Wait()
}

func (t *Trimmer) run() {
	for {
		id, work, ctx := t.next()
		if id == "" {
			return
		}
		seq, err := t.make(ctx, id, &work)
		if context.Cause(ctx) == nil {
			work.To.Send(&session.Trimmed{Seq: seq, Err: err})
		}
	}
}

// next is the session that has waited longest; an empty id: none waits, and the goroutine ends.
func (t *Trimmer) next() (id string, work session.Trim, ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy = ""
	t.changed.Broadcast()
	waits := false
	for !waits && len(t.order) > 0 {
		id, t.order = t.order[0], t.order[1:]
		work, waits = t.waiting[id]
	}
	if !waits {
		t.order, t.runs = nil, false
		return "", session.Trim{}, nil
	}
	delete(t.waiting, id)
	t.busy = id
	ctx, t.stop = context.WithCancel(context.Background())
	return id, work, ctx
}

// make makes a session's snapshot on the one before, and writes it.
func (t *Trimmer) make(ctx context.Context, id string, work *session.Trim) (seq uint64, err error) {
	before, err := record.ReadSnapshot(t.files, t.folder(id))
	if err != nil {
		return 0, err
	}
	now := record.Snapshot{}
	if now.State, now.Seq, err = session.Snapshot(ctx, id, before.State, work); err != nil || now.Seq == before.Seq && bytes.Equal(now.State, before.State) {
		return now.Seq, err
	}
	failpoint.Hit("trim/beforeSnapshot")
	if err = now.Write(t.files, t.folder(id)); err != nil {
		return 0, err
	}
	failpoint.Hit("trim/afterSnapshot")
	return now.Seq, nil
}
