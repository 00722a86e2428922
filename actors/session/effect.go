package session

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// AdapterMessage is what a session sends to the adapter of its agent.
//
//sumtype:decl
type AdapterMessage interface{ adapterMessage() }

// AdapterRef addresses an adapter actor.
type AdapterRef = ask.Ref[AdapterMessage]

type (
	// Confirm says that the batches up to Number are in the journal: the adapter forgets them.
	Confirm struct{ Number uint64 }

	// Tell passes a command on to the agent.
	Tell struct{ Command adapters.Command }

	// Attach tells an adapter where its session is: at its start, and again when the session's actor was replaced. Batches
	// after Confirmed are sent again.
	Attach struct {
		Session   Ref
		Confirmed uint64
	}

	// StopAgent ends the agent; its last batch, with the exit, comes to the session as ever.
	StopAgent struct{ Grace time.Duration }
)

func (*Confirm) adapterMessage()   {}
func (*Tell) adapterMessage()      {}
func (*Attach) adapterMessage()    {}
func (*StopAgent) adapterMessage() {}

// Effect is what the actor has to do after the events of a step are in the journal, in order.
//
//sumtype:decl
type Effect interface{ effect() }

type (
	// Answer answers a question.
	Answer struct{ Do func() }

	// ToAdapter sends to an adapter: the one that was there when the core decided.
	ToAdapter struct {
		To      AdapterRef
		Message AdapterMessage
	}

	// StartAgent asks the supervisor for an adapter.
	StartAgent struct {
		Incarnation uint32
		Spec        adapters.Spec // SessionID, NativeSessionID, Resume, Cwd, Model
		Delay       time.Duration
	}

	// CancelStart takes StartAgent back. When the adapter has not been started yet, the session gets a batch with its exit.
	CancelStart struct{ Incarnation uint32 }

	// WatchInterrupt sends InterruptOverdue after a while.
	WatchInterrupt struct{ TurnID string }

	// Announce tells the supervisor the new summary: the state or a property has changed.
	Announce struct{}

	// Over says that the session has ended: readers are let go once they have everything.
	Over struct{}
)

func (Answer) effect()         {}
func (ToAdapter) effect()      {}
func (StartAgent) effect()     {}
func (CancelStart) effect()    {}
func (WatchInterrupt) effect() {}
func (Announce) effect()       {}
func (Over) effect()           {}
