package journal

import (
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// DefaultSegmentBytes is when a new segment begins unless Options say otherwise.
const DefaultSegmentBytes = 64 << 20

// Options are the same for every journal of a daemon. The zero value is ready for use.
type Options struct {
	// FS is where the files are; nil: the operating system's.
	FS disk.FS
	// SegmentBytes is the size at which a new segment begins; 0: DefaultSegmentBytes. One batch is never split, so a
	// segment that holds a single batch may be larger.
	SegmentBytes int64
	// ReadOnly makes Open repair nothing and write nothing: a torn tail is reported and not served.
	ReadOnly bool
	// Share has Tail give what was not synced, which costs memory until it is called.
	Share bool
	// PowerLoss tells Open that the machine went down after the journal was last written, so that batches which were never
	// synced may be missing in the middle too: such a hole is then cut, with all that follows, and counted. Without it a
	// hole is damage. Bytes behind a hole stay on the disk.
	PowerLoss bool
	// Least is an event that is known to be on the disk: a log that ends before it is damaged. 0: none is known.
	Least uint64
	// From and Behind are those of store.Opening.
	From   store.Place
	Behind func()
}

func (o Options) withDefaults() Options {
	if o.FS == nil {
		o.FS = disk.OS()
	}
	if o.SegmentBytes <= 0 {
		o.SegmentBytes = failpoint.Size("journal/segment", DefaultSegmentBytes)
	}
	return o
}

// Journal is the writing side of one session's log. The package comment says who may call what.
type Journal struct {
	log   Log
	limit int64

	// syncing is held by Sync and Close, before mu: the system reports a failed sync to one caller only, so the next one
	// must not come before the verdict.
	syncing sync.Mutex

	mu       sync.Mutex  // held while files are written, but not while Sync waits for the disk; guards what follows
	data     disk.Writer // of the last segment; nil until the next write, after Open and Release
	index    disk.Writer
	slot     [recordSize]byte
	ordinal  uint64 // the highest ever used in the folder
	synced   int64  // bytes of the last segment that are known to be synced
	clean    bool   // nothing was appended since the last mark
	readOnly error  // why, as a *WriteError
	failed   error  // the *WriteError of the write or sync that failed
	closed   bool
	released bool // and nothing was written since

	recoveries int // how often Recover went on

	tail tail // what Tail gives

	place  store.Place // behind the newest batch; Seq 0: there is none, or it is not known
	doubts bool        // Recover has forgotten batches, and with them perhaps the newest Source
}

// Log is the reading side. It stays usable after Release and Close.
func (j *Journal) Log() store.Log { return &j.log }

// Place is where the journal stands behind the newest batch that was appended (store.Writer).
func (j *Journal) Place() store.Place {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.doubts || j.place.Seq == 0 {
		return store.Place{}
	}
	return j.place
}

// reached notes the batch that was appended.
func (j *Journal) reached(seg *segment, r *record) {
	last := j.place.Last
	if r.source != (Source{}) {
		last, j.doubts = r.source, false
	}
	j.place = store.Place{Epoch: seg.epoch, Seq: r.next() - 1, Segment: seg.ordinal, Records: seg.records, Bytes: r.end(), Sum: r.sum, Last: last}
}

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
