package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// DefaultSegmentBytes is when a new segment begins unless Options say otherwise.
const DefaultSegmentBytes = 64 << 20

// Options are the same for every journal of a daemon. The zero value is ready for use.
type Options struct {
	// FS is where the files are; nil: the operating system's.
	FS FS
	// SegmentBytes is the size at which a new segment begins; 0: DefaultSegmentBytes. One batch is never split, so a
	// segment that holds a single batch may be larger.
	SegmentBytes int64
	// ReadOnly makes Open repair nothing and write nothing: a torn tail is reported and not served.
	ReadOnly bool
	// PowerLoss tells Open that the machine went down after the journal was last written, so that batches which were never
	// synced may be missing in the middle too: such a hole is then cut, with all that follows, and counted. Without it a
	// hole is damage. Bytes behind a hole stay on the disk.
	PowerLoss bool
	// Least is an event that is known to be on the disk: a log that ends before it is damaged. 0: none is known.
	Least uint64
}

func (o Options) withDefaults() Options {
	if o.FS == nil {
		o.FS = osFS{}
	}
	if o.SegmentBytes <= 0 {
		o.SegmentBytes = failpoint.Size("journal/segment", DefaultSegmentBytes)
	}
	return o
}

// Source names the adapter's batch that a batch of lines was made of, so that the session recognises one that is sent
// again. The zero Source means none.
type Source struct {
	Incarnation uint32
	Batch       uint64
}

// Journal is the writing side of one session's log. The package comment says who may call what.
type Journal struct {
	log   Log
	limit int64

	// syncing is held by Sync and Close, before mu: the system reports a failed sync to one caller only, so the next one
	// must not come before the verdict.
	syncing sync.Mutex

	mu       sync.Mutex // held while files are written, but not while Sync waits for the disk; guards what follows
	data     Writer     // of the last segment; nil until the next write, after Open and Release
	index    Writer
	slot     [recordSize]byte
	ordinal  uint64 // the highest ever used in the folder
	synced   int64  // bytes of the last segment that are known to be synced
	clean    bool   // nothing was appended since the last mark
	readOnly error  // why, as a *WriteError
	failed   error  // the *WriteError of the write or sync that failed
	closed   bool
	released bool // and nothing was written since

	recoveries int // how often Recover went on
}

// Create makes the journal of a new session: folder, first segment, epoch 1, all of it synced. The folder may exist, but
// no journal in it: then the error is fs.ErrExist. One whose making, or whose first append, did not come to its end is none: nobody was told
// of it, and the new one passes it over. Errors of the disk are *WriteError; the folder may then be left, and
// Create can be called again.
func Create(dir string, opt Options) (*Journal, error) {
	opt = opt.withDefaults()
	j := &Journal{log: Log{fs: opt.FS, dir: dir}, limit: opt.SegmentBytes}
	if err := opt.FS.Mkdir(dir); err != nil {
		found, listErr := opt.FS.List(dir)
		if listErr != nil {
			return nil, writeError("create", dir, err)
		}
		for _, e := range found {
			if n, _, ok := parseName(e.Name); ok {
				j.ordinal = max(j.ordinal, n)
			}
		}
		if j.ordinal > 0 && !unbegun(dir, opt) {
			return nil, fmt.Errorf("journal: create %s: %w", dir, fs.ErrExist)
		}
	}
	if err := j.begin(header{epoch: 1, first: 1}); err != nil {
		return nil, err
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := opt.FS.SyncDir(parent); err != nil {
			_ = j.abandon("", err, indexName(j.ordinal), dataName(j.ordinal))
			return nil, writeError("create", parent, err)
		}
	}
	return j, nil
}

// unbegun says that the making of a journal, or its first append, did not come to its end.
func unbegun(dir string, opt Options) bool {
	info, err := Stat(dir, opt)
	if err != nil || info.Records != 1 {
		return errors.Is(err, fs.ErrNotExist)
	}
	events := false
	j, _, err := Open(dir, Options{FS: opt.FS, ReadOnly: true}, func([]byte) error {
		events = true
		return nil
	})
	if j != nil {
		err = errors.Join(err, j.Close())
	}
	return err == nil && !events
}

// Log is the reading side. It stays usable after Release and Close.
func (j *Journal) Log() *Log { return &j.log }

// refusal says why the journal takes nothing; nil: it does.
func (j *Journal) refusal(op string) error {
	switch {
	case j.closed:
		return &WriteError{Op: op, File: j.log.dir, Err: ErrClosed}
	case j.readOnly != nil:
		return j.readOnly
	}
	return j.failed
}

// fail makes err the answer to everything until Recover.
func (j *Journal) fail(op, name string, err error) error {
	j.failed = writeError(op, j.log.path(name), err)
	_ = j.closeFiles() // what closing says about a file that failed adds nothing
	return j.failed
}
