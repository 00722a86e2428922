package session

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
)

// Message is what the session actor takes. Messages are pointers to the structs of this file, immutable after Send. Inputs of the core come in a
// Said or an Asked; the other types are the shell's own.
//
//sumtype:decl
type Message interface {
	ask.Letter
	message()
}

// Ref addresses a session actor.
type Ref = ask.Ref[Message]

// Said is an input whose sender waits for no answer.
type Said struct{ core.Input }

// Say makes a message of an input whose sender waits for no answer.
func Say(in core.Input) *Said { return &Said{in} }

// InputOf is what a message has for the core; nil: it is no Said.
func InputOf(m Message) core.Input {
	if said, ok := m.(*Said); ok {
		return said.Input
	}
	return nil
}

// Asked is a question to the core, with the sender's side of its answer.
type Asked[T core.Value] struct {
	ask.Reply[T]
	Question core.Question[T]
}

// Ask asks the core of a session. The errors are those of the answer, the context's, and ask.ErrGone where the actor was gone before it
// took the question.
func Ask[T core.Value](ctx context.Context, ref Ref, q core.Question[T]) (T, error) {
	return ask.Ask(ctx, ref, func(r ask.Reply[T]) Message { return &Asked[T]{r, q} })
}

// asked is an Asked of whatever answer.
type asked interface {
	Message
	ask.Undeliverable
	Fail(err error)
	input(ticket uint64) core.Input
	give(v core.Value)
}

// input is the question with its ticket.
func (q *Asked[T]) input(ticket uint64) core.Input {
	q.Question.Stub(core.Ticket[T](ticket))
	return q.Question
}

// give answers. The core's answers have the type of their tickets.
func (q *Asked[T]) give(v core.Value) { q.Send(v.(T)) }

// Questions that the shell answers itself.
type (
	// Describe asks for a summary, the queue and the open requests.
	Describe struct{ ask.Reply[Description] }

	// Choices asks for the models and modes that the agent offers.
	Choices struct{ ask.Reply[Offers] }

	// Join asks for the reading side of the session. Name says for whom the reader reads, for Description; the reader must be left again. One that
	// yields does not keep the session in memory while it has everything. With Frame it has the frame of the
	// log's fold, and reads what is there: it follows nothing, and keeps nothing in memory.
	Join struct {
		ask.Reply[*Reader]
		Name   string
		Yields bool
		Frame  bool
	}
)

// Messages that the shell takes itself.
type (
	// Leave takes a reader out of the subscriber set.
	Leave struct{ Reader *Reader }

	// Doubt says that a reader has found the journal not as it was written. The session opens it anew, as at a start; Ring is retired then.
	Doubt struct {
		Err  error
		Ring *ring.Ring
	}

	// Synced says that the journal's records up to Seq are on disk, or that they could not be brought there.
	Synced struct {
		Seq uint64
		Err error
	}

	// Trimmed says that the snapshot of the log's beginning up to Seq is safe on the disk, or that it could not be made.
	Trimmed struct {
		Seq uint64
		Err error
	}

	// Rest asks an idle session to give back the memory and the files that only work needs.
	Rest struct {
		Soon bool // after a turn: only what the next one has again at once, the files. Readers that come back find the ring
	}

	// JournalBack asks the actor to try the journal again after a failed write.
	JournalBack struct{}
)

func (*Said) message()        {}
func (*Asked[T]) message()    {}
func (*Describe) message()    {}
func (*Choices) message()     {}
func (*Join) message()        {}
func (*Leave) message()       {}
func (*Doubt) message()       {}
func (*Synced) message()      {}
func (*Trimmed) message()     {}
func (*Rest) message()        {}
func (*JournalBack) message() {}
