package core

import "github.com/ringmaster-agents/ringmaster/protocol"

// Ticket stands for the sender that waits for the answer to a question, which is a value of type T or an error. The shell gives a question its
// ticket before the step that takes it, and finds the sender by the ticket that the answer names. 0: nobody waits.
type Ticket[T Value] uint64

// Stub gives a question its ticket.
func (t *Ticket[T]) Stub(n Ticket[T]) { *t = n }

// Question is an input that is answered with a T, or with an error.
type Question[T Value] interface {
	Input
	Stub(n Ticket[T])
}

// Value is what a question is answered with.
//
//sumtype:decl
type Value interface{ value() }

// NewPrompt is a prompt before it has an id.
type NewPrompt struct {
	Text     string
	Images   []string // references, as in protocol.Prompt, of images that are in the session's folder already (Images.Put)
	Behavior protocol.Behavior
	ClientID string
	Notify   string // id of the session that is prompted when this prompt is settled; empty: none is
}

// Receipt answers SendPrompt.
type Receipt struct {
	PromptID string
	// Cursor is the position from which this prompt, and the turn it makes, can be read.
	Cursor protocol.Cursor
	// Position is the place in the queue: 0 when it was dispatched at once.
	Position int
	// Repeated says that the idempotency key was used before: this is the earlier prompt's receipt.
	Repeated bool
}

// Moved answers MovePrompt.
type Moved struct {
	Position int // from 1
}

// Resolution answers Resolve: what is in the log.
type Resolution struct {
	Outcome protocol.Outcome
	Option  string
}

// Done answers where there is nothing to say.
type Done struct{}

// Interrupted answers Interrupt.
type Interrupted struct {
	TurnID string // empty: nothing was running
}

// Parked answers Park.
type Parked struct {
	Parked bool // false: the session is at work, or read by somebody
}

func (Receipt) value()     {}
func (Moved) value()       {}
func (Chosen) value()      {}
func (Resolution) value()  {}
func (Done) value()        {}
func (Interrupted) value() {}
func (Parked) value()      {}
func (ToolAnswer) value()  {}
