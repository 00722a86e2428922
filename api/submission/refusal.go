package submission

import (
	"errors"
	"net/http"
	"strconv"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/api/submission/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// errClosed says that the daemon ends.
var errClosed = errors.New("submission: closed")

// Problem is what whoever sends a submission is told that is neither carried out nor answered with an earlier answer; nil: it gets one.
func Problem(v *core.Verdict) *protocol.Problem {
	switch v.Kind {
	case core.Own, core.Repeated:
		return nil
	case core.Conflict:
		return &protocol.Problem{
			Code: protocol.CodeConflict, Detail: "The " + protocol.TermIdempotencyKey + " was used for something else.",
			Hint: "Give each call a key of its own, and repeat a call as it was.",
		}
	case core.Uncertain:
		return &protocol.Problem{
			Code:   protocol.CodeUncertain,
			Detail: "The daemon accepted a call with this " + protocol.TermIdempotencyKey + ", and ended, or failed, before it knew what came of it.",
			Hint:   "Look at " + v.LookAt + " whether it was done. To do it again, give it a new key.", LookAt: v.LookAt,
		}
	case core.Forgotten:
		return forgotten(v)
	case core.Full:
		return &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: "Too many calls with a key are at work.", Hint: "Try again in a moment.",
		}
	case core.Unkept:
	}
	return NotKept(v.Err)
}

func forgotten(v *core.Verdict) *protocol.Problem {
	p := &protocol.Problem{
		Code: protocol.CodeAnswerGone, Detail: "A call with this " + protocol.TermIdempotencyKey + " was carried out, and its answer is not kept.",
		Hint: "Look at " + v.LookAt + " for what came of it.", LookAt: v.LookAt,
	}
	if v.Status != 0 { // of HTTP, where an answer may have had a secret
		p.Detail = "A call with this " + protocol.TermIdempotencyKey + " was answered with " + strconv.Itoa(v.Status) + "."
		p.Hint += " A secret is shown once: revoke what it was for, and make another."
	}
	return p
}

// AtWork is what a repeat is told that could not wait for the first call any longer.
func AtWork() *protocol.Problem {
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: "The call with this " + protocol.TermIdempotencyKey + " is still at work.",
		Hint: "Repeat it with the same key.",
	}
}

// Undone says of the code of a failed call that it has done nothing, so that its key may be used again. Of the failures of the daemon only some say so.
func Undone(code protocol.Code) bool {
	switch code {
	case protocol.CodeOverloaded, protocol.CodeReadOnly, protocol.CodeAgentUnavailable:
		return true
	case protocol.CodeUncertain: // the node of the session knows
		return false
	default:
		return code.Status() < http.StatusInternalServerError
	}
}

// NotKept is what a client is told whose submission could not be written. Nothing was done.
func NotKept(err error) *protocol.Problem {
	if errors.Is(err, errClosed) {
		return &protocol.Problem{Code: protocol.CodeUnavailable, Detail: "The daemon ends.", Hint: "Repeat the call with the same key."}
	}
	p := &protocol.Problem{
		Code: protocol.CodeReadOnly, Detail: "A call with an " + protocol.TermIdempotencyKey + " cannot be written.",
		Hint: "Free space on the disk of the daemon's data folder, or make the folder writable, and ask again.",
	}
	if errno, is := errors.AsType[syscall.Errno](err); is {
		p.Detail = "A call with an " + protocol.TermIdempotencyKey + " cannot be written: " + errno.Error() + "."
	}
	return p
}
