package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// Ticket names a question that waits for its answer, or a letter whose sender may wait for one. 0: nobody waits.
type Ticket uint64

// Input is something that has happened.
//
//sumtype:decl
type Input interface{ input() }

// Questions. Each ticket gets one answer: Made, Given, Done, Agents, OwnerSet or Failed; AskAgain asks the question anew later.
type (
	// Create makes a session. Bound is what its key stands for.
	Create struct {
		Ticket  Ticket
		Session NewSession
		Place   workdir.Place
		Bound   Bound
	}

	// Claim binds a key to a session that was found, unless it stands for one.
	Claim struct {
		Ticket  Ticket
		Session NewSession
		ID      string
		Bound   Bound
	}

	// Find gives the actor of a session, started where it was passive.
	Find struct {
		Ticket Ticket
		ID     string
	}

	// Delete ends a session and removes its folder.
	Delete struct {
		Ticket Ticket
		ID     string
		Listed *Cursor // delete it only where it has ended and is as it was then; nil: whatever it is
	}

	// SetOwnerBudget sets what the sessions of an owner may use together; OwnerSet answers it. Without limits there is no budget any more.
	SetOwnerBudget struct {
		Ticket Ticket
		Budget budget.Tenant
		Anew   bool // what was used before does not count
	}

	// AddRoot adds a root in all its spellings.
	AddRoot struct {
		Ticket Ticket
		Folder []string
	}

	// ListAgents says which agents there are.
	ListAgents struct{ Ticket Ticket }

	// Pin keeps a session whatever retention says, or lets go of it.
	Pin struct {
		Ticket Ticket
		ID     string
		Pinned bool
	}

	// Collect has go what is due, now and by a rule of its own; a nil Keep is the configuration's.
	Collect struct {
		Ticket Ticket
		Keep   *keep.Rule
	}

	// Drain ends everything.
	Drain struct{ Ticket Ticket }
)

// Cursor is how far a session was.
type Cursor struct{ Epoch, Seq uint64 }

// Bound is what a key stands for. The zero value: nothing, or there is no key.
type Bound struct {
	Session string
	Sum     string // of what was asked with it
	Safe    bool   // that is on the disk
	Found   bool   // the session was there before
}

// What sessions and their agents tell.
type (
	// Announced is a session's new summary.
	Announced struct{ Summary session.Summary }

	// Offered is what a session's agent lets one choose.
	Offered struct {
		ID     string
		Offers session.Offers
	}

	// StartAgent asks for an agent after the start's delay.
	StartAgent struct {
		ID    string
		Start session.StartAgent
	}

	// CancelStart cancels StartAgent.
	CancelStart struct {
		ID          string
		Incarnation uint32
	}

	// AdoptChild asks for the session of a sub-agent. Unclaimed says that a connection waits for it.
	AdoptChild struct {
		Parent    string
		Child     session.AdoptChild
		Unclaimed bool
	}

	// ToRoot carries a message to the root of a session's family.
	ToRoot struct {
		ID      string
		Message session.ChildMessage
	}

	// ToSession is for another session.
	ToSession struct {
		ID     string
		Letter Letter
	}

	// Reopen asks for a new actor: the journal is not as it was written, and had events up to Newest.
	Reopen struct {
		ID     string
		Newest uint64
	}
)

// Letter is a message to a session. Input is nil for a question: the shell has that under the ticket.
type Letter struct {
	Input  session.Input
	Ticket Ticket
}

// Results of effects.
type (
	// AgentFound is the result of Look.
	AgentFound struct {
		Agent        string
		Installation adapters.Installation
		At           time.Time
	}

	// Due says that the delay of a start has passed.
	Due struct {
		ID    string
		Start session.StartAgent
	}

	// Launched says that an agent runs, or why none does. Roots is the number of roots that its folder was checked against: where there are more by
	// now, a folder that was refused is checked again.
	Launched struct {
		ID          string
		Incarnation uint32
		Err         error // Held: it is a *protocol.Problem, the folder may not be worked in
		Held        bool
		Roots       int
	}

	// ProcessGone says that nothing is left of a session's agent, or of its part of a shared one.
	ProcessGone struct{ ID string }

	// AdapterEnded says that the actor of an agent has ended.
	AdapterEnded struct {
		ID          string
		Incarnation uint32
	}

	// ActorEnded says that a session's actor has ended. Settled is the newest event that survives a loss of power; 0: not known.
	ActorEnded struct {
		ID      string
		Life    uint64
		Settled uint64
	}

	// Opened says that a session's journal was opened, as a whole or damaged.
	Opened struct {
		ID      string
		Damaged bool
	}

	// Unmade says that the folder of a new session could not be made. Foreign: there was a folder of that name, which stays.
	Unmade struct {
		ID      string
		Foreign bool
		Err     error // as a client is told it
	}

	// Parked is a session's answer to Park, or says that no answer came.
	Parked struct {
		ID   string
		Life uint64
		Yes  bool
	}

	// Ended says that a session that is being deleted has ended, or why not.
	Ended struct {
		ID  string
		Err error
	}

	// Removed says whether a session's folder has gone.
	Removed struct {
		ID   string
		Done bool
	}

	// Measured has what was measured.
	Measured struct {
		Sizes []Size
		Free  int64 // bytes of the disk; 0: not known
	}

	// Dropped says whether the native lines of a session are gone.
	Dropped struct {
		ID   string
		Done bool
	}

	// Retain looks for what goes.
	Retain struct{}

	// Revive says that the delay of a restart has passed.
	Revive struct{ ID string }

	// Begin is the first input, once effects can be carried out: agents are looked for, and the sessions of an earlier daemon are taken up, unless
	// Hold lets them wait.
	Begin struct{ Hold bool }

	// TakeUp recovers what an earlier daemon left at work.
	TakeUp struct{}

	// Sweep looks for sessions that are idle.
	Sweep struct{}

	// LookedAtBudgets asks for a look at the time at work of trees.
	LookedAtBudgets struct{}

	// Overdue gives up waiting for what did not end in time.
	Overdue struct{}
)

// Size is what a session has on the disk, in bytes.
type Size struct {
	ID         string
	Bytes, Raw int64 // Raw is part of Bytes
}

func (*Pin) input()            {}
func (*Collect) input()        {}
func (*Measured) input()       {}
func (*Dropped) input()        {}
func (*Retain) input()         {}
func (*Create) input()         {}
func (*Claim) input()          {}
func (*Find) input()           {}
func (*Delete) input()         {}
func (*AddRoot) input()        {}
func (*SetOwnerBudget) input() {}
func (*ListAgents) input()     {}
func (*Drain) input()          {}
func (*Announced) input()      {}
func (*Offered) input()        {}
func (*StartAgent) input()     {}
func (*CancelStart) input()    {}
func (*AdoptChild) input()     {}
func (*ToRoot) input()         {}
func (*ToSession) input()      {}
func (*Reopen) input()         {}
func (*AgentFound) input()     {}
func (*Due) input()            {}
func (*Launched) input()       {}
func (*ProcessGone) input()    {}
func (*AdapterEnded) input()   {}
func (*ActorEnded) input()     {}
func (*Opened) input()         {}
func (*Unmade) input()         {}
func (*Parked) input()         {}
func (*Ended) input()          {}
func (*Removed) input()        {}
func (*Revive) input()         {}
func (*Begin) input()          {}
func (*TakeUp) input()         {}
func (*Sweep) input()          {}
func (*Overdue) input()        {}

func (*LookedAtBudgets) input() {}
