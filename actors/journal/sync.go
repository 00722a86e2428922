package journal

import (
	"errors"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// Sync returns when everything that was appended before the call survives a loss of power; any goroutine may call it,
// also while another appends. An error is a *WriteError and fails the journal as a failed write does. After a failed sync the system may have
// dropped the pages, so that a second sync would succeed without them: that is why the same file is never synced again.
func (j *Journal) Sync() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	if err := j.refusal("sync"); err != nil {
		j.mu.Unlock()
		return err
	}
	size := j.log.last().size
	if size == j.synced {
		j.mu.Unlock()
		return nil
	}
	if err := j.reopen(); err != nil {
		j.mu.Unlock()
		return err
	}
	f, n, recoveries := j.data, j.ordinal, j.recoveries
	j.mu.Unlock()

	failpoint.Hit("journal/beforeSync")
	err := f.Sync()
	failpoint.Hit("journal/afterSync")

	j.mu.Lock()
	defer j.mu.Unlock()
	defer func() {
		if j.released {
			_ = j.closeFiles() // synced: nothing is lost
		}
	}()
	switch {
	case j.failed != nil:
		return j.failed
	case j.recoveries != recoveries:
		return writeError("sync", j.log.path(dataName(n)), ErrForgotten)
	case errors.Is(err, fs.ErrClosed) && j.ordinal != n:
		return nil // a new segment began meanwhile, and beginning one syncs the old one
	case errors.Is(err, fs.ErrClosed) && j.data != f:
		return j.syncAgain()
	case err != nil:
		// Also when a new segment began meanwhile: the system reports a failure once, and this call got it.
		return j.fail("sync", dataName(n), err)
	case j.ordinal == n:
		if j.synced = max(j.synced, size); j.synced == j.log.last().size {
			j.tail.clear()
		}
	}
	return nil
}

// syncAgain syncs once more where Release closed the file during the sync, which then says nothing of the bytes.
func (j *Journal) syncAgain() error {
	if err := j.reopen(); err != nil {
		return err
	}
	return j.settle("sync", j.log.last().size)
}

// settle syncs the lines of the last segment, of which there are size bytes. Unlike Sync it holds mu all the time, so nothing is appended meanwhile.
func (j *Journal) settle(op string, size int64) error {
	if j.synced == size {
		return nil
	}
	if err := j.data.Sync(); err != nil {
		return j.fail(op, dataName(j.ordinal), err)
	}
	j.synced = size
	j.tail.clear()
	return nil
}

// Close syncs what is not yet synced, marks the end as clean and closes the files. A journal that failed before is closed
// as it is, without an error.
func (j *Journal) Close() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	var err error
	if j.refusal("close") == nil {
		err = j.mark()
	}
	j.closed = true
	if closeErr := j.closeFiles(); err == nil && closeErr != nil {
		err = writeError("close", j.log.dir, closeErr)
	}
	return err
}

// Settled is the newest event of a journal that was closed in order: neither a crash nor a loss of power takes that event or an earlier one. 0: the
// journal is open, or was not closed in order.
func (j *Journal) Settled() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	last := j.log.last()
	if !j.closed || j.failed != nil || j.readOnly != nil || !j.clean && last.size > 0 {
		return 0
	}
	return last.next - 1
}

// mark syncs lines and index and writes the record that says so.
func (j *Journal) mark() error {
	seg := j.log.last()
	if j.clean || seg.size == 0 {
		return nil
	}
	if err := j.reopen(); err != nil {
		return err
	}
	if err := j.settle("close", seg.size); err != nil {
		return err
	}
	failpoint.Hit("journal/beforeMark")
	r := record{first: seg.next, offset: seg.size, synced: seg.size}
	r.encode(j.slot[:])
	if err := writeAll(j.index, j.slot[:]); err != nil {
		return j.fail("close", indexName(j.ordinal), err)
	}
	if err := j.index.Sync(); err != nil {
		return j.fail("close", indexName(j.ordinal), err)
	}
	j.log.grow(r)
	j.clean = true
	return nil
}
