package supervisor

import (
	"errors"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"go.uber.org/zap"
)

// receive makes an input of a message, and has the core decide about it.
func (s *state) receive(m Message) {
	if _, asks := m.(ask.Undeliverable); asks {
		s.ticket = s.owed.take(m)
	}
	switch m := m.(type) {
	case *Create:
		s.step(&core.Create{Ticket: s.ticket, Session: m.Session, Place: m.place, Bound: s.keys.bound(m.Session.Key)})
	case *Claim:
		s.step(&core.Claim{Ticket: s.ticket, Session: m.Session, ID: m.ID, Bound: s.keys.bound(m.Session.Key)})
	case *Find:
		s.step(&core.Find{Ticket: s.ticket, ID: m.ID})
	case *Delete:
		in := &core.Delete{Ticket: s.ticket, ID: m.ID}
		if m.Listed != nil {
			in.Listed = &core.Cursor{Epoch: m.Listed.Epoch, Seq: m.Listed.Seq}
		}
		s.step(in)
	case *SetOwnerBudget:
		s.step(&core.SetOwnerBudget{Ticket: s.ticket, Budget: m.Budget, Anew: m.Anew})
	case *AddRoot:
		s.step(&core.AddRoot{Ticket: s.ticket, Folder: m.Folder})
	case *Pin:
		s.step(&core.Pin{Ticket: s.ticket, ID: m.ID, Pinned: m.Pinned})
	case *Collect:
		s.step(&core.Collect{Ticket: s.ticket, Keep: m.Rule})
	case *ListAgents:
		s.step(&core.ListAgents{Ticket: s.ticket})
	case *drain:
		s.step(&core.Drain{Ticket: s.ticket})
	case *Look, *AtRest, *FindArchive, *Spending, *Owners, *CatchUp, *Shelves:
		if id := about(m); s.core.Copied(id) {
			s.step(&core.OnceProven{Ticket: s.ticket, ID: id})
			return
		}
		s.owed.end(s.ticket)
		s.answer(m)
	case *corrected:
		if m.refuse != nil && s.core.Copied(m.id) {
			s.homes.of(m.id).refuse = m.refuse
		}
		s.step(m.input())
	case *Arrive:
		if m.refuse != nil {
			s.homes.of(m.found.Summary.ID).refuse = m.refuse
		}
		s.step(&core.Arrived{Ticket: s.ticket, Found: m.found})
	case *Seal:
		s.step(&core.Seal{Ticket: s.ticket, ID: m.ID})
	case *Withdraw:
		s.step(&core.Withdraw{Ticket: s.ticket, ID: m.ID, Name: m.Name})
	case *toSession:
		s.step(&core.ToSession{ID: m.id, Letter: core.Letter{Input: session.InputOf(m.body), Ticket: s.ticket}})
	case *hastenStart:
		if h := s.homes[m.id]; h != nil && h.turn != nil {
			h.turn.Hasten()
		}
	case *launched:
		s.owed.end(s.ticket)
		s.agentLaunched(m)
	case *childEnded:
		s.childEnded(m)
	case *adoptChild:
		s.step(&core.AdoptChild{Parent: m.parent, Child: m.child, Unclaimed: s.homes.unclaimed(m.parent, m.child.NativeID)})
	case *unmade:
		if s.core.Has(m.id) {
			s.cfg.Log.Warn("create session", zap.String("session", m.id), zap.Error(m.err))
		}
		s.step(&core.Unmade{ID: m.id, Foreign: errors.Is(m.err, fs.ErrExist), Err: cannotWrite(m.err)})
	case happened:
		s.step(m.input())
	}
}

// happened is a message that is an input as it is.
type happened interface {
	Message
	input() core.Input
}

func (m *found) input() core.Input {
	return &core.AgentFound{Agent: m.agent, Installation: m.installation, At: m.at}
}
func (m *offered) input() core.Input    { return &core.Offered{ID: m.id, Offers: m.offers} }
func (m *announced) input() core.Input  { return &core.Announced{Summary: m.summary} }
func (m *startAgent) input() core.Input { return &core.Due{ID: m.id, Start: m.effect} }
func (m *delayAgent) input() core.Input { return &core.StartAgent{ID: m.id, Start: m.effect} }
func (m *cancelStart) input() core.Input {
	return &core.CancelStart{ID: m.id, Incarnation: m.incarnation}
}
func (m *toRoot) input() core.Input        { return &core.ToRoot{ID: m.id, Message: m.body} }
func (m *parked) input() core.Input        { return &core.Parked{ID: m.id, Life: m.life, Yes: m.yes} }
func (m *opened) input() core.Input        { return &core.Opened{ID: m.id, Damaged: m.damaged} }
func (m *reopen) input() core.Input        { return &core.Reopen{ID: m.id, Newest: m.newest} }
func (m *processGone) input() core.Input   { return &core.ProcessGone{ID: m.id} }
func (m *removeNow) input() core.Input     { return &core.Ended{ID: m.id, Err: m.err} }
func (m *removed) input() core.Input       { return &core.Removed{ID: m.id, Done: m.done} }
func (m *revive) input() core.Input        { return &core.Revive{ID: m.id} }
func (m *measured) input() core.Input      { return &core.Measured{Sizes: m.sizes, Free: m.free} }
func (m *dropped) input() core.Input       { return &core.Dropped{ID: m.id, Done: m.done} }
func (*retain) input() core.Input          { return &core.Retain{} }
func (*takeUp) input() core.Input          { return &core.TakeUp{} }
func (*sweep) input() core.Input           { return &core.Sweep{} }
func (*overdue) input() core.Input         { return &core.Overdue{} }
func (*lookedAtBudgets) input() core.Input { return &core.LookedAtBudgets{} }

// answer answers what needs no decision.
func (s *state) answer(m Message) {
	switch m := m.(type) {
	case *Look:
		if sum := s.core.Summary(m.ID); sum != nil {
			m.Send(*sum)
		} else {
			m.Fail(NotFound())
		}
	case *AtRest:
		m.Done(s.core.AtRest(m.ID))
	case *FindArchive:
		if s.core.Summary(m.ID) == nil {
			m.Fail(NotFound())
		} else if h := s.homes[m.ID]; h != nil {
			m.Send(h.archive)
		} else {
			m.Send(nil)
		}
	case *Spending:
		if use, costs, is := s.core.Spending(m.ID, s.cfg.Now().UnixMilli()); is {
			m.Send(TreeUse{use, costs})
		} else {
			m.Fail(NotFound())
		}
	case *Owners:
		owners(m, s.core, s.cfg.Now().UnixMilli())
	case *CatchUp:
		m.Send(session.Done{})
	case *Shelves:
		m.Send(s.core.Shelved())
	default:
	}
}

// childEnded takes the end of an actor: one that was told to stop, or one that failed.
func (s *state) childEnded(m *childEnded) {
	c, known := s.children[m.pid.Id]
	if !known {
		return
	}
	delete(s.children, m.pid.Id)
	h := s.homes[c.session]
	if c.incarnation != 0 {
		s.health.agents.Add(-1)
		if h != nil && h.link != nil && h.link.pid.Equal(m.pid) {
			h.link = nil
		}
		s.step(&core.AdapterEnded{ID: c.session, Incarnation: c.incarnation})
		return
	}
	s.health.live.Add(-1)
	in := &core.ActorEnded{ID: c.session, Life: c.life}
	if h != nil && h.life == c.life {
		in.Settled = h.head.Settled()
		h.pid, h.ref = nil, session.Ref{}
	}
	s.step(in)
}

// step has the core decide, and carries out the effects in order. A panic in the decision or in one effect does not stop the others: the core is told of
// a failed effect where it waits for a result (broken).
func (s *state) step(in core.Input) {
	s.decide(in)
	var after []core.Input
	for _, e := range s.core.Decided() {
		if !s.attempt(e) {
			after = append(after, s.homes.broken(e, len(s.roots.All()), s.cfg.Now()))
		}
	}
	sessions, damaged := s.core.Count()
	s.health.sessions.Store(int64(sessions))
	s.health.damaged.Store(int64(damaged))
	for _, in := range after {
		if in != nil {
			s.step(in)
		}
	}
}

func (s *state) decide(in core.Input) {
	defer s.outlive()
	s.core.Step(s.cfg.Now(), in)
}

func (s *state) attempt(e core.Effect) (done bool) {
	defer s.outlive()
	s.do(e)
	return true
}

// NotFound is the answer about a session that does not exist, and about one that the caller may not know of.
func NotFound() error { return core.NotFound() }
