package session

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// AdapterMessage is what a session sends to the adapter of its agent.
//
//sumtype:decl
type AdapterMessage interface {
	ask.Letter
	adapterMessage()
}

// AdapterRef addresses an adapter actor.
type AdapterRef = ask.Ref[AdapterMessage]

type (
	// Confirm says that the batches up to Number are in the journal: the adapter forgets them, and its window has room for others.
	Confirm struct{ Number uint64 }

	// Tell passes a command on to the agent.
	Tell struct{ Command adapters.Command }

	// Attach tells an adapter where its session is: at its start, and again when the session's actor was replaced. Batches
	// after Confirmed are sent again. An adapter that has nothing more to say, or is gone, answers with an exit.
	Attach struct {
		Session     Ref
		Incarnation uint32
		Confirmed   uint64
		Quarantine  bool // the first batch after Confirmed cannot be taken: its drafts are replaced by a notice
	}

	// StopAgent ends the agent; its last batch, with the exit, comes to the session as ever.
	StopAgent struct{ Grace time.Duration }

	// EndOrphans ends processes that commands of a turn have detached. The turn was interrupted and ends now; Turn is how long it took.
	EndOrphans struct{ Turn time.Duration }
)

// Undelivered implements ask.Undeliverable: the adapter is gone.
func (m *Attach) Undelivered(error) { m.Over() }

// Over sends the session an exit in the adapter's place, where the adapter's own exit was taken before or the adapter is gone.
func (m *Attach) Over() {
	exit := adapters.Exit{Code: -1, Requested: true, Error: "the connection to the agent is gone"}
	m.Session.Send(Say(&Batch{Incarnation: m.Incarnation, Number: m.Confirmed + 1, Exit: &exit}))
}

func (*Confirm) adapterMessage()    {}
func (*Tell) adapterMessage()       {}
func (*Attach) adapterMessage()     {}
func (*StopAgent) adapterMessage()  {}
func (*EndOrphans) adapterMessage() {}
