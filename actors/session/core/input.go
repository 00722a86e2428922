package core

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Input is what the core decides about. Inputs are pointers to structs of this package, which nobody changes once they are given.
//
//sumtype:decl
type Input interface{ input() }

// Adapter is the actor of a running agent as the shell knows it. The core names it in effects, and looks at nothing but whether there is one.
type Adapter interface{ Valid() bool }

// Questions of clients, and of the supervisor: each has a ticket, by which its answer is told from others.
type (
	// SendPrompt accepts a prompt. Text or images must be there; the sizes were checked at the edge.
	SendPrompt struct {
		Ticket[Receipt]
		Prompt         NewPrompt
		IdempotencyKey string
		Refusal        error // why it is not taken, where its key is new; nil: it is
	}

	// MovePrompt gives a prompt that waits another place in the queue: before another one, or at a position from 1 (the last one
	// where there are fewer). One of Before and Position is set.
	MovePrompt struct {
		Ticket[Moved]
		PromptID string
		Before   string
		Position int
	}

	// Choose chooses a model or a mode. The answer says when it takes effect; an agent that does not answer is waited for so long
	// and no longer.
	Choose struct {
		Ticket[Chosen]
		Setting Setting
		Value   string // in the agent's own words
		When    When
	}

	// CancelPrompt takes a prompt out of the queue.
	CancelPrompt struct {
		Ticket[Done]
		PromptID string
	}

	// Interrupt stops the running turn. Its answer comes at once; the log tells when the turn has ended.
	Interrupt struct {
		Ticket[Interrupted]
		TurnID string // that is meant: another one goes on; empty: whichever runs
		By     string // "client:ID" or ByParent
	}

	// Resolve answers a request. The first answer wins; a later one gets CodeRequestAlreadyResolved with the name of the client that answered. Of an
	// approval, Outcome or Option may be empty: each follows from the other. Of the call of a caller tool, Result is what it has
	// given, as JSON, or Outcome is failed and Message says why.
	Resolve struct {
		Ticket[Resolution]
		RequestID string
		Outcome   protocol.Outcome
		Option    string
		Answers   [][]string
		Result    []byte
		Message   string
		By        string
	}

	// Change sets the title, merges Labels into the labels and Policy into the policy; nil leaves title and policy as they are, and
	// takes a label away. An empty title gives it back to the agent. Requests that are open already stay as they are.
	Change struct {
		Ticket[Done]
		Title  *string
		Labels map[string]*string
		Policy *PolicyPatch
	}

	// SetBudget replaces the session's budget; one without limits takes it away.
	SetBudget struct {
		Ticket[Done]
		Budget *protocol.Budget
	}

	// End ends the session: the agent is stopped, what is open is closed, session_end is written. The answer comes after that;
	// ending an ended session is answered at once.
	End struct {
		Ticket[Done]
		Reason string // in the log as a notice; may be empty
		By     string // "client:ID" or ByParent; empty: a client
	}

	// Park stops the agent of an idle session and keeps the session; a prompt starts it again. With Drain a running turn is
	// interrupted, as on the daemon's own end. Parked is answered when the agent has gone.
	Park struct {
		Ticket[Parked]
		Drain bool
	}
)

// Inputs that nobody waits for: of the supervisor, the adapter and the clock.
type (
	// Begin is the first input of a new session. Without Start the agent is started with the first prompt. NativeID is the
	// agent's own id of the session, where it is known already: of a sub-agent.
	Begin struct {
		Agent    string
		Metadata protocol.Metadata
		Start    bool
		NativeID string
		Mode     string // to start in; empty: the agent's own
	}

	// Recover follows the replay of a journal: what an earlier daemon left open is closed, and the agent is started again when
	// Resume says so or prompts wait.
	Recover struct {
		Resume bool
		Reason string // "daemon restarted", …: of what is closed
		Told   bool   // others know what had become of this session's turns and prompts
		Epoch  uint64 // when the epoch grew: the new one
		// Incarnation is the newest that was ever asked for, as far as the supervisor and the journal know: the next one is
		// higher, also when no event tells of it.
		Incarnation uint32
	}

	// Rejoin follows the replay of a journal whose agent still runs: only the session's actor was replaced. Batch is the newest
	// batch of the incarnation that the journal has.
	Rejoin struct {
		Incarnation uint32
		Adapter     Adapter
		Batch       uint64
		Quarantine  bool // the batch after it has failed the actor again and again
	}

	// AgentStarted says that the adapter of an incarnation runs.
	AgentStarted struct {
		Incarnation uint32
		Adapter     Adapter
		WithoutMCP  bool // which the session was made with, and this daemon cannot give
	}

	// GoOn says that an agent which was not started as things were may be started now. It is for prompts that wait.
	GoOn struct{}

	// Batch is what the agent said: a run of drafts, in order. Batches of one incarnation are numbered from 1 without gaps; one
	// that was taken before is confirmed again and otherwise ignored, one of another incarnation is dropped.
	Batch struct {
		Incarnation uint32
		Number      uint64
		Drafts      []adapters.Draft
		Exit        *adapters.Exit // the last batch of an incarnation has it
	}

	// InterruptOverdue says that a turn has not ended in time after an interrupt.
	InterruptOverdue struct{ TurnID string }

	// StartOverdue says that an agent's process has run for long and the agent has not said that it is ready.
	StartOverdue struct{ Incarnation uint32 }

	// StallOverdue asks for a look at an agent that may have said nothing for long.
	StallOverdue struct{}

	// SettingOverdue says that the agent has not answered to a setting in time.
	SettingOverdue struct{ ID string }

	// RequestOverdue says that a request's deadline has passed.
	RequestOverdue struct{ RequestID string }

	// BudgetDue asks for a look at the time at work: a limit of it may be near or reached.
	BudgetDue struct{}

	// BudgetMarks are all limits above the session that are near or reached: of the trees that it is part of, and of its owner. They replace those
	// that were said before.
	BudgetMarks struct {
		Marks []protocol.BudgetMark
		Cost  bool // one of the trees, or the owner, has a limit of cost
	}
)

func (*SendPrompt) input()       {}
func (*CancelPrompt) input()     {}
func (*MovePrompt) input()       {}
func (*Choose) input()           {}
func (*SettingOverdue) input()   {}
func (*Interrupt) input()        {}
func (*Resolve) input()          {}
func (*CallTool) input()         {}
func (*CancelCall) input()       {}
func (*Change) input()           {}
func (*SetBudget) input()        {}
func (*BudgetDue) input()        {}
func (*BudgetMarks) input()      {}
func (*End) input()              {}
func (*Begin) input()            {}
func (*Recover) input()          {}
func (*Rejoin) input()           {}
func (*GoOn) input()             {}
func (*AgentStarted) input()     {}
func (*Batch) input()            {}
func (*InterruptOverdue) input() {}
func (*StartOverdue) input()     {}
func (*StallOverdue) input()     {}
func (*RequestOverdue) input()   {}
func (*Park) input()             {}
