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
	s.endLife() // of agents that are being looked for or started
	for _, x := range s.members {
		switch {
		case x.stopping:
		case x.pid != nil:
			s.park(x, true)
			s.show(x) // one that was being put away takes questions until it is
		default:
			s.dropAgent(x)
			s.answerFound(x)
		}
	}
	s.drained()
}

// overdue stops what did not end by itself, and at last waits for nothing any more.
func (s *state) overdue() {
	s.givenUp, s.late = s.late, true
	for _, x := range s.members {
		s.dropAgent(x)
		if x.pid != nil && !x.stopping {
			s.stopMember(x)
		}
	}
	if !s.givenUp {
		self := s.self
		s.deadline = time.AfterFunc(killTime, func() { self.Send(&overdue{}) })
	}
	s.drained()
}

// killTime is what the system gets to end processes that were killed.
const killTime = 1500 * time.Millisecond

// drained ends the supervisor once no child and no process is left.
func (s *state) drained() {
	if !s.draining || len(s.children) > 0 || ((s.processes > 0 || s.removing > 0 || s.looking()) && !s.givenUp) {
		return
	}
	select {
	case <-s.closed:
		return
	default:
	}
	s.checkDirectory()
	close(s.closed)
	s.deadline.Stop()
	s.syncer.Close()
	s.recorder.Close()
	s.keys.Close()
	for _, x := range s.members {
		x.closeArchive()
	}
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
