package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"
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
	s.checkDirectory()
	close(s.closed)
	s.deadline.Stop()
	s.syncer.Close()
	s.recorder.Close()
	s.keys.Close()
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

// checkDirectory compares the directory with the core for all sessions, once, when the daemon ends (package invariant).
func (s *state) checkDirectory() {
	there := 0
	for id, e := range s.core.Entries() {
		there++
		if got, ok := s.directory.Find(id); !ok || got != s.homes.entry(id, e) {
			invariant.Broken("the directory is wrong about session " + id)
		}
	}
	if n := s.directory.Len(); n != there {
		invariant.Broken(fmt.Sprintf("the directory has %d sessions, and there are %d", n, there))
	}
}

// newSystem makes the engine, with its log on ours. The engine's own dead-letter log prints whole messages, which carry
// prompts: it is switched off.
func newSystem(log *zap.Logger) *actor.ActorSystem {
	handler := zapslog.NewHandler(log.Named("engine").WithOptions(zap.IncreaseLevel(zap.WarnLevel)).Core())
	return actor.NewActorSystem(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(handler) }),
		actor.WithDeadLetterThrottleCount(0),
	)
}
