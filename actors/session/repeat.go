package session

import (
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// repeats answers a prompt with a key while nothing can be written: whether it was taken before is asked of what is known, and no less so then. It is false
// for whatever is refused as any question is.
func repeats(a *shell, q asked) bool {
	p, is := q.(*Asked[core.Receipt])
	if !is {
		return false
	}
	in, is := p.Question.(*core.SendPrompt)
	if !is || in.IdempotencyKey == "" {
		return false
	}
	r, known, err := a.core.Known(in)
	switch {
	case !known && a.damage != nil:
		p.Fail(errNotReadable(cause(a.damage)))
	case !known:
		return false // the log is whole, and has no such prompt
	case err != nil:
		p.Fail(err)
	case a.ring == nil || r.Cursor.Seq >= a.ring.Head():
		p.Fail(errNotWritten())
	default:
		p.Send(r)
	}
	return true
}

// errNotReadable says that a prompt may be in the part of the log that cannot be read.
func errNotReadable(why string) error {
	return &protocol.Problem{
		Code: protocol.CodeUncertain,
		Detail: "The session's log cannot be read to its end: " + why + ". It takes no more, and whether it has a prompt with this " +
			protocol.TermIdempotencyKey + " is not known.",
		Hint: "What the log still has is read with " + protocol.TermReadLog +
			". Look there, and at what the agent has changed, before you send the prompt to another session.",
	}
}

// errNotWritten is of a prompt that was taken and is not written yet, since the disk takes nothing.
func errNotWritten() error {
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: "The prompt with this " + protocol.TermIdempotencyKey + " is not written yet.",
		Hint: "Send it again with the same key.",
	}
}
