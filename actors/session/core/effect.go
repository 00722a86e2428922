package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Effect is what the actor has to do after the events of a step are in the journal, in order.
//
//sumtype:decl
type Effect interface{ effect() }

type (
	// Answer answers the question with a ticket: with the value, or with the error where there is one.
	Answer struct {
		Ticket uint64
		Value  Value
		Err    error
	}

	// PassOn gives the answer to a sub-agent's request to the session that asked; its word answers the ticket.
	PassOn struct {
		Ticket    uint64
		SessionID string
		Answer    *Resolve
	}

	// Confirm tells an adapter that its batches up to Number are in the journal: it forgets them. To is the adapter that was there when the core
	// decided, here and below; nil: none was, and nobody is told.
	Confirm struct {
		To     Adapter
		Number uint64
	}

	// Tell passes a command on to the agent.
	Tell struct {
		To      Adapter
		Command adapters.Command
	}

	// StopAgent ends the agent; its last batch, with the exit, comes as ever.
	StopAgent struct {
		To    Adapter
		Grace time.Duration
	}

	// EndOrphans ends what commands of a turn have put beside themselves; the turn was interrupted, ends now and took so long.
	EndOrphans struct {
		To   Adapter
		Turn time.Duration
	}

	// StartAgent asks the supervisor for an adapter.
	StartAgent struct {
		Incarnation uint32
		Spec        adapters.Spec // SessionID, NativeSessionID, Resume, Cwd, Model, Mode, MaxText, Child
		Delay       time.Duration
		Unasked     bool // nobody has asked for it just now: it may wait for others that begin so
	}

	// CancelStart takes StartAgent back. When the adapter has not been started yet, the session gets a batch with its exit.
	CancelStart struct{ Incarnation uint32 }

	// HastenStart says that somebody waits for the agent that was asked for last, which may have been unasked until then.
	HastenStart struct{}

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
		Message Input
	}

	// WatchSetting sends SettingOverdue after a while.
	WatchSetting struct{ ID string }

	// WatchBudget sends BudgetDue after a while.
	WatchBudget struct{ After time.Duration }

	// TellOffers tells the supervisor what the agent lets one choose, for clients that make further sessions of it.
	TellOffers struct{ Offers Offers }

	// Overflow shows readers a part of a text beyond what the log keeps of it, behind an event. It is carried out before the events behind that are shown.
	Overflow struct {
		After uint64
		protocol.Overflow
	}

	// Announce tells the supervisor the new summary: the state or a property has changed.
	Announce struct{}

	// Over says that the session has ended: readers are let go once they have everything.
	Over struct{}
)

func (Answer) effect()         {}
func (PassOn) effect()         {}
func (Confirm) effect()        {}
func (Tell) effect()           {}
func (StopAgent) effect()      {}
func (EndOrphans) effect()     {}
func (StartAgent) effect()     {}
func (CancelStart) effect()    {}
func (HastenStart) effect()    {}
func (WatchInterrupt) effect() {}
func (WatchStart) effect()     {}
func (WatchStall) effect()     {}
func (WatchRequest) effect()   {}
func (AdoptChild) effect()     {}
func (ToRoot) effect()         {}
func (ToSession) effect()      {}
func (WatchSetting) effect()   {}
func (WatchBudget) effect()    {}
func (TellOffers) effect()     {}
func (Overflow) effect()       {}
func (Announce) effect()       {}
func (Over) effect()           {}
