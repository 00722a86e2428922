package api

import (
	"context"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// questionTimeout bounds one question to an actor. Ending a session takes the longest: the agent gets its grace.
const questionTimeout = 30 * time.Second

// finds bounds how often a session is looked for again when its actor was put away between finding and asking.
const finds = 4

// question asks a session's actor. A question that reached nobody is asked again: it was not taken.
func question[T any](ctx context.Context, a *API, id string, build func(ask.Reply[T]) session.Message) (T, error) {
	var zero T
	if !protocol.ValidSessionID(id) { // nothing else may come near a file name
		return zero, sessionNotFound()
	}
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	find := a.sup.Find
	for n := 1; ; n++ {
		ref, err := find(ctx, id)
		if err != nil {
			return zero, err
		}
		v, err := ask.Ask(ctx, ref, build)
		if n == finds || !errors.Is(err, ask.ErrGone) {
			return v, err
		}
		find = a.sup.FindAgain
	}
}

func (a *API) describe(ctx context.Context, id string) (session.Description, error) {
	return question(ctx, a, id, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
}

// join asks for the reading side of a session; the reader must be left.
func (a *API) join(ctx context.Context, id, name string) (*session.Reader, error) {
	return question(ctx, a, id, func(r ask.Reply[*session.Reader]) session.Message {
		return &session.Join{Reply: r, Name: name}
	})
}

// reading gives what read makes of a session's log. Where that is not as it was written, the session looks at it anew, and so does read, once.
func reading[T any](ctx context.Context, a *API, id, name string, read func(*session.Reader) (T, error)) (v T, err error) {
	for again := false; ; again = true {
		reader, err := a.join(ctx, id, name)
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

func sessionNotFound() error {
	return protocol.NewProblem(protocol.CodeSessionNotFound, "No session has this id.", protocol.TermListSessions+" lists the sessions.")
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
