package session

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Doubts says that an error of reading a log says that the log is not as it was written, or, of one elsewhere, not as it was when the reading began.
func Doubts(err error) bool {
	var damage *store.DamageError
	var changed *store.ChangedError
	var read *store.ReadError
	return errors.As(err, &damage) || errors.As(err, &changed) || errors.As(err, &read) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EIO))
}

// Doubt has the session open its journal anew where err, of reading it, says that the journal is not as it was written. It waits until the session's
// ring is retired: a reader that joins then is told of the damage that the session has found, or reads the log of a session elsewhere as it is by then.
// false: err says no such thing, or ctx is done.
func (r *Reader) Doubt(ctx context.Context, err error) bool {
	if !Doubts(err) {
		return false
	}
	r.ref.Send(&Doubt{Err: err, Ring: r.Ring})
	return r.Ring.WaitRetired(ctx) == nil
}

// Undelivered implements ask.Undeliverable: the next actor opens the journal anew, as whoever waits for that has wanted.
func (m *Doubt) Undelivered(error) { m.Ring.Close(ring.Retired) }

// doubt has this actor replaced by one that opens the journal anew. This one writes nothing more, not even the mark of a clean end: the next one
// judges the files as they are.
func (a *shell) doubt(m *Doubt) {
	if m.Ring != a.ring { // the reader is of the session's earlier life, before a revival: it joins again
		m.Ring.Close(ring.Retired)
		return
	}
	if a.failing {
		return
	}
	a.cfg.Log.Error("the journal is not as it was written", zap.String("session", a.cfg.ID), zap.Error(m.Err))
	a.failing = true
	_, newest := a.journal.Log().Bounds()
	a.cfg.Host.Reopen(a.cfg.ID, newest)
}
