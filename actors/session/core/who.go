package core

import "github.com/ringmaster-agents/ringmaster/protocol"

// The names of what resolves a request where no client did.
const (
	byAgent  = "agent"
	byDaemon = "daemon"
	byPolicy = "policy"
	byBudget = "budget"
)

// ByParent says that the session that this one works for wants something: its agent, or its end.
const ByParent = "parent"

// causeOf is the cause of an end of a turn that was asked for.
func causeOf(by string) protocol.TurnCause {
	switch by {
	case ByParent:
		return protocol.CauseParent
	case byDaemon:
		return protocol.CauseDaemon
	case byBudget:
		return protocol.CauseBudget
	default:
		return protocol.CauseUser
	}
}
