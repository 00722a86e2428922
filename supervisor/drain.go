package supervisor

import (
	"context"
	"errors"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"go.uber.org/zap"
)

// Close drains: no new work is taken, running turns are interrupted, agents end, journals are synced and closed, the lock
// is released. It returns when everything has ended, or when ctx is done, with an error that names what had not.
func (s *Supervisor) Close(ctx context.Context) error {
	_, err := ask.Ask(ctx, s.ref, func(r ask.Reply[session.Done]) Message { return &drain{r} })
	if errors.Is(err, ask.ErrGone) {
		err = nil
	}
	if err != nil {
		h := s.Health()
		err = fmt.Errorf("drain: %d sessions and %d agents left: %w", h.Live, h.Agents, err)
	}
	return err
}

// close ends the supervisor: nothing runs any more, or the drain has given up waiting.
func (s *state) close(drains []core.Ticket) {
	s.checkShown()
	close(s.closed)
	s.deadline.Stop()
	s.trimmer.Close()
	s.rested.Wait()
	s.prover.Wait()
	s.syncer.Close()
	s.recorder.Close()
	s.resting.Close(s.health.live.Load() == 0)
	s.keys.Close()
	s.books.Close()
	s.endWorkers()
	for _, h := range s.homes {
		h.closeArchive()
	}
	if err := s.lock.Close(); err != nil {
		s.cfg.Log.Warn("release lock", zap.Error(err))
	}
	for _, t := range drains {
		s.owed.done(t)
	}
	s.ctx.Stop(s.ctx.Self())
}

// checkShown compares the directory and the roster with the core for all sessions, once, when the daemon ends (package invariant).
func (s *state) checkShown() {
	there := 0
	for id, e := range s.core.Entries() {
		there++
		if got, ok := s.shown.directory.Find(id); !ok || got != entryOf(e, s.homes[id]) {
			invariant.Broken("the directory is wrong about session " + id)
		}
		got, sum := s.shown.roster.Find(id), s.core.Summary(id)
		if got == nil || got.Live != e.Takes || got.Cursor() != sum.Cursor() || got.About().Status != sum.Status {
			invariant.Broken("the roster is wrong about session " + id)
		}
	}
	if n, listed := s.shown.directory.Len(), s.shown.roster.Here(); n != there || listed != there {
		invariant.Broken(fmt.Sprintf("the directory has %d sessions, the roster %d, and there are %d", n, listed, there))
	}
}
