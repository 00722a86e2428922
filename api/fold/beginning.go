package fold

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// run is a part of a log, and the event up to which the log may be read.
type run struct {
	since, upTo, at uint64
	page            bool
	on              *protocol.Frame // what was dropped of the log; nil: nothing, or the part does not begin there
}

// beginning is where the log begins that a state is of.
type beginning struct {
	oldest  uint64
	dropped *protocol.Frame // of the fold of what was before; nil: nothing was
}

// beginningOf is where a state at an event begins. A snapshot may tell of more than has been dropped, for a moment: what is between has gone for states.
func beginningOf(r *session.Reader, at uint64) (b beginning, err error) {
	b.oldest, _ = r.Log.Bounds()
	if r.Beginning == nil {
		return b, nil
	}
	if b.dropped, err = r.Beginning(); err != nil || b.dropped == nil {
		return b, err
	}
	if b.oldest = b.dropped.State.Seq + 1; at+1 < b.oldest {
		err = &store.GoneError{Oldest: b.oldest}
	}
	return b, err
}

// frame is one to go on with.
func (b *beginning) frame() *protocol.Frame {
	if b.dropped == nil {
		return &protocol.Frame{}
	}
	return b.dropped.Clone()
}

// afresh has a state made again where the beginning of its log went meanwhile, and what is left still has it.
func afresh(ctx context.Context, at uint64, read func() (*folded, error)) (*folded, error) {
	for {
		f, err := read()
		if gone := (*store.GoneError)(nil); !errors.As(err, &gone) || gone.Oldest > at+1 || ctx.Err() != nil {
			return f, err
		}
	}
}
