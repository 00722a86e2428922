package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// Effects of retention.
type (
	// Measure measures what sessions have on the disk, and how much of it is free; Measured follows.
	Measure struct{ IDs []string }

	// Discarding says that retention has a session go: Remove follows, and Discarded says whether it has gone.
	Discarding struct {
		ID    string
		Why   keep.Why
		Bytes int64     // that it has on the disk; 0: not known
		Since time.Time // its newest event, or that of its tree
	}

	// Discarded follows Discarding.
	Discarded struct {
		ID   string
		Why  keep.Why
		Done bool
	}

	// DropArchive removes the native lines of a session; Dropped follows.
	DropArchive struct {
		ID    string
		Why   keep.Why
		Bytes int64
	}

	// ClockStepped says that the clock has gone so far at once that no session goes by its age until then.
	ClockStepped struct {
		By    time.Duration
		Until time.Time
	}

	// RetainLater gives Retain. There is one: the newest counts.
	RetainLater struct{ After time.Duration }
)
