package session

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
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
	// Confirm says that the batches up to Number are in the journal: the adapter forgets them.
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

	// EndOrphans ends what commands of a turn have put beside themselves; the turn was interrupted, ends now and took so long.
	EndOrphans struct{ Turn time.Duration }
)

// Undelivered implements ask.Undeliverable: the adapter is gone.
func (m *Attach) Undelivered(error) { m.Over() }

// Over tells the session that nothing more comes: the exit was taken before, or nobody is left to tell it.
func (m *Attach) Over() {
	exit := adapters.Exit{Code: -1, Requested: true, Error: "the connection to the agent is gone"}
	m.Session.Send(&Batch{Incarnation: m.Incarnation, Number: m.Confirmed + 1, Exit: &exit})
}

func (*Confirm) adapterMessage()    {}
func (*Tell) adapterMessage()       {}
func (*Attach) adapterMessage()     {}
func (*StopAgent) adapterMessage()  {}
func (*EndOrphans) adapterMessage() {}

// Effect is what the actor has to do after the events of a step are in the journal, in order.
//
//sumtype:decl
type Effect interface{ effect() }

type (
	// Answer answers a question. To fails it instead when the actor stops before it comes to that.
	Answer struct {
		Do func()
		To ask.Undeliverable
	}

	// ToAdapter sends to an adapter: the one that was there when the core decided.
	ToAdapter struct {
		To      AdapterRef
		Message AdapterMessage
	}

	// StartAgent asks the supervisor for an adapter.
	StartAgent struct {
		Incarnation uint32
		Spec        adapters.Spec // SessionID, NativeSessionID, Resume, Cwd, Model, Mode, MaxText, Child
		Delay       time.Duration
	}

	// CancelStart takes StartAgent back. When the adapter has not been started yet, the session gets a batch with its exit.
	CancelStart struct{ Incarnation uint32 }

	// WatchInterrupt sends InterruptOverdue after a while.
	WatchInterrupt struct{ TurnID string }

	// WatchStart sends StartOverdue after a while.
	WatchStart struct{ Incarnation uint32 }

	// WatchStall sends StallOverdue after a while.
	WatchStall struct{ After time.Duration }

	// WatchRequest sends RequestOverdue after a while.
	WatchRequest struct {
		RequestID string
		After     time.Duration
	}

	// AdoptChild asks the supervisor for the session of a sub-agent: made where it is not there (Begin with Start, NativeID and
	// metadata that says SubAgent, ParentSessionID, Cwd, Title and Policy), else told Adopt. Again says that it was asked for before,
	// perhaps: the actor was replaced in between, and a child that has its adapter, or whose lane is gone, is left alone.
	AdoptChild struct {
		ChildID  string // ChildID of the parent and NativeID
		NativeID string
		Title    string
		Policy   *protocol.Policy // of the parent; nil: ask
		Again    bool
	}

	// ToRoot sends to the root session of a sub-agent.
	ToRoot struct{ Message ChildMessage }

	// ToSession sends to another session.
	ToSession struct {
		ID      string
		Message Message
	}

	// WatchSetting sends SettingOverdue after a while.
	WatchSetting struct{ ID string }

	// TellOffers tells the supervisor what the agent lets one choose, for those who make further sessions of it.
	TellOffers struct{ Offers Offers }

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
func (WatchStart) effect()     {}
func (WatchStall) effect()     {}
func (WatchRequest) effect()   {}
func (AdoptChild) effect()     {}
func (ToRoot) effect()         {}
func (ToSession) effect()      {}
func (WatchSetting) effect()   {}
func (TellOffers) effect()     {}
func (Announce) effect()       {}
func (Over) effect()           {}
