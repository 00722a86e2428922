package mirror

import (
	"bytes"
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tail is the end of a log that Core does not have yet: the node that has the session gives it.
type tail struct {
	owner Owner
	node  string
	epoch uint64
}

// read gives the first of the events since < seq <= upTo, as one row, but for its epoch.
func (t *tail) read(ctx context.Context, since, upTo uint64) (s store.Stretch, err error) {
	s.Lines, err = t.owner.Lines(ctx, t.node, protocol.Cursor{Epoch: t.epoch, Seq: since}, upTo)
	n := bytes.Count(s.Lines, []byte{'\n'})
	if err == nil && (n == 0 || !store.Begins(s.Lines, since+1)) {
		err = errNotYet
	}
	s.First, s.Sources = since+1, []store.Made{{Count: n}}
	return s, err
}

var errNotYet = protocol.NewProblem(protocol.CodeUnavailable, "The session is not on this node, and Core does not have these events of it yet.",
	"Try again in a moment, or ask the node that has it.")
