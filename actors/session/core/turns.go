package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turnBegan binds the agent's run to the turn that a dispatch opened, or opens a turn for a run that nobody here started.
func (s *work) turnBegan(d adapters.TurnBegan) {
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

func (s *work) openTurn(prompt *protocol.Prompt) {
	s.link.state, s.link.interrupting, s.link.because = "", false, ""
	s.emit(&protocol.TurnStart{TurnID: protocol.TurnID(uint64(s.turns) + 1), Prompt: prompt})
	s.turn.opened = s.up
}

func (s *work) turnEnded(d adapters.TurnEnded) {
	if s.turn == nil {
		s.link.dropped++
		return
	}
	reason := "turn ended"
	if d.Status != protocol.TurnCompleted {
		reason = "turn " + string(d.Status)
	}
	s.entries.close(&s.writer, reason, outliving(&s.link, s.turn.ID(), d.Running))
	s.closeRequests(s.requests.cancelled(byAgent, (*request).own)...)
	if d.Status == protocol.TurnInterrupted && s.link.interrupting { // before the next turn begins others
		s.do(EndOrphans{To: s.link.adapter, Turn: time.Duration(s.up-s.turn.opened) * time.Millisecond})
	}
	s.emit(&protocol.TurnEnd{TurnID: s.turn.id, Status: d.Status, Cause: s.turn.cause(&s.link, &d), Error: d.Error, Hint: d.Hint})
	s.link.rests()
	if d.Status == protocol.TurnCompleted {
		s.link.failures = 0
	}
	s.do(Announce{})
}

func (s *work) interrupt(in *Interrupt) {
	if s.turn == nil || s.link.phase == linkNone || in.TurnID != "" && in.TurnID != s.turn.id {
		answer(&s.writer, in.Ticket, Interrupted{})
		return
	}
	id := s.turn.id
	s.link.interrupt(&s.writer, &s.queue, id, causeOf(in.By))
	answer(&s.writer, in.Ticket, Interrupted{TurnID: id})
}

// interruptOverdue ends an agent that does not heed an interrupt; it is started again and goes on with its session.
func (s *life) interruptOverdue(in *InterruptOverdue) {
	if s.turn.ID() == in.TurnID && s.link.interrupting && s.link.phase != linkNone {
		s.stopAgent(stopStuck)
	}
}
