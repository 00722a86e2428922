package trim

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
)

// SegmentBytes is how large the files of a log become that may have so many bytes: the oldest file is what goes at once, and an eighth of a log at most.
// 0: as large as they are where logs have no bound.
func SegmentBytes(logLimit int64) int64 {
	if logLimit <= 0 || logLimit >= 8*(64<<20) {
		return 0
	}
	return logLimit / 8
}

// Reader reads the snapshot of a session's folder; nil: nothing of its log was dropped. Any goroutine may call what is returned.
func Reader(files disk.FS, folder string) func() ([]byte, error) {
	return func() ([]byte, error) {
		snapshot, err := record.ReadSnapshot(files, folder)
		return snapshot.State, err
	}
}

// Beginning is what an opening knows of the events that were dropped of a log.
type Beginning struct {
	seq uint64 // the last one of them
	err error  // why what they had told is not known; a checkpoint may know it all the same
}

// Begin has a replay begin with the snapshot, where there is one.
func Begin(snapshot func() ([]byte, error), replay session.Replay) (b Beginning) {
	var state []byte
	if state, b.err = snapshot(); b.err == nil && state != nil {
		b.seq, b.err = replay.Start(state)
	}
	return b
}

// Judge takes what an opening gave. A log that ends before its snapshot does is not the one that was trimmed; and of one in which no event is left no line has
// asked for what the snapshot does not tell.
func (b *Beginning) Judge(j store.Writer, rec *store.Recovery, err error) (store.Writer, error) {
	switch {
	case b.err != nil && session.Damaged(err): // else the checkpoint has told it
		return j, b.err
	case err == nil && rec.Newest+1 == rec.Oldest && b.seq < rec.Newest:
		return nil, errors.Join(cmp.Or(b.err, store.Untold(rec.Oldest, b.seq)), j.CloseUnclean())
	case err == nil && 1 < rec.Oldest && rec.Newest < b.seq:
		return nil, errors.Join(&store.DamageError{
			File: record.SnapshotFile, Seq: rec.Newest + 1, Hint: store.HintSnapshot,
			Problem: fmt.Sprintf("it tells of events up to %d, and the log ends with event %d", b.seq, rec.Newest),
		}, j.CloseUnclean())
	}
	return j, err
}
