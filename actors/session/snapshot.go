package session

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// trims is the part of the shell that has the oldest events of a log dropped where it has more bytes than it may (Config.LogBytes). What they have told is
// made a snapshot by the host first, which reads the log again; then the session drops them.
type trims struct {
	asked bool  // Trimmed is on its way
	from  int64 // bytes of the log from which on it is tried again, after it has failed
}

// look asks for a snapshot where the log is too large. Only what is shown is dropped: a failed disk takes back nothing of it. Events that wait for their sync
// hold up nothing: of an agent that never pauses some always do.
func (t *trims) look(a *shell) {
	most := a.cfg.LogBytes
	if most <= 0 || t.asked || a.broken != nil || a.damage != nil || a.failing {
		return
	}
	if a.journal.Log().Bytes() <= max(most, t.from) {
		return
	}
	if at := a.journal.DropPoint(most); at > 0 && at-1 <= a.ring.Head() {
		t.asked = true
		a.cfg.Host.Trim(a.cfg.ID, Trim{Log: a.journal.Log(), UpTo: at - 1, Limits: &a.cfg.Limits, To: a.self})
	}
}

// trimmed drops what the snapshot tells of. Where it could not be made the log grows on, and it is tried again when it has grown by a quarter more.
func (t *trims) trimmed(a *shell, m *Trimmed) {
	t.asked = false
	if a.broken != nil || a.damage != nil || a.failing {
		return // the next look asks again
	}
	before := a.journal.Log().Bytes()
	err := m.Err
	if err == nil {
		err = a.journal.DropBefore(m.Seq + 1)
	}
	t.from = 0
	if err != nil {
		t.from = before + a.cfg.LogBytes/4
	}
	oldest, _ := a.journal.Log().Bounds()
	a.cfg.Host.Trimmed(a.cfg.ID, oldest, before-a.journal.Log().Bytes(), err)
}

// Trim is the beginning of a log that is to be dropped.
type Trim struct {
	Log    store.Log
	UpTo   uint64 // the last event that is to go
	Limits *Limits
	To     Ref
}

// errUnsaved says that a state cannot be kept.
var errUnsaved = errors.New("session: what the log tells cannot be kept")

// Snapshot is what a log tells up to an event. before is the snapshot of what was dropped of it already; nil: nothing was. Where that tells of more, it is
// given back. The event that the snapshot ends with is returned too. It reads the log, and may be called by any goroutine.
func Snapshot(ctx context.Context, id string, before []byte, t *Trim) (state []byte, seq uint64, err error) {
	s, err := restored(id, t.Limits, before)
	if oldest, _ := t.Log.Bounds(); err == nil && oldest == 1 && before != nil { // what it tells of was never dropped: it may be that of an older log
		s, err = restored(id, t.Limits, nil)
	}
	if err != nil {
		return nil, 0, err
	}
	if s.Seq() >= t.UpTo {
		return before, s.Seq(), nil
	}
	lines, err := store.LinesOf(t.Log, s.Seq(), t.UpTo)
	if err != nil {
		return nil, 0, err
	}
	defer lines.Close()
	for lines.Next() {
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		e, err := protocol.Decode(lines.Line())
		if err != nil {
			return nil, 0, t.Log.Damaged(lines.Seq(), err.Error())
		}
		s.Replay(&e)
	}
	if err := lines.Err(); err != nil {
		return nil, 0, err
	}
	if state = s.Save(); state == nil {
		return nil, 0, errUnsaved
	}
	return state, s.Seq(), nil
}

func restored(id string, limits *Limits, snapshot []byte) (*core.State, error) {
	s := core.New(id, limits)
	if snapshot == nil {
		return s, nil
	}
	return s, s.Restore(snapshot)
}

// beginning is Reader.Beginning of a session's log. Its errors are no doubt in the log itself: a session that a checkpoint has told of what is missing goes on.
func beginning(cfg *Config, log store.Log) func() (*protocol.Frame, error) {
	return func() (*protocol.Frame, error) {
		oldest, _ := log.Bounds()
		if oldest <= 1 {
			return nil, nil
		}
		f, err := dropped(cfg, oldest)
		if damage := (*store.DamageError)(nil); errors.As(err, &damage) {
			return nil, protocol.NewProblem(protocol.CodeDamaged, "What the dropped events had told cannot be read: "+damage.Problem+".", damage.Hint)
		} else if Doubts(err) {
			return nil, protocol.NewProblem(protocol.CodeUnavailable, "What the dropped events had told cannot be read: "+cause(err)+".", store.HintSnapshot)
		}
		return f, err
	}
}

// dropped is the frame of what was before the oldest event that is kept, or a little later.
func dropped(cfg *Config, oldest uint64) (*protocol.Frame, error) {
	snapshot, err := cfg.Snapshot()
	if err != nil {
		return nil, err
	}
	s, err := restored(cfg.ID, &cfg.Limits, snapshot)
	if err != nil {
		return nil, err
	}
	if s.Seq()+1 < oldest {
		return nil, store.Untold(oldest, s.Seq())
	}
	return core.FrameOf(s), nil
}
