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

// Doubt has the session look at its journal anew where err, of reading it, says that it is not as it was written, and waits until it does: a
// reader that joins then is told what the session has found. false: err says no such thing, or the context is done.
func (r *Reader) Doubt(ctx context.Context, err error) bool {
	var damage *store.DamageError
	var read *store.ReadError
	switch {
	case errors.As(err, &damage):
	case errors.As(err, &read) && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EIO)):
	default:
		return false
	}
	r.ref.Send(&Doubt{Err: err, Ring: r.Ring})
	return r.Ring.WaitRetired(ctx) == nil
}

// doubt makes place for an actor that looks at the journal anew. The files are left as they are: it judges them.
func (a *shell) doubt(m *Doubt) {
	if m.Ring != a.ring { // of before a revival: that reader joins again
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
