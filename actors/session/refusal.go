package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// refusal says why the session takes nothing; nil: it does.
func (a *shell) refusal() error {
	problem := a.damage
	if problem == nil {
		problem = a.broken
	}
	if problem == nil {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeReadOnly, Detail: "The session's journal takes no events: " + cause(problem) + ".",
		Hint: journalHint(problem),
	}
}

// DamageOf is the part of an error about damaged files that a client may see; nil where the error is of another kind. The path of the session's
// folder is in the daemon's log alone.
func DamageOf(err error) *protocol.Damage {
	var damage *store.DamageError
	var version *store.VersionError
	var read *store.ReadError
	switch {
	case errors.As(err, &damage):
		return &protocol.Damage{
			File: filepath.Base(damage.File), Offset: damage.Offset, Seq: damage.Seq, Problem: damage.Problem, Hint: journalHint(err),
		}
	case errors.As(err, &version):
		return &protocol.Damage{File: filepath.Base(version.File), Problem: version.Problem(), Hint: version.Hint}
	case errors.As(err, &read) && errors.Is(err, syscall.EIO):
		return &protocol.Damage{File: filepath.Base(read.File), Problem: "it cannot be read: " + syscall.EIO.Error(), Hint: read.Hint}
	case errors.Is(err, fs.ErrNotExist):
		return &protocol.Damage{File: "000001.ndjson", Problem: "the journal is missing", Hint: journalHint(err)}
	}
	return nil
}

// cause is the part of a journal's error that a client may see: what happened, not in which file. The daemon's log has all of it.
func cause(err error) string {
	var errno syscall.Errno
	var damage *store.DamageError
	var version *store.VersionError
	switch {
	case errors.As(err, &damage):
		return fmt.Sprintf("it is damaged from event %d on", damage.Seq)
	case errors.As(err, &version):
		return filepath.Base(version.File) + " has " + version.Problem()
	case errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "it is missing"
	case errors.Is(err, store.ErrChanged):
		return store.ErrChanged.Error()
	}
	return "it cannot be opened"
}

func journalHint(err error) string {
	var w *store.WriteError
	var v *store.VersionError
	switch {
	case errors.As(err, &w) && w.Hint != "":
		return w.Hint
	case errors.As(err, &v):
		return v.Hint
	}
	return "See the daemon's log. What can be read of the session's log can still be read; restore its folder from a backup, or create a new session."
}

// errUnanswered answers a question that may have been taken before the actor failed: the caller must not repeat it before it has read the log.
func errUnanswered() error {
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: "The session stopped before it could answer; it may have taken what was asked.",
		Hint: "Look at the session first. A prompt with the same " + protocol.TermIdempotencyKey + " can be sent again.",
	}
}
