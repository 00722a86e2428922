package desk

import "github.com/ringmaster-agents/ringmaster/protocol/resource"

// ListQueue wants to know which prompts of a session wait.
type ListQueue struct{ Session string }

// MovePrompt gives a prompt that waits another place: before another one, or where that is empty at the end.
type MovePrompt struct{ Session, Prompt, Before string }

// CancelPrompt takes a prompt out of the queue.
type CancelPrompt struct{ Session, Prompt string }

// Queue is what waits in a session, in order.
type Queue struct {
	Session string
	Prompts []resource.WaitingPrompt
	Err     string // why it could not be read; empty: it could
}

func (ListQueue) wish()    {}
func (MovePrompt) wish()   {}
func (CancelPrompt) wish() {}
func (Queue) news()        {}
