package mirror

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Owner is the way to the nodes that have the session. It is safe for concurrent use.
type Owner interface {
	// Node is the one that has it, as far as is known; "": none has, or it cannot be asked.
	Node() string
	// Follow gives what a node shows behind a cursor of the log, until take returns an error, which it returns. ErrOver says that the session has ended and
	// that the cursor is that of its end; nil, that the node tells no more of it: it has closed, or the session has moved.
	Follow(ctx context.Context, node string, since protocol.Cursor, take func(*News) error) error
	// Lines reads the beginning of the events behind a cursor up to another one, at least one of them, each with its newline. All are of the cursor's epoch.
	Lines(ctx context.Context, node string, since protocol.Cursor, upTo uint64) ([]byte, error)
}

// ErrOver says that a session has ended, and that nothing is missing of its log.
var ErrOver = errors.New("the session has ended, and its log was read to the end")

// News is what comes from a session's node; without lines and overflow it says that the node tells. What it holds is the giver's again when take returns.
type News struct {
	Epoch uint64 // of the log
	First uint64 // seq of the first line
	Count int    // of the lines
	Lines []byte // each with its newline
	// Overflow is what follows the lines and is not in the log; nil: nothing is.
	Overflow *protocol.Overflow
}
