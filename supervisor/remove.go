package supervisor

import (
	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/finding"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/proofs"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"github.com/ringmaster-agents/ringmaster/supervisor/trim"
	"go.uber.org/zap"
)

// remover removes sessions from the disk. It waits for the disk, so each removal has a goroutine.
type remover struct {
	store    store.Store
	log      *zap.Logger
	recorder *record.Recorder
	trimmer  *trim.Trimmer
	resting  *record.Resting
	prover   *proofs.Prover
	keys     *keys
	books    *books
	outbox   *outbox.Outbox  // nil: there is no Core
	told     func(id string) // that retention has removed a session; it may wait for the disk
}

// remove removes a session that has no actor any more: its folder, and the files that its agent keeps of it in the daemon's data folder.
func (s *state) remove(e core.Remove) {
	h := s.homes.of(e.ID)
	self, archive, agent := s.self, h.archive, s.agents[e.Agent]
	h.archive = nil
	r := remover{s.cfg.Store, s.cfg.Log, s.recorder, s.trimmer, s.resting, s.prover, s.keys, s.books, s.cfg.Outbox, s.retainer.Gone}
	go func() { self.Send(&removed{e.ID, r.remove(e, archive, agent)}) }() // ends with the removal, for which the drain waits
}

// remove says whether nothing of the session is left. The agent may be one that this daemon does not have.
func (r *remover) remove(e core.Remove, archive *raw.Archive, agent adapters.Agent) (done bool) {
	r.trimmer.Forget(e.ID)
	r.prover.Forget(e.ID)
	r.recorder.Forget(e.ID)
	if archive != nil {
		archive.Close()
	}
	if e.Leaves != nil && !e.Foreign {
		if err := r.books.Wait(budget.Line{Leaving: e.Leaves}); err != nil { // only logged: deleting must work on a full disk
			r.log.Warn("what a session had used that goes is not kept yet", zap.String("session", e.ID), zap.Error(err))
		}
		failpoint.Hit("supervisor/afterLeaving")
	}
	if e.Aside != "" {
		return r.setAside(e.ID, e.Aside)
	}
	switch {
	case e.Foreign:
	case e.Why == "":
		r.outbox.Removing(e.ID)
	default:
		r.outbox.Retiring(e.ID)
	}
	done = e.Foreign || r.forget(e, agent) && finding.RemoveLog(r.store, r.log, e.ID)
	r.resting.Removed()
	if done { // the keys go last: as long as a part of the session is there, they stand for it
		r.keys.drop(e.ID)
		if e.Why != "" {
			r.told(e.ID)
			r.outbox.Retired(e.ID)
		}
	}
	return done
}

// forget has an agent forget what it keeps of a session.
func (r *remover) forget(e core.Remove, agent adapters.Agent) (done bool) {
	forgetter, keeps := agent.(adapters.Forgetter)
	if !keeps || e.NativeID == "" {
		return true
	}
	err := forgetter.Forget(e.NativeID)
	if err != nil {
		r.log.Error("remove session", zap.String("session", e.ID), zap.Error(err))
	}
	return err == nil
}
