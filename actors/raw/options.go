package raw

import (
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// The defaults of Options.
const (
	DefaultLimit = 256 << 20
	DefaultRoll  = 8 << 20
)

// Options of an archive. The zero value is ready for use.
type Options struct {
	FS       disk.FS          // where the files are; nil: the operating system's
	Limit    int64            // bytes of all segments of the session, as they are on the disk; 0: DefaultLimit
	Roll     int64            // size in bytes at which a pack is finished; 0: DefaultRoll, and an eighth of Limit at most
	Linger   time.Duration    // how long few lines wait for more before they are written; 0: they do not
	Now      func() time.Time // nil: time.Now
	Counters *Counters        // nil: nothing is counted
	// Failed gets the reason of a gap when it begins. It is called from the archive's goroutine and must not block; nil: it is not called.
	Failed func(error)
	// Settled is called when lines will not change any more: those before a pack that has begun, or all, behind the end of a connection. It is called from the
	// archive's goroutine and from who ends a connection, and must not block; nil: it is not called.
	Settled func()
}

// Counters may be shared by any number of archives.
type Counters struct {
	Lines atomic.Uint64 // records that were kept
	Bytes atomic.Uint64 // of them, before they are compressed
	Gaps  atomic.Uint64 // times at which lines began to be lost
	Lost  atomic.Uint64 // records that were lost
}

func (o Options) withDefaults() Options {
	if o.FS == nil {
		o.FS = disk.OS()
	}
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	if o.Roll <= 0 {
		o.Roll = failpoint.Size("raw/roll", min(DefaultRoll, max(o.Limit/8, 64<<10)))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Counters == nil {
		o.Counters = new(Counters)
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	if o.Settled == nil {
		o.Settled = func() {}
	}
	return o
}
