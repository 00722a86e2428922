package submission

import (
	"errors"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// errClosed says that the daemon ends.
var errClosed = errors.New("submission: closed")

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
