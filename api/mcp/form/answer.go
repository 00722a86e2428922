package form

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Answerable says whether a principal may answer a request of a kind, in a session that it may change. What an agent is allowed, people
// decide; calls of clients' tools are the clients' to answer.
func Answerable(p *access.Principal, kind protocol.RequestKind) bool {
	if p != nil && p.Scope == access.Agent {
		return kind == protocol.RequestQuestion
	}
	return p.Writes()
}

// MayAnswer refuses an answer that is not the principal's to give. An agent's is passed on only to a request that is open by now, so
// that it cannot be there before what is asked; ids are not used twice.
func MayAnswer(ctx context.Context, door *control.Door, sessionID, requestID string) error {
	p := access.Of(ctx)
	if p == nil || p.Scope != access.Agent {
		return nil
	}
	d, err := door.Describe(ctx, sessionID)
	if err != nil {
		return err
	}
	for i := range d.Requests {
		switch r := &d.Requests[i]; {
		case r.RequestID != requestID:
		case Answerable(p, r.Kind):
			return nil
		default:
			return &protocol.Problem{
				Code: protocol.CodeForbidden, Detail: "An agent does not answer this: it is for people.",
				Hint: "It shows in the log of the topmost session, where somebody can answer it. Wait, or go on with other work.",
			}
		}
	}
	return &protocol.Problem{
		Code: protocol.CodeRequestNotFound, Detail: "No such request is open.",
		Hint: "session_get lists what is open. Somebody else may have answered: session_events tells.",
	}
}
