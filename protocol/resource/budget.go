package resource

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// NewBudget is the budget of a session, new or in the place of the one before (protocol/spec.md §4.12).
type NewBudget struct {
	Session *NewLimits            `json:"session,omitempty" doc:"What this session alone may use"`
	Tree    *NewLimits            `json:"tree,omitempty" doc:"What it and all sessions below it may use together"`
	Action  protocol.BudgetAction `json:"action,omitempty" enum:"warn,pause,interrupt,end" doc:"What is done when a limit is reached; absent: pause"`
	WarnAt  int                   `json:"warnAt,omitempty" minimum:"1" maximum:"100" doc:"Percent of a limit from which on it is warned of; absent: 80"`
}

// NewLimits are the most that may be used; what is absent is not bounded.
type NewLimits struct {
	Tokens     int64 `json:"tokens,omitempty" minimum:"1" maximum:"1000000000000000" doc:"Input and output of model requests"`
	CostMicros int64 `json:"costMicros,omitempty" minimum:"1" maximum:"1000000000000000" doc:"Millionths of a US dollar"`
	WorkMs     int64 `json:"workMs,omitempty" minimum:"1" maximum:"1000000000000000" doc:"Milliseconds in which a turn runs and no person is waited for"`
	Turns      int64 `json:"turns,omitempty" minimum:"1" maximum:"1000000000000000" doc:"Turns that have ended"`
	ToolCalls  int64 `json:"toolCalls,omitempty" minimum:"1" maximum:"1000000000000000" doc:"Tool calls that have ended"`
	Children   int64 `json:"children,omitempty" minimum:"1" maximum:"1000000000000000" doc:"Sessions that are made to work for others; one more is refused"`
}

// SessionBudget is what a session may use, and what it and those below it have used.
type SessionBudget struct {
	Budget *protocol.Budget      `json:"budget,omitempty" doc:"Absent: it may use whatever it needs"`
	Spent  protocol.Spent        `json:"spent" doc:"What the session has used"`
	Tree   Use                   `json:"tree" doc:"What it and all sessions below it have used together, those that were deleted among them"`
	Marks  []protocol.BudgetMark `json:"marks" doc:"Limits that are near or reached, of its own budget and of those above it"`

	Warnings []BudgetWarning `json:"warnings,omitempty" doc:"What the budget does not do; absent: it bounds what it says"`
}

// BudgetWarning says what a budget does not do.
type BudgetWarning struct {
	Code   string `json:"code" enum:"cost_unknown" doc:"cost_unknown: a limit of cost does not count what some model uses, since nobody knows what that costs"`
	Detail string `json:"detail" doc:"For people"`
	Hint   string `json:"hint" doc:"What to do"`
}

// Use is what is used of each thing that has a limit.
type Use struct {
	Tokens     int64 `json:"tokens" doc:"Input and output of model requests"`
	CostMicros int64 `json:"costMicros" doc:"Millionths of a US dollar"`
	WorkMs     int64 `json:"workMs" doc:"Milliseconds at work, up to now"`
	Turns      int64 `json:"turns" doc:"That have ended"`
	ToolCalls  int64 `json:"toolCalls" doc:"That have ended"`
	Children   int64 `json:"children" doc:"Sessions that were made to work for others"`
}

// NewOwnerBudget is what the sessions of an owner may use together, in the place of what they might before.
type NewOwnerBudget struct {
	Limits NewLimits             `json:"limits" doc:"At least one"`
	Action protocol.BudgetAction `json:"action,omitempty" enum:"warn,pause,interrupt,end" doc:"What is done with each of its sessions when a limit is reached; absent: pause"`
	WarnAt int                   `json:"warnAt,omitempty" minimum:"1" maximum:"100" doc:"Percent of a limit from which on it is warned of; absent: 80"`
	Anew   bool                  `json:"anew,omitempty" doc:"Count from now on; absent: go on counting from where the owner got a budget first"`
}

// OwnerBudget is what the sessions of an owner may use together, and what they have used.
type OwnerBudget struct {
	Owner  string                `json:"owner" example:"ann" doc:"Whose sessions"`
	Limits *protocol.Limits      `json:"limits,omitempty" doc:"Absent: they may use whatever they need"`
	Action protocol.BudgetAction `json:"action,omitempty" enum:"warn,pause,interrupt,end" doc:"What is done when a limit is reached; absent: pause"`
	WarnAt int                   `json:"warnAt,omitempty" doc:"Percent of a limit from which on it is warned of; absent: 80"`
	Since  *time.Time            `json:"since,omitempty" doc:"From then on it counts; absent: there is no budget"`
	Spent  Use                   `json:"spent" doc:"What its sessions have used since, deleted ones among them; without a budget, what those have used that are there"`
	Marks  []protocol.BudgetMark `json:"marks" doc:"Limits that are near or reached"`

	Warnings []BudgetWarning `json:"warnings,omitempty" doc:"What the budget does not do; absent: it bounds what it says"`
}

// OwnerBudgetList has all owners that have a budget, by name.
type OwnerBudgetList struct {
	Budgets []OwnerBudget `json:"budgets" doc:"By the names of their owners"`
}
