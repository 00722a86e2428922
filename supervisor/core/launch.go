package core

import (
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// startLater starts an agent after the delay that the session asked for, with jitter.
func (s *lives) startLater(in *StartAgent) {
	x := s.members.byID[in.ID]
	if x == nil || !x.live || x.stopping {
		return // of an actor that is gone: the next one asks anew
	}
	s.cancelStarting(x)
	x.wanted, x.incarnation = in.Start.Incarnation, max(x.incarnation, in.Start.Incarnation)
	if in.Start.Incarnation > 1 {
		s.out.add(AgentRestarted{in.ID})
	}
	if in.Start.Delay == 0 {
		s.start(x, in.Start)
		return
	}
	x.starting = true
	s.out.add(StartLater{in.ID, in.Start, s.cfg.jitter(in.Start.Delay)})
}

// due goes on where the delay of a start has passed.
func (s *lives) due(in *Due) {
	if x := s.members.byID[in.ID]; x != nil && x.live && x.wanted == in.Start.Incarnation {
		x.starting = false
		s.start(x, in.Start)
	}
}

// cancelStart answers with an exit when the agent was not being started yet; else the session stops it once it is there.
func (s *lives) cancelStart(in *CancelStart) {
	switch x := s.members.byID[in.ID]; {
	case x == nil || x.wanted != in.Incarnation:
	case x.next == nil && !x.starting: // it is on its way, or waits for its turn, which it need not any more
		s.out.add(StopWaiting{in.ID})
	default:
		s.cancelStarting(x)
		s.exit(x, in.Incarnation, adapters.Exit{Code: -1, Requested: true, Error: "not started"})
	}
}

// cancelStarting forgets what was to be started. A process that is on its way is ended when it comes.
func (s *lives) cancelStarting(x *member) {
	if x.starting || x.process && x.linked == 0 {
		s.out.add(StopWaiting{x.summary.ID})
	}
	x.starting, x.wanted = false, 0
	if x.next != nil {
		x.next = nil
	}
}

func (s *lives) exit(x *member, incarnation uint32, exit adapters.Exit) {
	s.out.add(Exited{x.summary.ID, incarnation, exit})
}

// start launches an agent. Two processes never work on one session of an agent, so it waits for the end of the one before.
func (s *lives) start(x *member, start session.StartAgent) {
	sum := x.summary
	a := s.agents.known[sum.Agent]
	if s.draining || a == nil {
		x.wanted = 0
		s.exit(x, start.Incarnation, adapters.Exit{Code: -1, Requested: true, Drained: true, Error: "the daemon is shutting down"})
		return
	}
	if s.withheld(x, &start) {
		return
	}
	if x.process {
		x.stir().next = &start
		return
	}
	x.process = true
	s.processes++
	if start.Spec.Child {
		s.out.add(LaunchChild{
			ID: sum.ID, Parent: sum.ParentSessionID, Process: s.members.connected(x).summary.ID, Start: start, Installation: a.installation,
		})
		return
	}
	s.out.add(Launch{
		ID: sum.ID, Agent: sum.Agent, Owner: sum.Owner, Start: start, Installation: a.installation, Endpoint: x.endpoint, MCP: sum.MCP, Fresh: sum.Turns == 0,
	})
}

// launched takes an agent that runs, or that does not.
func (s *lives) launched(in *Launched) {
	x := s.members.byID[in.ID]
	wanted := x != nil && x.live && x.wanted == in.Incarnation
	if wanted {
		x.wanted = 0
	}
	switch {
	case in.Err != nil:
		if wanted {
			// The daemon's own end gives a start up: that is no failure of the agent's.
			x.held = in.Held
			s.exit(x, in.Incarnation, adapters.Exit{Code: -1, Error: in.Err.Error(), Requested: s.draining, Drained: s.draining, Held: in.Held})
			if len(s.roots) > in.Roots { // one came meanwhile
				s.goOn(x)
			}
		}
		s.processGone(in.ID)
	case !wanted:
		s.out.add(Discard{in.ID, in.Incarnation})
	default:
		s.adapters++
		x.linked = in.Incarnation
		s.out.add(Attach{ID: in.ID, Agent: x.summary.Agent, Incarnation: in.Incarnation, MCP: x.summary.MCP})
		s.note(x)
	}
}

// goOn has a session tried again of which a start was held back, where its folder may be worked in now as far as the roots say.
func (s *lives) goOn(x *member) {
	if x.held && workdir.Inside(s.roots, x.summary.Cwd) && !(s.unsure && s.mayMove(x)) {
		x.held = false
		s.deliver(x, Letter{Input: &session.GoOn{}})
	}
}

// processGone lets the next agent of the session start.
func (s *lives) processGone(id string) {
	s.processes--
	if x := s.members.byID[id]; x != nil {
		x.process = false
		s.out.add(Revoke{id})
		if next := x.next; next != nil {
			x.next = nil
			if x.live && x.wanted == next.Incarnation {
				s.start(x, *next)
			}
		}
	}
}

// dropAgent ends an agent whose session takes nothing from it any more.
func (s *lives) dropAgent(x *member) {
	if x.linked != 0 {
		s.out.add(StopAdapter{x.summary.ID})
		x.linked = 0
	}
}

// adapterEnded takes the end of an agent's actor. A sub-agent may have begun again before the connection that it had was put away.
func (s *lives) adapterEnded(in *AdapterEnded) {
	s.adapters--
	x := s.members.byID[in.ID]
	if x == nil || x.linked != in.Incarnation {
		return
	}
	x.linked = 0
	s.note(x)
	if sum := x.summary; sum.SubAgent {
		s.out.add(AdoptAgain{sum.ParentSessionID, session.AdoptChild{ChildID: sum.ID, NativeID: sum.NativeSessionID, Again: true}})
	}
}
