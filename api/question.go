package api

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// reading gives what read makes of a session's log. Where that is not as it was written, the session looks at it anew, and so does read, once.
func reading[T any](ctx context.Context, a *API, id, name string, read func(*session.Reader) (T, error)) (v T, err error) {
	for again := false; ; again = true {
		reader, err := a.door.Join(ctx, id, name)
		if err != nil {
			return v, err
		}
		v, err := read(reader)
		reader.Leave() // files and ring stay readable; nobody is told what this reader has
		if err == nil || again || !reader.Doubt(ctx, err) {
			return v, err
		}
	}
}

func badCursor() error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, "This is no cursor.", "A cursor is SEQ or EPOCH.SEQ, as events, answers and streams give it.")
}

// locate checks a cursor against a log whose newest event to be shown is head. A cursor at the start is good in every epoch
// and means the oldest event that is kept. ok is false when the cursor is not of this log; reset then says what is.
func locate(r *session.Reader, c protocol.Cursor, head uint64) (since uint64, reset protocol.Reset, ok bool) {
	oldest, _ := r.Log.Bounds()
	reset = protocol.Reset{Epoch: r.Ring.Epoch(), Oldest: oldest, Newest: head}
	switch {
	case c.Start():
		return oldest - 1, reset, true
	case r.Damage != nil && c.Epoch == reset.Epoch && c.Seq > head: // what the client has beyond may be all that is left of it
		return head, reset, true
	case c.Epoch != reset.Epoch, c.Seq > head, c.Seq+1 < oldest:
		return oldest - 1, reset, false
	}
	return c.Seq, reset, true
}
