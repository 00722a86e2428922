package session

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turnBegan binds the agent's run to the turn that a dispatch opened, or opens a turn for a run that nobody here started.
func (s *State) turnBegan(d adapters.TurnBegan) {
	if s.turn != nil {
		s.turn.began = true
		return
	}
	prompt := d.Prompt
	if i := s.queue.steering(); i >= 0 { // it came too late to steer and became a prompt
		prompt = s.queue.waiting[i].prompt()
		s.emit(&protocol.PromptRemoved{PromptID: s.queue.waiting[i].ID, Reason: protocol.RemovedDispatched})
	}
	s.openTurn(prompt)
	s.turn.began = true
}

func (s *State) openTurn(prompt *protocol.Prompt) {
	s.link.state, s.link.interrupting, s.link.because = "", false, ""
	s.emit(&protocol.TurnStart{TurnID: protocol.TurnID(uint64(s.turns) + 1), Prompt: prompt})
	s.turn.opened = s.up
}

func (s *State) turnEnded(d adapters.TurnEnded) {
	if s.turn == nil {
		s.link.dropped++
		return
	}
	reason := "turn ended"
	if d.Status != protocol.TurnCompleted {
		reason = "turn " + string(d.Status)
	}
	s.entries.close(&s.writer, reason, s.link.outliving(s.turn.ID(), d.Running))
	s.cancelRequests(byAgent, false)
	if d.Status == protocol.TurnInterrupted && s.link.interrupting { // before the next turn begins others
		s.do(ToAdapter{s.link.adapter, &EndOrphans{Turn: time.Duration(s.up-s.turn.opened) * time.Millisecond}})
	}
	s.emit(&protocol.TurnEnd{TurnID: s.turn.id, Status: d.Status, Cause: s.endCause(&d), Error: d.Error, Hint: d.Hint})
	s.link.rests()
	if d.Status == protocol.TurnCompleted {
		s.link.failures = 0
	}
	s.do(Announce{})
}

// endCause says why the agent ended the turn as it did.
func (s *State) endCause(d *adapters.TurnEnded) protocol.TurnCause {
	switch {
	case d.Status == protocol.TurnCompleted:
		return ""
	case d.Status == protocol.TurnInterrupted && s.link.interrupting:
		return s.link.asker()
	case d.Status == protocol.TurnInterrupted && s.turn.denied:
		return protocol.CauseUser
	case d.Lost:
		return protocol.CauseLost
	default:
		return protocol.CauseAgent
	}
}

func (s *State) interrupt(in *Interrupt) {
	if s.turn == nil || s.link.phase == linkNone || in.TurnID != "" && in.TurnID != s.turn.id {
		s.answer(in, func() { in.Send(Interrupted{}) })
		return
	}
	id := s.turn.id
	s.stopTurn(causeOf(in.By))
	s.answer(in, func() { in.Send(Interrupted{TurnID: id}) })
}

// stopTurn tells the agent to stop the running turn, once.
func (s *State) stopTurn(because protocol.TurnCause) {
	if s.link.interrupting || s.link.phase == linkNone {
		return
	}
	s.link.interrupting, s.link.because = true, because
	s.queue.takeBackSteers(&s.writer)
	s.link.tell(&s.writer, adapters.Interrupt{})
	s.do(WatchInterrupt{TurnID: s.turn.id})
}

// interruptOverdue ends an agent that does not heed an interrupt; it is started again and goes on with its session.
func (s *State) interruptOverdue(in *InterruptOverdue) {
	if s.turn.ID() == in.TurnID && s.link.interrupting && s.link.phase != linkNone {
		s.stopAgent(stopStuck)
	}
}
