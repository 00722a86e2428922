package core

import "github.com/ringmaster-agents/ringmaster/protocol"

// facts are all that a status follows from: the same facts make the same status, whatever has happened before.
type facts struct {
	turn         bool // one runs
	interrupting bool // it was told to stop
	starting     bool // the agent is on its way
	stalled      bool
	agent        protocol.State // what the agent says it does: responding, retrying, compacting; empty: nothing
	retryAt      int64
	asked        *request // what was asked first; nil: nothing is open
	tool         string   // the one that was started last
	tools        int      // how many run
	queued       int      // prompts
}

// facts are those of now.
func (s *work) facts() facts {
	f := facts{
		turn: s.turn != nil, interrupting: s.link.interrupting, starting: s.link.starting(), stalled: s.link.silence.stalled && s.speaks(),
		agent: s.link.state, retryAt: s.link.retryAt, asked: s.requests.first(), queued: len(s.queue.waiting),
	}
	f.tool, f.tools = s.entries.running(s.turn.ID())
	return f
}

// status is what follows from the facts.
func (f *facts) status() protocol.Status {
	st := protocol.Status{State: f.state(), QueuedPrompts: f.queued, Stalled: f.stalled}
	switch st.State {
	case protocol.StateRunningTool:
		st.ToolName = f.tool
	case protocol.StateAwaitingApproval, protocol.StateAwaitingInput:
		st.ToolName = f.asked.ToolName
	case protocol.StateRetrying:
		st.RetryAt = f.retryAt
	default:
	}
	st.AgentStatus = st.State.AgentStatus()
	return st
}

// state is what the strongest fact says; the stronger one comes first.
func (f *facts) state() protocol.State {
	switch {
	case f.turn && f.interrupting:
		return protocol.StateInterrupting
	case f.asked != nil && f.asked.Kind == protocol.RequestApproval:
		return protocol.StateAwaitingApproval
	case f.asked != nil:
		return protocol.StateAwaitingInput
	case f.agent == protocol.StateRetrying, f.agent == protocol.StateCompacting:
		return f.agent
	case f.tools > 0:
		return protocol.StateRunningTool
	case f.turn && f.agent == protocol.StateResponding:
		return protocol.StateResponding
	case f.turn, f.starting && f.queued > 0:
		return protocol.StateQueued
	case f.starting:
		return protocol.StateStarting
	}
	return protocol.StateIdle
}

// settle writes a status event when what the facts say has changed. A session that has ended has had its last one.
func (s *work) settle() {
	if s.seq == 0 || s.end != nil {
		return
	}
	f := s.facts()
	if st := f.status(); st != s.status {
		s.turnTo(&st)
	}
}

// working says that the agent works on the turn: the status event comes before the work event that told it.
func (s *work) working() {
	if s.link.state == "" && s.turn != nil {
		s.link.state = protocol.StateResponding
		s.settle()
	}
}

// speaks says that it is the agent's turn to say something. One that waits for an answer is not silent.
func (s *work) speaks() bool {
	return s.limits.StallAfter > 0 && s.turn != nil && s.link.phase == linkReady && !s.link.interrupting && len(s.requests.open) == 0
}
