package memory

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// writer is a store.Writer.
type writer struct {
	store *Store
	log   *log

	mu      sync.Mutex
	refuses error // read-only, for good
	failed  error // until Recover
	closed  bool
}

var _ store.Writer = (*writer)(nil)

func (w *writer) refusal(op string) error {
	switch {
	case w.closed:
		return &store.WriteError{Op: op, File: w.log.id, Err: store.ErrClosed}
	case w.refuses != nil:
		return w.refuses
	}
	return w.failed
}

// attempt says why an operation fails, and has all that follow fail with it.
func (w *writer) attempt(op string) error {
	if err := w.refusal(op); err != nil {
		return err
	}
	if err := w.store.fault(); err != nil {
		w.failed = &store.WriteError{Op: op, File: w.log.id, Err: err}
	}
	return w.failed
}

func (w *writer) Append(b store.Batch) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.refusal("append"); err != nil {
		return err
	}
	l := w.log
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := b.Check(l.newest() + 1); err != nil {
		return err
	}
	if err := w.attempt("append"); err != nil {
		return err
	}
	b.Lines = bytes.Clone(b.Lines)
	l.batches = append(l.batches, batch{Batch: b, epoch: l.epoch})
	if l.clean { // what is shown from now on can be lost with the power: that it was written at all is not
		l.synced = len(l.batches)
	}
	l.clean = false
	return nil
}

func (w *writer) Place() store.Place {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log.mu.RLock()
	defer w.log.mu.RUnlock()
	if n := len(w.log.batches); n > 0 {
		return w.log.place(n - 1)
	}
	return store.Place{}
}

func (w *writer) Sync() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.attempt("sync"); err != nil {
		return err
	}
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	w.log.synced = len(w.log.batches)
	return nil
}

func (w *writer) NewEpoch(epoch uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.attempt("roll"); err != nil {
		return err
	}
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	if epoch <= w.log.epoch {
		return fmt.Errorf("memory: epoch %d does not follow epoch %d", epoch, w.log.epoch)
	}
	w.log.epoch, w.log.synced = epoch, len(w.log.batches)
	return nil
}

func (w *writer) Recover(published uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.refuses != nil {
		return w.refusal("recover")
	}
	if w.failed == nil {
		return nil
	}
	l := w.log
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.holding(published + 1)
	switch {
	case published > l.newest() || published < l.dropped:
		return &store.BeyondError{Newest: l.newest()}
	case n < len(l.batches) && l.batches[n].First != published+1:
		return &store.BatchError{Problem: "the published event is not the last one of a batch"}
	}
	if err := w.store.fault(); err != nil {
		w.failed = &store.WriteError{Op: "recover", File: l.id, Err: err}
		return w.failed
	}
	l.batches, l.synced = l.batches[:n:n], min(l.synced, n)
	w.failed = nil
	return nil
}

func (w *writer) DropPoint(most int64) (seq uint64) {
	l := w.log
	l.mu.Lock()
	defer l.mu.Unlock()
	size := int64(0)
	for i := range l.batches {
		size += int64(len(l.batches[i].Lines))
	}
	for i := 0; i < len(l.batches)-1 && size > most; i++ {
		size -= int64(len(l.batches[i].Lines))
		seq = l.batches[i+1].First
	}
	return seq
}

func (w *writer) DropBefore(seq uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.refuses != nil {
		return w.refusal("drop")
	}
	l := w.log
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for n < len(l.batches)-1 && l.batches[n].next() <= seq {
		n++
	}
	if n > 0 {
		l.dropped = l.batches[n].First - 1
		l.batches = append([]batch(nil), l.batches[n:]...) // a copy: the dropped ones are not to be kept alive
		l.synced = max(0, l.synced-n)
	}
	return nil
}

func (w *writer) Release() error { return nil }

func (w *writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || w.refusal("close") != nil {
		w.closed = true
		return nil
	}
	err := w.attempt("close")
	w.closed = true
	if err != nil {
		return err
	}
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	w.log.synced, w.log.clean = len(w.log.batches), true
	return nil
}

func (w *writer) CloseUnclean() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return nil
}

func (w *writer) Settled() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log.mu.RLock()
	defer w.log.mu.RUnlock()
	if !w.closed || w.failed != nil || w.refuses != nil || !w.log.clean {
		return 0
	}
	return w.log.newest()
}

func (w *writer) Log() store.Log { return w.log }
