package placement

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asking is a question for a session that is to come here.
type asking struct {
	ctx    context.Context
	id     string
	revive bool
	done   chan error // one slot
}

// lostTo is why a session does not come that was on its way here, and is not this node's any more.
func lostTo(at core.Position) core.Refusal {
	switch {
	case at.Session == "":
		return core.Refusal{Why: core.WhyUnknown}
	case at.Owner.Node == "":
		return core.Refusal{At: at, Why: core.WhyBusy}
	}
	return core.Refusal{At: at, Why: core.WhyHeld}
}

// refusalOf is why Core does not give a session.
func refusalOf(r core.Refusal) error {
	node := r.At.Owner.Node
	switch r.Why {
	case core.WhyUnknown:
		return protocol.NewProblem(protocol.CodeSessionNotFound, "No session has this id.", protocol.TermListSessions+" lists the sessions.")
	case core.WhyHeld:
		return unavailable("The session is on node "+node+", which is there, or was not silent for long enough.", "Ask that node, or ask again later.")
	case core.WhyStay:
		return unavailable("The session stays with node "+node+", which is gone.",
			"Start that node again. Where it is gone for good, say so with `ringmaster node forget`; "+
				"then `ringmaster node take` has the session go on here.")
	case core.WhyUnable, core.WhyOwn, core.WhySpent, core.WhyBusy:
	}
	return unavailable("Core does not give the session to this node now: "+string(r.Why)+".", "Ask again in a moment.")
}

func unavailable(detail, hint string) error {
	return protocol.NewProblem(protocol.CodeUnavailable, detail, hint)
}
