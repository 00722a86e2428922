// Package ask is how Ringmaster's actors are addressed: typed references, and questions with a one-slot reply channel
// instead of the engine's futures (which race, allocate and wake one waiter only).
package ask

import (
	"context"
	"errors"

	"github.com/asynkron/protoactor-go/actor"
)

// ErrGone says that the addressed actor is not there, or stopped before it came to the question.
var ErrGone = errors.New("actor is gone")

// Undeliverable is a message that carries a reply: dead letters fail it at once, so that nobody runs into a deadline.
type Undeliverable interface{ Undelivered(err error) }

// Loss says what is lost with a message that reaches nobody.
type Loss uint8

// The losses. Each type of message says which is its own.
const (
	Something Loss = iota // what nobody does again: a fault of the daemon's, which counts it
	Nothing               // it was for an actor that is there, or it is said again where it matters
	Asked                 // an answer: the sender that waits for it is told (Undeliverable)
)

// Letter is what actors send each other.
type Letter interface{ Lost() Loss }

// Reply is the answer's side of a question: embed it in the message. The first answer counts, later ones are dropped;
// answering never blocks. The zero Reply drops every answer.
type Reply[T any] struct{ c chan result[T] }

type result[T any] struct {
	val T
	err error
}

// NewReply makes a reply to wait for.
func NewReply[T any]() Reply[T] { return Reply[T]{make(chan result[T], 1)} }

// Send answers.
func (r Reply[T]) Send(v T) { r.put(result[T]{val: v}) }

// Fail answers with an error.
func (r Reply[T]) Fail(err error) { r.put(result[T]{err: err}) }

// Done answers with an error, or with the value where there is none.
func (r Reply[T]) Done(v T, err error) { r.put(result[T]{v, err}) }

// Undelivered implements Undeliverable.
func (r Reply[T]) Undelivered(err error) { r.Fail(err) }

// Lost implements Letter.
func (Reply[T]) Lost() Loss { return Asked }

func (r Reply[T]) put(x result[T]) {
	if r.c == nil {
		return
	}
	select {
	case r.c <- x:
	default:
	}
}

// Wait returns the answer, or the context's error. One goroutine waits.
func (r Reply[T]) Wait(ctx context.Context) (T, error) {
	select {
	case x := <-r.c:
		return x.val, x.err
	case <-ctx.Done():
	}
	select {
	case x := <-r.c: // an answer that is there counts, however late it is
		return x.val, x.err
	default:
		var zero T
		return zero, context.Cause(ctx)
	}
}

// Ref addresses an actor that takes messages of type M. References come from the code that spawned the actor; they are never
// built from names. The zero Ref addresses nobody: what is sent to it is undelivered.
type Ref[M any] struct {
	pid  *actor.PID
	root *actor.RootContext
}

// NewRef wraps a process id.
func NewRef[M any](root *actor.RootContext, pid *actor.PID) Ref[M] { return Ref[M]{pid, root} }

// Valid says that the reference addresses an actor, dead or alive.
func (r Ref[M]) Valid() bool { return r.pid != nil }

// PID is the engine's address, for watching.
func (r Ref[M]) PID() *actor.PID { return r.pid }

// Loose is the same address for those that keep it for long and seldom send: the engine notes in an address where its actor is, and so an actor that has
// ended stayed in memory, with all that it had, for as long as somebody had the address.
func (r Ref[M]) Loose() Ref[M] {
	if r.pid == nil {
		return r
	}
	return Ref[M]{&actor.PID{Address: r.pid.Address, Id: r.pid.Id, RequestId: r.pid.RequestId}, r.root}
}

// Send puts a message into the actor's mailbox. It never blocks.
func (r Ref[M]) Send(m M) {
	if r.pid == nil {
		Undelivered(m)
		return
	}
	r.root.Send(r.pid, m)
}

// Ask sends the message that build makes and waits for its answer.
func Ask[M, T any](ctx context.Context, ref Ref[M], build func(Reply[T]) M) (T, error) {
	r := NewReply[T]()
	ref.Send(build(r))
	return r.Wait(ctx)
}

// Undelivered tells the sender of a message that nobody will answer.
func Undelivered(m any) {
	if u, ok := m.(Undeliverable); ok {
		u.Undelivered(ErrGone)
	}
}

// AnswerDeadLetters makes questions to stopped actors fail at once, and tells count of every message that reached nobody
// and with which something is lost.
func AnswerDeadLetters(sys *actor.ActorSystem, count func(m any)) {
	sys.EventStream.Subscribe(func(ev any) {
		d, ok := ev.(*actor.DeadLetterEvent)
		if !ok {
			return
		}
		if u, ok := d.Message.(Undeliverable); ok {
			u.Undelivered(ErrGone)
			return
		}
		switch m := d.Message.(type) {
		case Letter:
			if m.Lost() == Nothing {
				return
			}
		case *actor.Stop: // the engine's own, to an actor that has stopped
			return
		}
		if count != nil {
			count(d.Message)
		}
	})
}
