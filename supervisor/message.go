package supervisor

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
	"github.com/ringmaster-agents/ringmaster/supervisor/listing"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// Message is what the supervisor actor takes.
//
//sumtype:decl
type Message interface {
	ask.Letter
	message()
}

// Ref addresses the supervisor actor.
type Ref = ask.Ref[Message]

// Questions of clients. Errors are *protocol.Problem.
type (
	// Create makes a session: its folder, its actor and, with Start, its agent.
	Create struct {
		ask.Reply[Created]
		Session NewSession
		place   workdir.Place
	}

	// Find gives the actor of a session, started from its journal where it was passive.
	Find struct {
		ask.Reply[session.Ref]
		ID string
	}

	// Look gives the summary of a session without starting its actor.
	Look struct {
		ask.Reply[session.Summary]
		ID string
	}

	// AtRest gives what there is to tell of a session that has no actor; nil: its actor tells it.
	AtRest struct {
		ask.Reply[*session.Description]
		ID string
	}

	// Spending gives what a session and all below it have used together.
	Spending struct {
		ask.Reply[TreeUse]
		ID string
	}

	// FindArchive gives the archive to which a session's agents write; nil: none has run in this daemon's life.
	FindArchive struct {
		ask.Reply[*raw.Archive]
		ID string
	}

	// CatchUp is answered once the supervisor has taken all that was sent before: then the roster and the directory tell of it.
	CatchUp struct{ ask.Reply[session.Done] }

	// Delete ends a session, where it has not ended, and removes its folder.
	Delete struct {
		ask.Reply[session.Done]
		ID     string
		Listed *session.Summary // delete it only where it has ended and has not changed since; nil: in any state
	}

	// Pin keeps a session whatever retention says, or lets go of it.
	Pin struct {
		ask.Reply[session.Done]
		ID     string
		Pinned bool
	}

	// Collect has go what is due by a rule, nil: the configuration's. It does not wait for that.
	Collect struct {
		ask.Reply[session.Done]
		Rule *keep.Rule
	}

	// Shelves gives all sessions as retention sees them.
	Shelves struct{ ask.Reply[[]keep.Shelved] }

	// ListAgents says which agents there are.
	ListAgents struct {
		ask.Reply[[]AgentInfo]
	}
)

// NewSession is what a client wants.
type NewSession = core.NewSession

// Use is what is used of each thing that has a limit.
type Use = budget.Use

// TreeUse is what a session and all below it have used together.
type TreeUse struct {
	Use
	Unpriced []Model // what a limit of cost of the session's budget does not count
}

// Model is an agent, and the model that a session has it use.
type Model = budget.Model

// Endpoint is where an agent runs already.
type Endpoint = adapters.Endpoint

// Query filters and pages a list. Empty members do not filter.
type Query = listing.Query

// Page is one page of a list.
type Page = listing.Page

// AgentInfo is one agent of the registry.
type AgentInfo = core.AgentInfo

// Messages of the tree itself.
type (
	// found is the result of looking for an agent's program.
	found struct {
		agent        string
		installation adapters.Installation
		at           time.Time
	}
	// offered has the models and modes that a session's agent offers.
	offered struct {
		id     string
		offers session.Offers
	}

	// announced is a session's new summary.
	announced struct{ summary session.Summary }
	// startAgent asks for an adapter now: its delay has passed.
	startAgent struct {
		id     string
		effect session.StartAgent
	}
	// delayAgent asks for an adapter after the effect's delay.
	delayAgent struct {
		id     string
		effect session.StartAgent
	}
	// cancelStart cancels delayAgent.
	cancelStart struct {
		id          string
		incarnation uint32
	}
	// hastenStart has an agent that waits for its turn wait no longer.
	hastenStart struct{ id string }
	// launched is a running agent, or why there is none.
	launched struct {
		id     string
		effect session.StartAgent
		spec   adapters.Spec
		conn   adapters.Conn
		up     func() // to be called when the agent takes prompts; nil: a sub-agent
		err    error
		roots  int // number of roots that the folder was checked against
	}
	// parked is a session's answer to Park, or says that no answer came.
	parked struct {
		id   string
		life uint64 // of the actor that was asked
		yes  bool
	}
	// childEnded says that an actor has ended. The supervisor sends it to itself: the engine's own message overtakes messages that the actor sent
	// before, and this one does not.
	childEnded struct{ pid *actor.PID }
	// opened says that a session's journal was opened, as a whole or damaged.
	opened struct {
		id      string
		damaged bool
	}
	// unmade says that the folder of a new session could not be made.
	unmade struct {
		id  string
		err error
	}
	// reopen asks for a new actor of a session: a reader has found its journal not as it was written.
	reopen struct {
		id     string
		newest uint64
	}
	// processGone says that nothing is left of a session's agent, or of its part of a shared one.
	processGone struct{ id string }
	// removeNow says that a session has ended and its folder may go.
	removeNow struct {
		id  string
		err error
	}
	// removed says whether a session's folder has gone.
	removed struct {
		id   string
		done bool
	}
	// measured has what sessions have on the disk.
	measured struct {
		sizes []core.Size
		free  int64
	}
	// dropped says whether a session's native lines are gone.
	dropped struct {
		id   string
		done bool
	}
	// retain looks for what goes.
	retain struct{}

	// takeUp recovers the sessions that an earlier daemon left at work.
	takeUp struct{}

	// sweep looks for sessions that are idle.
	sweep struct{}
	// drain ends everything.
	drain struct{ ask.Reply[session.Done] }
	// lookedAtBudgets asks for a look at the time at work of trees.
	lookedAtBudgets struct{}
	// overdue gives up waiting for actors and agents that did not end in time.
	overdue struct{}
)

func (*Create) message()      {}
func (*Find) message()        {}
func (*Look) message()        {}
func (*AtRest) message()      {}
func (*FindArchive) message() {}
func (*Spending) message()    {}
func (*CatchUp) message()     {}
func (*Delete) message()      {}
func (*ListAgents) message()  {}
func (*Pin) message()         {}
func (*Collect) message()     {}
func (*Shelves) message()     {}

func (*found) message()       {}
func (*offered) message()     {}
func (*announced) message()   {}
func (*startAgent) message()  {}
func (*delayAgent) message()  {}
func (*cancelStart) message() {}
func (*hastenStart) message() {}
func (*launched) message()    {}
func (*parked) message()      {}
func (*childEnded) message()  {}
func (*opened) message()      {}
func (*unmade) message()      {}
func (*reopen) message()      {}
func (*processGone) message() {}
func (*removeNow) message()   {}
func (*removed) message()     {}
func (*measured) message()    {}
func (*dropped) message()     {}
func (*retain) message()      {}
func (*takeUp) message()      {}
func (*sweep) message()       {}
func (*drain) message()       {}
func (*overdue) message()     {}

func (*lookedAtBudgets) message() {}

// revive starts the actor of a session that failed.
type revive struct{ id string }

func (*revive) message() {}

// Undelivered implements ask.Undeliverable: a process that came too late must not stay.
func (m *launched) Undelivered(error) {
	if m.conn != nil {
		discard(m.conn)
	}
}

// Messages between sessions of a family.
type (
	// adoptChild is session.Host's AdoptChild.
	adoptChild struct {
		parent string
		child  session.AdoptChild
	}
	// toRoot is session.Host's ToRoot.
	toRoot struct {
		id   string
		body session.ChildMessage
	}
	// toSession is session.Host's ToSession.
	toSession struct {
		id   string
		body session.Message
	}
)

func (*adoptChild) message() {}
func (*toRoot) message()     {}
func (*toSession) message()  {}

// Undelivered implements ask.Undeliverable: a question in it is answered.
func (m *toSession) Undelivered(error) { ask.Undelivered(m.body) }
