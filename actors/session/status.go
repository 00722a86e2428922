package session

import "github.com/ringmaster-agents/ringmaster/protocol"

// derive computes the status from the facts: a stronger fact comes first.
func (s *State) derive() protocol.Status {
	st := protocol.Status{State: s.deriveState(), QueuedPrompts: len(s.queue.waiting), Stalled: s.link.silence.stalled && s.speaks()}
	switch st.State {
	case protocol.StateRunningTool:
		st.ToolName, _ = s.entries.running(s.turn.ID())
	case protocol.StateAwaitingApproval, protocol.StateAwaitingInput:
		if r := s.requests.first(); r != nil {
			st.ToolName = r.ToolName
		}
	case protocol.StateRetrying:
		st.RetryAt = s.link.retryAt
	default:
	}
	st.AgentStatus = st.State.AgentStatus()
	return st
}

func (s *State) deriveState() protocol.State {
	if s.end != nil {
		return s.status.State // written before session_end, see finish
	}
	if s.link.interrupting && s.turn != nil {
		return protocol.StateInterrupting
	}
	if r := s.requests.first(); r != nil {
		if r.Kind == protocol.RequestApproval {
			return protocol.StateAwaitingApproval
		}
		return protocol.StateAwaitingInput
	}
	if s.link.state == protocol.StateRetrying || s.link.state == protocol.StateCompacting {
		return s.link.state
	}
	if _, n := s.entries.running(s.turn.ID()); n > 0 {
		return protocol.StateRunningTool
	}
	switch {
	case s.turn != nil && s.link.state == protocol.StateResponding:
		return protocol.StateResponding
	case s.turn != nil:
		return protocol.StateQueued
	case s.link.starting() && len(s.queue.waiting) > 0:
		return protocol.StateQueued
	case s.link.starting():
		return protocol.StateStarting
	}
	return protocol.StateIdle
}

// settle writes a status event when what the facts say has changed.
func (s *State) settle() {
	if s.seq == 0 || s.end != nil {
		return
	}
	st := s.derive()
	if st == s.status {
		return
	}
	s.turnTo(&st)
}

// working says that the agent works on the turn: the status event comes before the work event that told it.
func (s *State) working() {
	if s.link.state == "" && s.turn != nil {
		s.link.state = protocol.StateResponding
		s.settle()
	}
}

// speaks says that it is the agent's turn to say something. One that waits for an answer is not silent.
func (s *State) speaks() bool {
	return s.limits.StallAfter > 0 && s.turn != nil && s.link.phase == linkReady && !s.link.interrupting && len(s.requests.open) == 0
}
