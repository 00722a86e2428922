package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"go.uber.org/zap"
	"go.uber.org/zap/exp/zapslog"
)

// Close drains: no new work is taken, running turns are interrupted, agents end, journals are synced and closed, the lock
// is released. It returns when everything is down or ctx is done, with what was left then.
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

// drain begins with the leaves: each session interrupts its turn and lets its agent go, then its actor stops.
func (s *state) drain(m *drain) {
	s.drains = append(s.drains, m)
	if s.draining {
		return
	}
	s.draining = true
	s.health.draining.Store(true)
	s.sweeper.Stop()
	self := s.self
	s.deadline = time.AfterFunc(s.cfg.StopGrace+3*time.Second, func() { self.Send(&overdue{}) })
	for _, x := range s.members {
		if x.pid == nil || x.stopping {
			continue
		}
		if x.starting != nil && x.starting.Stop() {
			s.failStart(x, x.wanted, notStarted)
			x.starting = nil
		}
		s.park(x, true)
	}
	s.drained()
}

// overdue stops what did not end by itself.
func (s *state) overdue() {
	for _, x := range s.members {
		if x.link != nil {
			s.ctx.Stop(x.link.pid)
		}
		if x.pid != nil && !x.stopping {
			s.stopMember(x)
		}
	}
	s.drained()
}

// drained ends the supervisor once no child is left.
func (s *state) drained() {
	if !s.draining || len(s.pids) > 0 {
		return
	}
	select {
	case <-s.closed:
		return
	default:
	}
	close(s.closed)
	s.deadline.Stop()
	s.syncer.close()
	s.recorder.close()
	if err := s.lock.Close(); err != nil {
		s.cfg.Log.Warn("release lock", zap.Error(err))
	}
	for _, m := range s.drains {
		m.Send(session.Done{})
	}
	s.ctx.Stop(s.ctx.Self())
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
