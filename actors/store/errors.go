package store

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Reasons inside a *WriteError that do not come from the disk.
var (
	ErrClosed   = errors.New("the journal is closed")
	ErrReadOnly = errors.New("the journal is read-only")
	ErrChanged  = errors.New("the file is not as this journal left it")
	// ErrForgotten: Recover went on in a new segment during a Sync, so that the Sync can no longer say which events are safe.
	ErrForgotten = errors.New("the journal recovered meanwhile")
)

// WriteError says that the disk refused a write, a sync or a repair. The journal refuses every further Append with the
// same error until Recover.
type WriteError struct {
	Op   string // append, sync, roll, close, repair, create, drop, remove, reopen, recover, mend, adopt, set aside
	File string
	Err  error
	Hint string // what the operator can do; may be empty
}

func (e *WriteError) Error() string {
	return withHint(fmt.Sprintf("journal: %s %s: %v", e.Op, e.File, reason(e.Err)), e.Hint)
}

// Unwrap gives the reason, an errno of the system as a rule.
func (e *WriteError) Unwrap() error { return e.Err }

// DamageError says that a journal holds bytes that are not what was written. Everything before Seq is good.
type DamageError struct {
	File    string
	Offset  int64  // bytes into File
	Seq     uint64 // the first event that cannot be served
	Problem string
	Hint    string
}

func (e *DamageError) Error() string {
	return withHint(fmt.Sprintf("journal: %s: damaged at byte %d, from event %d on: %s", e.File, e.Offset, e.Seq, e.Problem), e.Hint)
}

// VersionError says that a newer build wrote the journal, or another file of the session.
type VersionError struct {
	File    string
	Version uint32
	Known   uint32 // the newest that this build knows
	Hint    string
}

// Problem is the error without the file.
func (e *VersionError) Problem() string {
	return fmt.Sprintf("format version %d, this build knows %d", e.Version, e.Known)
}

func (e *VersionError) Error() string { return withHint("journal: "+e.File+": "+e.Problem(), e.Hint) }

// HintVersion is the hint of a *VersionError.
const HintVersion = "a newer daemon wrote this session: run that version, or one after it"

// ReadError says that the disk refused a read.
type ReadError struct {
	File string
	Err  error
	Hint string // may be empty
}

func (e *ReadError) Error() string {
	return withHint(fmt.Sprintf("journal: read %s: %v", e.File, reason(e.Err)), e.Hint)
}

// Unwrap gives the reason.
func (e *ReadError) Unwrap() error { return e.Err }

// GoneError says that retention has dropped the events that a reader asked for.
type GoneError struct{ Oldest uint64 }

func (e *GoneError) Error() string {
	return fmt.Sprintf("journal: the events asked for were dropped, the oldest kept one is %d", e.Oldest)
}

// Untold is the error of a log whose oldest event is seq, where what is kept of those before ends earlier, with the event told.
func Untold(seq, told uint64) error {
	return &DamageError{
		File: "snapshot", Seq: seq, Hint: HintSnapshot,
		Problem: fmt.Sprintf("the oldest event is %d, and what those before had told is known up to event %d", seq, told),
	}
}

// HintSnapshot is the hint of errors about a snapshot.
const HintSnapshot = "put the file back from a backup of the session's folder, and restart the daemon: nothing else knows what the dropped events had told"

// BeyondError says that the journal does not have the events that a reader asked for.
type BeyondError struct{ Newest uint64 }

func (e *BeyondError) Error() string {
	return fmt.Sprintf("journal: the events asked for lie beyond the newest one, %d", e.Newest)
}

// ChangedError says that a log which is elsewhere is another one than when the reading of it began: it has lost its events from Seq on, and has others of
// these numbers. What was given before is right. It is a problem of protocol.CodeUnavailable to clients of which the reader does not begin anew.
type ChangedError struct{ Seq, Epoch, Was uint64 }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("journal: event %d is of epoch %d now, and was of epoch %d: the session lost its newest events", e.Seq, e.Epoch, e.Was)
}

// Unwrap gives the problem.
func (e *ChangedError) Unwrap() error {
	return protocol.NewProblem(protocol.CodeUnavailable, "The session lost its newest events while its log was read.", "Read the log again.")
}

// BatchError says that a batch is not what Append takes. Nothing was written and the journal goes on.
type BatchError struct{ Problem string }

func (e *BatchError) Error() string { return "journal: append: " + e.Problem }

// reason leaves out the path that the error of a file operation repeats.
func reason(err error) error {
	if path, ok := err.(*fs.PathError); ok { //nolint:errorlint // the outermost error only: it is what repeats the path
		return path.Err
	}
	return err
}

func withHint(text, hint string) string {
	if hint == "" {
		return text
	}
	return text + " (" + hint + ")"
}
