package supervisor

import (
	"context"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
)

// sweepEvery is how often the supervisor looks for idle sessions, or the passive age, if that is shorter.
const sweepEvery = time.Minute

// sweep puts idle sessions to rest, and parks those that nobody has asked for since long.
func (s *state) sweep() {
	if s.draining {
		return
	}
	now, families := s.cfg.Now(), s.busyFamilies()
	for _, x := range s.members {
		if x.pid == nil || x.stopping || x.parking || families[x] || (x.summary.Status.State.Busy() && !x.damaged) {
			continue
		}
		if seq := x.current().Seq; seq != x.swept { // not by the time of its newest event: clocks are set
			x.swept, x.quiet = seq, now
		}
		quiet := now.Sub(x.quiet)
		if quiet < min(sweepEvery, s.cfg.PassiveAge) {
			continue
		}
		x.ref.Send(&session.Rest{})
		if quiet < s.cfg.PassiveAge {
			continue
		}
		s.park(x, false)
	}
	s.sweeper.Reset(min(sweepEvery, s.cfg.PassiveAge))
}

// park asks the session to let its agent go; the answer comes as parked. Whoever asks for the session meanwhile waits.
func (s *state) park(x *member, drain bool) {
	if !drain {
		x.parking = true
		s.show(x)
	}
	id, pid, ref, self := x.summary.ID, x.pid, x.ref, s.self
	timeout := 2*s.cfg.StopGrace + 5*time.Second
	go func() { // ends with the session's answer or the timeout
		ctx, cancel := contextWithTimeout(timeout)
		defer cancel()
		p, err := session.Ask(ctx, ref, &session.Park{Drain: drain})
		// A session that does not answer must not go on half parked.
		self.Send(&parked{id, pid, p.Parked || errors.Is(err, context.DeadlineExceeded)})
	}()
}

func (s *state) parked(m *parked) {
	x := s.members[m.id]
	if x == nil || x.pid == nil || !x.pid.Equal(m.pid) || x.stopping {
		return
	}
	x.parking = false
	s.show(x)
	if !m.yes && !s.draining {
		s.answerFound(x)
		return
	}
	s.stopMember(x)
}
