package core

import (
	"fmt"
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

// Table is the status machine: which state may follow which, and because of what (spec §6.3). Every change of state takes one row and
// writes one status event. The state itself is derived from the facts; a change without a row is a bug. It is taken all the same, since
// the facts are what they are, and told as Illegal.
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

// Illegal is an effect that says that the status has changed in a way that the table does not have.
type Illegal struct{ From, To protocol.State }

func (Illegal) effect() {}

func (i Illegal) String() string { return fmt.Sprintf("the status went from %q to %q", i.From, i.To) }

// turnTo writes the status that follows.
func (s *work) turnTo(st *protocol.Status) {
	if from := s.status.State; from != st.State && !Allowed(from, st.State) {
		s.do(Illegal{from, st.State})
	}
	s.emit(st)
}
