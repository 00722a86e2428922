// Package control is the door to sessions: it has the requests to a session as verbs with typed input and typed results. The faces, HTTP and MCP,
// decode, call one verb and encode; they build no message and hold no actor's reference.
//
// A verb is called by the principal of its context (access.Of). A session out of the principal's reach is answered like one that does not exist.
// Whether the principal may change anything, the face asks before (access.Principal.Writes): it knows which of its routes and tools make changes.
// Errors that a client may see are *protocol.Problem.
package control

import (
	"context"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Timeout bounds a verb. Ending a session takes the longest: the agent gets its grace.
const Timeout = 30 * time.Second

// ErrGone says that the session's actor is gone and no other was found: the daemon is ending.
var ErrGone = ask.ErrGone

// finds bounds how often a session is looked for again when its actor was stopped between finding and asking.
const finds = 4

// Sessions finds the actors of sessions, as the principal of the context may; *access.Gate does.
type Sessions interface {
	// AtRest gives what there is to tell of a session that has no actor, and starts none; nil: Find gives an actor that tells it.
	AtRest(ctx context.Context, id string) (*session.Description, error)
	Find(ctx context.Context, id string) (session.Ref, error)
	FindAgain(ctx context.Context, id string) (session.Ref, error)
}

// Pins keeps sessions, as the principal of the context may; *access.Retention does.
type Pins interface {
	Pin(ctx context.Context, id string, pinned bool) error
	Pinned(id string) bool // never blocks
}

// Away carries out changes on the node that has a session, as the principal of the context; here says that it did not, since this node has the session or no
// other can be asked. A face whose calls are no requests of HTTP has it: those are passed on before they come to a door.
type Away interface {
	Cancel(ctx context.Context, id, prompt string) (here bool, err error)
	Move(ctx context.Context, id, prompt string, to Place) (position int, here bool, err error)
	Resolve(ctx context.Context, id string, a Answer) (done session.Resolution, here bool, err error)
	Interrupt(ctx context.Context, id, turn, by string) (stopped string, here bool, err error)
	Choose(ctx context.Context, id string, what session.Setting, value string, when session.When) (applied session.Applied, here bool, err error)
	Change(ctx context.Context, id string, c Change) (here bool, err error)
	End(ctx context.Context, id, reason string) (here bool, err error)
}

// Door is safe for concurrent use.
type Door struct {
	sessions Sessions
	away     Away // nil: every session is here, or a request comes to its node by itself
	pins     Pins // nil: no session is pinned
}

// New makes the door to sessions.
func New(s Sessions, p Pins) *Door { return &Door{s, nil, p} }

// Through makes the door to sessions of other nodes as well.
func Through(s Sessions, p Pins, away Away) *Door { return &Door{s, away, p} }

// question asks a session's actor. A question that reached no actor is asked again: it was not taken, so it cannot be done twice.
func question[T any](ctx context.Context, d *Door, id string, build func(ask.Reply[T]) session.Message) (T, error) {
	return questionUnless(ctx, d, id, func(context.Context, string) (*T, error) { return nil, nil }, build)
}

// questionUnless is question, where the answer is not known without one.
func questionUnless[T any](
	ctx context.Context, d *Door, id string, known func(context.Context, string) (*T, error), build func(ask.Reply[T]) session.Message,
) (T, error) {
	var zero T
	if !protocol.ValidSessionID(id) { // the id becomes a part of file names
		return zero, supervisor.NotFound()
	}
	find := d.sessions.Find
	for n := 1; ; n++ {
		if v, err := known(ctx, id); err != nil {
			return zero, err
		} else if v != nil {
			return *v, nil
		}
		ref, err := find(ctx, id)
		if err != nil {
			return zero, err
		}
		v, err := ask.Ask(ctx, ref, build)
		if n == finds || !errors.Is(err, ask.ErrGone) {
			return v, err
		}
		find = d.sessions.FindAgain
	}
}

// soon has a session answer a question of its core within Timeout.
func soon[T session.Value](ctx context.Context, d *Door, id string, q session.Question[T]) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	return question(ctx, d, id, func(r ask.Reply[T]) session.Message { return &session.Asked[T]{Reply: r, Question: q} })
}

// look has a session's actor answer by itself within Timeout.
func look[T any](ctx context.Context, d *Door, id string, build func(ask.Reply[T]) session.Message) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	return question(ctx, d, id, build)
}
