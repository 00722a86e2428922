package supervisor

import (
	"context"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"go.uber.org/zap"
)

// do carries out one effect. It waits for nothing: work on the disk, on processes and with other actors is a goroutine's, which reports back by a message.
func (s *state) do(e core.Effect) {
	switch e := e.(type) {
	case core.Answer:
		s.reply(e)
	case core.ActorEffect:
		s.doForActor(e)
	case core.AgentEffect:
		s.doForAgent(e)
	case core.DaemonEffect:
		s.doForAll(e)
	}
}

// reply answers a question, or has it asked again.
func (s *state) reply(e core.Answer) {
	switch e := e.(type) {
	case core.Made:
		s.owed.made(e)
	case core.Given:
		if m, ok := s.owed.end(e.Ticket).(*Find); ok {
			m.Send(s.homes[e.ID].ref)
		}
	case core.Done:
		s.owed.done(e.Ticket)
	case core.Agents:
		if m, ok := s.owed.end(e.Ticket).(*ListAgents); ok {
			m.Send(e.List)
		}
	case core.Failed:
		s.owed.fail(e.Ticket, e.Err)
	case core.AskAgain:
		s.self.Send(s.owed.end(e.Ticket))
	case core.AskOnceSafe:
		s.keys.onceSafe(s.owed.end(e.Ticket), s.self)
	case core.OnceNoted:
		onceNoted(s.owed.end(e.Ticket), e.ID, s.recorder)
	case core.OwnerSet:
		if m, ok := s.owed.end(e.Ticket).(*SetOwnerBudget); ok {
			s.books.set(m, s.core.Tenancies(s.cfg.Now().UnixMilli(), m.Budget.Owner)[0], e.Line)
		}
	case core.Bind:
		if m, ok := s.owed.end(e.Ticket).(*Claim); ok {
			s.keys.claim(m, e.Created)
		}
	}
}

// doForActor carries out what concerns the actors of sessions.
func (s *state) doForActor(e core.ActorEffect) {
	switch e := e.(type) {
	case core.Make:
		s.make(e)
	case core.Wake:
		s.wake(e)
	case core.Stop:
		s.ctx.Stop(s.homes[e.ID].pid)
	case core.Send:
		s.homes[e.ID].ref.Send(s.owed.letter(e.Letter))
	case core.Rest:
		s.homes[e.ID].ref.Send(&session.Rest{})
	case core.Lose:
		s.owed.lose(e.Letter)
	case core.Park:
		s.park(e)
	case core.ReviveLater:
		s.health.actorFailed(s.cfg.Log, e.ID, e.Times)
		self := s.self
		time.AfterFunc(e.Delay, func() { self.Send(&revive{e.ID}) })
	case core.Aside:
		s.health.actorFailed(s.cfg.Log, e.ID, e.Times)
	}
}

// doForAgent carries out what concerns the agents of sessions.
func (s *state) doForAgent(e core.AgentEffect) {
	switch e := e.(type) {
	case core.Launch:
		s.launch(e)
	case core.LaunchChild:
		s.launchChild(e)
	case core.Attach:
		s.attach(e)
	case core.Discard:
		discard(s.arrived.conn)
	case core.Exited:
		s.homes[e.ID].ref.Send(session.Say(&session.Batch{Incarnation: e.Incarnation, Number: 1, Exit: &e.Exit}))
	case core.StopAgent:
		s.homes[e.ID].link.ref.Send(&session.StopAgent{Grace: s.cfg.StopGrace})
	case core.StopAdapter:
		h := s.homes[e.ID]
		s.ctx.Stop(h.link.pid)
		h.link = nil
	case core.StartLater:
		self, start := s.self, &startAgent{e.ID, e.Start}
		s.homes.of(e.ID).starter = time.AfterFunc(e.Delay, func() { self.Send(start) })
	case core.StopWaiting:
		s.homes.of(e.ID).stopWaiting()
	case core.AgentRestarted:
		s.health.agentRestarts.Add(1)
	case core.Revoke:
		s.homes.of(e.ID).revokeToken()
	case core.Look:
		s.look(e.Agent)
	case core.AdoptAgain:
		s.next = append(s.next, &adoptChild{e.Parent, e.Child})
	case core.TooMany:
		s.cfg.Log.Warn("too many sub-agents", zap.String("session", e.ID), zap.Int("limit", e.Limit))
	}
}

// doForAll carries out what others see, and what ends.
func (s *state) doForAll(e core.DaemonEffect) {
	switch e := e.(type) {
	case core.Show:
		s.shown.put(e.ID, e.Entry, s.homes[e.ID], s.core.Summary(e.ID))
	case core.Prove:
		s.prover.Now(e.ID)
	case core.Hide:
		s.shown.remove(e.ID, e.Stays)
	case core.Depart:
		s.shown.depart(e.ID)
	case core.Note:
		rec := recordOf(&e.Kept)
		if e.Safely {
			s.recorder.PutSafely(e.ID, rec)
		} else {
			s.recorder.Put(e.ID, rec)
		}
		s.cfg.Outbox.Told(e.ID, &rec)
	case core.Roots:
		s.roots.Add(e.Added)
		s.cfg.Log.Info("root added", zap.Strings("roots", e.Added))
	case core.End:
		s.end(e.ID)
	case core.Remove:
		s.remove(e)
	case core.Measure:
		s.retainer.measure(e, s.self)
	case core.Discarding:
		s.retainer.Discarding(e)
	case core.Discarded:
		s.retainer.Discarded(e)
	case core.DropArchive:
		h := s.homes.of(e.ID)
		if h.archive == nil {
			h.archive = newArchive(e.ID, s.data, &s.cfg, &s.health.raw)
		}
		s.retainer.drop(e, h.archive, s.self)
	case core.ClockStepped:
		s.retainer.Stepped(e)
	case core.RetainLater:
		s.retainer.later(e, s.self)
	case core.Keep:
		s.books.keep(e.Line)
	case core.Unended:
		s.cfg.Log.Warn("session did not end before its removal", zap.String("session", e.ID), zap.Error(e.Err))
	case core.Gone:
		delete(s.homes, e.ID)
	case core.Recovering:
		s.cfg.Log.Info("recovering sessions", zap.Int("count", e.Count))
	case core.SweepLater:
		self := s.self
		s.sweeper = time.AfterFunc(e.After, func() { self.Send(&sweep{}) })
	case core.LookAtBudgets:
		self := s.self
		if s.looker != nil {
			s.looker.Stop()
		}
		s.looker = time.AfterFunc(e.After, func() { self.Send(&lookedAtBudgets{}) })
	case core.Closing:
		if s.looker != nil {
			s.looker.Stop()
		}
		s.health.draining.Store(true)
		s.sweeper.Stop()
		s.retainer.stop()
		s.prover.Stop()
		s.endLife() // ends the search for agents, and starts of agents that are under way
	case core.GiveUpLater:
		self := s.self
		s.deadline = time.AfterFunc(e.After, func() { self.Send(&overdue{}) })
	case core.Close:
		s.close(e.Tickets)
	}
}

// recordOf is a session's record on the disk, session.json.
func recordOf(k *core.Kept) record.Record {
	return record.Record{
		Version: record.Version, Summary: new(record.Summary(k.Summary)), Open: k.Open, Boot: k.Boot, Durability: string(k.Durability),
		Incarnation: k.Incarnation, Synced: k.Synced, Untold: k.Untold, Endpoint: (*record.Endpoint)(k.Endpoint),
		Came: k.Came, Past: k.Past, Rests: k.Rests,
	}
}

// park asks a session to let its agent go; the answer comes as parked.
func (s *state) park(e core.Park) {
	h, self, timeout := s.homes[e.ID], s.self, 2*s.cfg.StopGrace+5*time.Second
	life, ref := h.life, h.ref
	go func() { // ends with the session's answer or the timeout
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		p, err := session.Ask(ctx, ref, &session.Park{Drain: e.Drain})
		// A session that does not answer may be half parked, and is stopped like one that is parked.
		self.Send(&parked{e.ID, life, p.Parked || errors.Is(err, context.DeadlineExceeded)})
	}()
}

// end ends a session before its removal.
func (s *state) end(id string) {
	ref, self, timeout := s.homes[id].ref, s.self, s.cfg.StopGrace*4
	go func() { // ends with the session's answer, or the actor's end
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		_, err := session.Ask(ctx, ref, &session.End{})
		self.Send(&removeNow{id, err})
	}()
}
