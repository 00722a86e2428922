package audit

import "github.com/ringmaster-agents/ringmaster/protocol"

// group is what the states of one kind have in common, as spec §6.3 has it.
type group int

const (
	nothing group = iota
	quiet
	working
	interrupting
	ended
)

func groupOf(s protocol.State) group {
	switch {
	case s == "":
		return nothing
	case s.Ended():
		return ended
	case s == protocol.StateInterrupting:
		return interrupting
	case s == protocol.StateStarting, s == protocol.StateIdle, s == protocol.StateQueued:
		return quiet
	}
	return working
}

// mayFollow says whether one state may follow another. It is written from the specification, and knows nothing of the table that the session
// has.
func mayFollow(from, to protocol.State) bool {
	if from == to {
		return true // another member has changed
	}
	switch before, after := groupOf(from), groupOf(to); before {
	case nothing, ended: // an ended session that goes on begins as a new one
		return after == quiet
	case quiet:
		return after != interrupting || from == protocol.StateQueued
	default:
		return after != nothing
	}
}
