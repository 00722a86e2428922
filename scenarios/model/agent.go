package model

import (
	"cmp"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Resumes says that the agent that starts next goes on with its own session.
func (s *Session) Resumes() bool { return s.resumes && !s.anew }

// Started says that the agent runs. What follows is what it may say then, in any order.
func (s *Session) Started() { s.Agent, s.readyBy = Starting, s.now+readyGrace }

// IsReady says that it takes prompts.
func (s *Session) IsReady() {
	if s.Agent == Starting {
		s.Agent, s.readyBy, s.resumes, s.anew = Ready, 0, true, false
	}
	s.dispatch()
}

// TurnBegan says that it works: on what it was given, on what came too late to steer, or of its own accord.
func (s *Session) TurnBegan() {
	if s.running() == nil {
		prompt := ""
		if i := s.sent(); i >= 0 {
			prompt = s.take(i)
		}
		s.begin(prompt)
	}
	s.began = true
	s.dispatch()
}

// TurnEnded says that it is idle. The tool call with the key runs on, as those of earlier turns do.
func (s *Session) TurnEnded(status protocol.TurnStatus, key int) {
	if s.running() != nil {
		s.close(status, "agent", key)
		if status == protocol.TurnCompleted {
			s.failures = 0
		}
	}
	s.dispatch()
}

// PromptAnswered says that it needs no turn for a prompt, or refuses it.
func (s *Session) PromptAnswered(id string, status protocol.TurnStatus) {
	if t := s.running(); t != nil && t.Text == id && !s.began {
		s.close(status, "daemon", 0)
	} else if i := s.waiting(id); i >= 0 && s.Queue[i].Sent {
		s.take(i)
	}
	s.dispatch()
}

// Begins says that it begins an entry, or asks something, which the policy may answer.
func (s *Session) Begins(i Item) {
	t := s.running()
	if t != nil {
		i.Turn, s.phase = t.ID, cmp.Or(s.phase, protocol.StateResponding)
	}
	answer := atOnce[s.Policy.Mode]
	if i.Kind == Approval && s.Policy.Deadline > 0 && answer == "" {
		i.Due, i.Late = s.now+time.Duration(s.Policy.Deadline)*time.Millisecond, late[s.Policy.Default]
	}
	s.Items = append(s.Items, i)
	if asked := &s.Items[len(s.Items)-1]; i.Kind == Approval && answer != "" {
		s.resolve(asked, "policy", meaning[answer], answer)
	} else if tool := s.Entry(i.Tool); i.Kind == Approval && tool != nil {
		tool.Waits = true
	}
	s.dispatch()
}

// Withdraws says that it waits for this answer no more.
func (s *Session) Withdraws(key int) {
	if i := s.open(func(i *Item) bool { return i.Key == key && (i.Kind == Approval || i.Kind == Question) }); i != nil {
		by := "agent"
		if s.heedBy > 0 {
			by = "daemon" // the interrupt withdrew it
		}
		s.end(i, by, "cancelled")
	}
}

// Enters says what it does where nothing else tells it.
func (s *Session) Enters(phase protocol.State) {
	if phase == protocol.StateResponding && (s.phase == "" || s.running() == nil) {
		phase = ""
	}
	s.phase = phase
	s.dispatch()
}

// Exits says that it has ended by itself, cleanly or not; also one that could not be started.
func (s *Session) Exits(clean bool) {
	began, status := s.Agent == Ready, protocol.TurnError
	done := clean && began && s.running() == nil && len(s.Queue) == 0
	if s.heedBy > 0 {
		status = protocol.TurnInterrupted
	}
	s.lose(status)
	if done {
		s.finish(protocol.StateCompleted)
	} else {
		s.again(began)
	}
}
