package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Effect is something to be done: an Answer, an ActorEffect, an AgentEffect or a DaemonEffect.
type Effect interface{ effect() }

// Answer is what becomes of a question.
//
//sumtype:decl
type Answer interface {
	Effect
	answer()
}

// ActorEffect has to do with the actor of a session.
//
//sumtype:decl
type ActorEffect interface {
	Effect
	actorEffect()
}

// AgentEffect has to do with the agent of a session.
//
//sumtype:decl
type AgentEffect interface {
	Effect
	agentEffect()
}

// DaemonEffect has to do with what others see, and with ends.
//
//sumtype:decl
type DaemonEffect interface {
	Effect
	daemonEffect()
}

// Answers.
type (
	// Made answers Create and Claim.
	Made struct {
		Ticket  Ticket
		Created Created
	}

	// Given answers Find with the reference of the session's actor.
	Given struct {
		Ticket Ticket
		ID     string
	}

	// Done answers what has no other answer.
	Done struct{ Ticket Ticket }

	// Agents answers ListAgents.
	Agents struct {
		Ticket Ticket
		List   []AgentInfo
	}

	// OwnerSet answers SetOwnerBudget, once the line is kept.
	OwnerSet struct {
		Ticket Ticket
		Line   budget.Line
	}

	// OnceNoted answers once what was noted of a session is on the disk.
	OnceNoted struct {
		Ticket Ticket
		ID     string
	}

	// Failed answers with an error.
	Failed struct {
		Ticket Ticket
		Err    error
	}

	// AskAgain gives a question once more, as a new one.
	AskAgain struct{ Ticket Ticket }

	// AskOnceSafe gives a question once more when the keys that were bound before it are on the disk.
	AskOnceSafe struct{ Ticket Ticket }

	// Bind has the key of a Claim stand for the session that was found, and then answers.
	Bind struct {
		Ticket  Ticket
		Created Created
	}
)

// Actors of sessions.
type (
	// Make starts the actor of a new session, which makes its folder once its key is on the disk; Opened or Unmade follows. Life, here and in
	// Wake, names the actor.
	Make struct {
		ID    string
		Life  uint64
		Key   Key // zero: none
		Begin session.Begin
	}

	// Wake starts the actor of a session from its journal; Opened follows.
	Wake struct {
		ID, Agent string
		Life      uint64
		PowerLoss bool   // the machine was started anew since the journal was written
		Always    bool   // it was written with DurableAlways: events that were not synced were not shown
		Least     uint64 // event that is known to be in the journal
		Whole     bool   // its checkpoint is not believed: the journal is replayed from its beginning
		Safely    bool   // once its record is on the disk
		Left      bool   // an earlier daemon left it at work, and it is taken up unasked
		Rejoin    bool   // its agent runs: incarnation Recover.Incarnation
		Poisoned  bool   // with Rejoin: the oldest batch that was never journaled is taken for the cause of the failures
		Recover   session.Recover
	}

	// Stop stops a session's actor; ActorEnded follows.
	Stop struct{ ID string }

	// Send sends to a session's actor.
	Send struct {
		ID     string
		Letter Letter
	}

	// Rest asks an idle session to give back the memory and the files that only work needs.
	Rest struct{ ID string }

	// Lose answers the question in a letter that reaches no actor.
	Lose struct{ Letter Letter }

	// Park asks a session to let its agent go; Parked follows.
	Park struct {
		ID    string
		Drain bool
	}

	// ReviveLater gives Revive after the delay.
	ReviveLater struct {
		ID    string
		Times int // that its actor has failed
		Delay time.Duration
	}

	// Aside says that a session's actor has failed too often, Times.
	Aside struct {
		ID    string
		Times int
	}
)

// Agents of sessions.
type (
	// Launch starts an agent; Launched follows, and ProcessGone when nothing is left of it.
	Launch struct {
		ID, Agent, Owner string
		Start            session.StartAgent
		Installation     adapters.Installation
		Endpoint         *adapters.Endpoint // where it runs already; nil: it is started
		MCP              bool               // it is given the daemon's MCP server
		Fresh            bool               // it has had no turn
	}

	// LaunchChild takes up a sub-agent's connection, which that of its parent carries, on the process of another session; Launched follows.
	LaunchChild struct {
		ID, Parent, Process string
		Start               session.StartAgent
		Installation        adapters.Installation
	}

	// Attach gives a session the agent that was launched. MCP: the agent is to have the daemon's MCP server.
	Attach struct {
		ID, Agent   string
		Incarnation uint32
		MCP         bool
	}

	// Discard ends an agent that was launched for a start that was cancelled meanwhile.
	Discard struct {
		ID          string
		Incarnation uint32
	}

	// Exited tells a session that its agent was not started.
	Exited struct {
		ID          string
		Incarnation uint32
		Exit        adapters.Exit
	}

	// StopAgent ends a session's agent; the session hears of it.
	StopAgent struct{ ID string }

	// StopAdapter ends a session's agent, from which its session takes nothing any more; AdapterEnded follows.
	StopAdapter struct{ ID string }

	// StartLater gives Due after the delay.
	StartLater struct {
		ID    string
		Start session.StartAgent
		Delay time.Duration
	}

	// StopWaiting cancels StartLater, and a Launch that waits for its turn.
	StopWaiting struct{ ID string }

	// AgentRestarted counts.
	AgentRestarted struct{ ID string }

	// Revoke makes the token void that a session's agent has.
	Revoke struct{ ID string }

	// Look looks for an agent's program; AgentFound follows.
	Look struct{ Agent string }

	// AdoptAgain gives AdoptChild again, where a connection waits for the child.
	AdoptAgain struct {
		Parent string
		Child  session.AdoptChild
	}

	// TooMany says that a session has too many sub-agents at work.
	TooMany struct {
		ID    string
		Limit int
	}
)

// Effects on what others see of sessions: the directory and session.json.
type (
	// Show puts a session into the directory, or changes it there.
	Show struct {
		ID    string
		Entry Entry
	}

	// Hide takes a session out of it.
	Hide struct {
		ID    string
		Stays bool // it may be elsewhere still: retention removes it here
	}

	// Depart takes a session out of it that is another node's.
	Depart struct{ ID string }

	// Note has session.json written.
	Note struct {
		ID     string
		Kept   Kept
		Safely bool // synced, so that it survives a loss of power
	}

	// Roots are added.
	Roots struct{ Added []string }
)

// Ends.
type (
	// End ends a session that is to be deleted; Ended follows.
	End struct{ ID string }

	// Remove removes a session's folder, once what it leaves is kept; Removed follows.
	Remove struct {
		ID, Agent string
		NativeID  string // what the agent has of its own, and is to forget; empty: nothing
		Foreign   bool   // the folder stays
		Leaves    *budget.Leaving
		Why       keep.Why // retention removes it; empty: somebody has deleted it
		Aside     string   // it is another node's: its folder is set aside under this name, and nothing else goes; empty: it is removed
	}

	// Keep keeps what removed sessions had used.
	Keep struct{ Line budget.Line }

	// Unended says why a session did not end before its removal.
	Unended struct {
		ID  string
		Err error
	}

	// Gone says that a session is not there any more.
	Gone struct{ ID string }

	// Recovering says how many sessions of an earlier daemon are taken up.
	Recovering struct{ Count int }

	// SweepLater gives Sweep.
	SweepLater struct{ After time.Duration }

	// LookAtBudgets gives LookedAtBudgets.
	LookAtBudgets struct{ After time.Duration }

	// Closing says that the drain has begun: nothing is swept or looked for any more, and starts under way are given up.
	Closing struct{}

	// GiveUpLater gives Overdue.
	GiveUpLater struct{ After time.Duration }

	// Close ends the supervisor: there is no child and no process any more, or the drain has given up waiting for them. It comes once.
	Close struct{ Tickets []Ticket }
)

// Entry is what the directory has of a session.
type Entry struct {
	Takes              bool // its actor takes questions
	Cwd, Owner, Parent string
	Ended              bool
	Pinned             bool
	Attached           bool // its agent was not started here
}

// Kept is what session.json has of a session.
type Kept struct {
	Summary     session.Summary
	Open        bool // it has an actor, and is at work
	Boot        string
	Durability  Durability
	Incarnation uint32
	Synced      uint64
	Untold      bool
	Endpoint    *adapters.Endpoint
	Came        *budget.Came
	Past        *budget.Use
	Rests       bool // its journal was closed in order with the summary's event, and nobody has opened it since
}
