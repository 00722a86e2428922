package session

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The groups of states that rows of the table name.
var (
	working = []protocol.State{
		protocol.StateResponding, protocol.StateRetrying, protocol.StateCompacting, protocol.StateRunningTool,
		protocol.StateAwaitingApproval, protocol.StateAwaitingInput,
	}
	ended = []protocol.State{protocol.StateCompleted, protocol.StateTerminated, protocol.StateFailed}
	quiet = []protocol.State{protocol.StateStarting, protocol.StateIdle, protocol.StateQueued}
)

// Row is one line of the status machine.
type Row struct {
	From, To []protocol.State
	Because  string
}

// Table is the status machine: which state may follow which, and because of what. Every change of state takes one row and
// writes one status event. The state itself is derived from the facts; a change without a row would be a bug, is counted,
// and is taken all the same, since the facts are what they are.
var Table = []Row{
	{[]protocol.State{""}, quiet, "the session is created, or a recording begins"},
	{quiet, quiet, "agent started, ready or lost; prompt accepted, dispatched or refused"},
	{quiet, working, "first work of a turn; a request or a compaction outside of a turn; an agent taken up at work"},
	{working, working, "tool, request, retry or compaction begins or ends"},
	{working, quiet, "turn ended, agent lost"},
	{append([]protocol.State{protocol.StateQueued}, working...), []protocol.State{protocol.StateInterrupting}, "interrupt asked for"},
	{[]protocol.State{protocol.StateInterrupting}, append(slices.Clone(quiet), working...), "turn ended, agent lost or gone on outside of a turn"},
	{append(append([]protocol.State{protocol.StateInterrupting}, quiet...), working...), ended, "session ended, agent failed for good"},
	{ended, quiet, "a sub-agent is taken up again"},
}

// Allowed says that the table has a row.
func Allowed(from, to protocol.State) bool {
	for _, r := range Table {
		if slices.Contains(r.From, from) && slices.Contains(r.To, to) {
			return true
		}
	}
	return false
}

// derive computes the status from the facts: a stronger fact comes first.
func (s *State) derive() protocol.Status {
	st := protocol.Status{State: s.deriveState(), QueuedPrompts: len(s.queue), Stalled: s.link.stalled && s.canStall()}
	switch st.State {
	case protocol.StateRunningTool:
		st.ToolName, _ = s.runningTool()
	case protocol.StateAwaitingApproval, protocol.StateAwaitingInput:
		if _, r := s.firstRequest(); r != nil {
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
	if id, r := s.firstRequest(); id != "" {
		if r.Kind == protocol.RequestApproval {
			return protocol.StateAwaitingApproval
		}
		return protocol.StateAwaitingInput
	}
	if s.link.state == protocol.StateRetrying || s.link.state == protocol.StateCompacting {
		return s.link.state
	}
	if _, n := s.runningTool(); n > 0 {
		return protocol.StateRunningTool
	}
	switch {
	case s.turn != nil && s.link.state == protocol.StateResponding:
		return protocol.StateResponding
	case s.turn != nil:
		return protocol.StateQueued
	case s.starting() && len(s.queue) > 0:
		return protocol.StateQueued
	case s.starting():
		return protocol.StateStarting
	}
	return protocol.StateIdle
}

// starting says that an agent is on its way; one that is ended because it does not get ready is until it is gone.
func (s *State) starting() bool {
	return s.link.phase == linkStarting || s.link.phase == linkStopping && s.link.stop == stopUnready
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
	if st.State != s.status.State && !Allowed(s.status.State, st.State) {
		s.link.dropped++
	}
	s.emit(&st)
}

// working says that the agent works on the turn: the status event comes before the work event that told it.
func (s *State) working() {
	if s.link.state == "" && s.turn != nil {
		s.link.state = protocol.StateResponding
		s.settle()
	}
}

// runningTool is the name of the tool call that started last among those that the agent waits for, and how many there are. What
// runs on in the background, from an earlier turn, is none of them.
func (s *State) runningTool() (name string, n int) {
	var newest uint64
	for _, o := range s.entries {
		d, ok := o.start.Data.(*protocol.ToolCallData)
		if !ok || o.tool != protocol.ToolRunning || o.start.TurnID != "" && o.start.TurnID != s.turnID() {
			continue
		}
		n++
		if o.seq > newest {
			newest, name = o.seq, d.ToolName
		}
	}
	return name, n
}

// firstRequest is the open request that was asked first. The call of a caller tool is none that the agent waits with: its tool runs.
func (s *State) firstRequest() (id string, first *request) {
	for rid, r := range s.opened {
		if r.Kind != protocol.RequestCallerTool && (first == nil || r.order < first.order) {
			id, first = rid, r
		}
	}
	return id, first
}
