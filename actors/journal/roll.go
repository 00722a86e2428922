package journal

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// roll goes on in a new segment. The old one is synced with its index first, so that only the last segment of a journal
// can have a torn tail.
func (j *Journal) roll(epoch uint64) error {
	failpoint.Hit("journal/beforeRoll")
	old := *j.log.last()
	if !j.clean && old.records > 0 {
		if err := j.reopen(); err != nil {
			return err
		}
		if err := j.settle("roll", old.size); err != nil {
			return err
		}
		if err := j.index.Sync(); err != nil {
			return j.fail("roll", indexName(old.ordinal), err)
		}
	}
	_ = j.closeFiles() // synced: there is nothing left that closing could lose
	if err := j.begin(header{epoch: epoch, first: old.next, prev: old.ordinal, valid: old.size}); err != nil {
		j.failed = err
		return err
	}
	return nil
}

// begin makes the files of a new segment. When it fails they are not part of the journal: Open passes over what could not
// be removed.
func (j *Journal) begin(h header) error {
	j.ordinal++
	n := j.ordinal
	var err error
	if j.data, err = j.log.fs.Create(j.log.path(dataName(n))); err != nil {
		return writeError("create", j.log.path(dataName(n)), err)
	}
	failpoint.Hit("journal/afterCreate")
	if j.index, err = j.log.fs.Create(j.log.path(indexName(n))); err != nil {
		return j.abandon(dataName(n), err, dataName(n))
	}
	if err = writeAll(j.index, h.encode()); err == nil {
		err = j.index.Sync()
	}
	if err != nil {
		return j.abandon(indexName(n), err, indexName(n), dataName(n))
	}
	failpoint.Hit("journal/beforeSyncDir")
	if err = j.log.fs.SyncDir(j.log.dir); err != nil {
		return j.abandon("", err, indexName(n), dataName(n))
	}
	failpoint.Hit("journal/afterSyncDir")
	j.synced, j.clean, j.tail = 0, true, tail{on: j.tail.on}
	j.log.add(segment{ordinal: n, first: h.first, next: h.first, epoch: h.epoch})
	return nil
}

// abandon gives up a segment that was being made.
func (j *Journal) abandon(name string, err error, made ...string) error {
	_ = j.closeFiles()
	for _, m := range made {
		_ = j.log.fs.Remove(j.log.path(m)) // best effort
	}
	return writeError("create", j.log.path(name), err)
}

// NewEpoch goes on in a new segment of a higher epoch: events that a reader may have seen were lost.
func (j *Journal) NewEpoch(epoch uint64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.refusal("roll"); err != nil {
		return err
	}
	if now := j.log.last().epoch; epoch <= now {
		return fmt.Errorf("journal: epoch %d does not follow epoch %d", epoch, now)
	}
	return j.roll(epoch)
}

// Recover goes on in a new segment after a failed write or sync. published is the newest event that the session stands by:
// batches after it are forgotten for good, also those that are on the disk as a whole. It must be the last event of a
// batch. Those that were published and never synced stay in the old segment, as little safe against a loss of power as they
// were. When the disk is still not well the error is a *WriteError, the journal stays failed, and Recover can be called
// again. A journal that has not failed is left as it is.
func (j *Journal) Recover(published uint64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed || j.readOnly != nil {
		return j.refusal("recover")
	}
	if j.failed == nil {
		return nil
	}
	if err := j.log.forget(published); err != nil {
		return err
	}
	_ = j.closeFiles()
	last := j.log.last()
	if err := j.begin(header{epoch: last.epoch, first: last.next, prev: last.ordinal, valid: last.size}); err != nil {
		j.failed = err
		return err
	}
	j.failed = nil
	j.place.Seq, j.doubts = 0, true
	j.recoveries++
	return nil
}
