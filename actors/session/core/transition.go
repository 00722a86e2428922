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

// Table is the status machine: which state may follow which, and because of what (spec §6.3). The facts say which state is the one to be in, and
// the machine goes there: every change of state takes one row and writes one status event. A change that no row has is a fault of ours, told as
// Illegal; the machine then takes the shortest way that the rows have, so that no log shows a change which the table does not have.
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

// between are the states by which the rows lead from one state to another that no row leads to at once: the fewest, the first of the table where
// there are several. Of the table as it is, there is always such a way.
func between(from, to protocol.State) []protocol.State {
	came := map[protocol.State]protocol.State{from: from}
	for at := []protocol.State{from}; len(at) > 0; at = at[1:] {
		for _, r := range Table {
			if !slices.Contains(r.From, at[0]) {
				continue
			}
			for _, next := range r.To {
				if _, been := came[next]; !been {
					came[next] = at[0]
					at = append(at, next)
				}
			}
		}
	}
	var way []protocol.State
	for s := came[to]; s != from && s != ""; s = came[s] {
		way = append(way, s)
	}
	slices.Reverse(way)
	return way
}

// Illegal is an effect that says that the facts asked for a change of the status that the table does not have.
type Illegal struct{ From, To protocol.State }

func (Illegal) effect() {}

func (i Illegal) String() string {
	return fmt.Sprintf("the status was to go from %q to %q", i.From, i.To)
}

// turnTo takes the row to a status.
func (s *work) turnTo(st *protocol.Status) {
	if from := s.status.State; from != st.State && !Allowed(from, st.State) {
		s.do(Illegal{from, st.State})
		for _, by := range between(from, st.State) {
			s.emit(&protocol.Status{State: by, AgentStatus: by.AgentStatus(), QueuedPrompts: st.QueuedPrompts})
		}
	}
	s.emit(st)
}
