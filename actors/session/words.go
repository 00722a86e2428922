package session

import "github.com/ringmaster-agents/ringmaster/actors/session/core"

// The core's types, under the same names, for packages that speak to sessions.

// Input is what the core decides about.
type Input = core.Input

// Value is what a question is answered with.
type Value = core.Value

// Questions.
type (
	SendPrompt   = core.SendPrompt
	MovePrompt   = core.MovePrompt
	Choose       = core.Choose
	CancelPrompt = core.CancelPrompt
	Interrupt    = core.Interrupt
	Resolve      = core.Resolve
	Change       = core.Change
	SetBudget    = core.SetBudget
	End          = core.End
	CallTool     = core.CallTool
	CancelCall   = core.CancelCall
	Park         = core.Park
)

// What the supervisor, the adapter and the clock say.
type (
	Begin            = core.Begin
	Recover          = core.Recover
	Rejoin           = core.Rejoin
	AgentStarted     = core.AgentStarted
	GoOn             = core.GoOn
	Batch            = core.Batch
	InterruptOverdue = core.InterruptOverdue
	StartOverdue     = core.StartOverdue
	StallOverdue     = core.StallOverdue
	SettingOverdue   = core.SettingOverdue
	RequestOverdue   = core.RequestOverdue
	BudgetDue        = core.BudgetDue
	BudgetMarks      = core.BudgetMarks
)

// What sessions say to each other.
type (
	ChildMessage  = core.ChildMessage
	ChildAsks     = core.ChildAsks
	ChildResolved = core.ChildResolved
	ChildReport   = core.ChildReport
	ChildSpawned  = core.ChildSpawned
	ChildGone     = core.ChildGone
	ChildNews     = core.ChildNews
	PromptSettled = core.PromptSettled
	TellNews      = core.TellNews
	Waive         = core.Waive
	Adopt         = core.Adopt
	TellRoot      = core.TellRoot
)

// Answers.
type (
	NewPrompt   = core.NewPrompt
	Receipt     = core.Receipt
	Moved       = core.Moved
	Resolution  = core.Resolution
	Done        = core.Done
	Interrupted = core.Interrupted
	Parked      = core.Parked
	ToolAnswer  = core.ToolAnswer
	Chosen      = core.Chosen
)

// Effects that the supervisor carries out.
type (
	StartAgent = core.StartAgent
	AdoptChild = core.AdoptChild
)

// What is told of a session.
type (
	Summary      = core.Summary
	Description  = core.Description
	QueuedPrompt = core.QueuedPrompt
	ReaderInfo   = core.ReaderInfo
	Limits       = core.Limits
	PolicyPatch  = core.PolicyPatch
)

// What can be chosen.
type (
	Setting = core.Setting
	When    = core.When
	Applied = core.Applied
	Choice  = core.Choice
	Offers  = core.Offers
)

// Question is an input that is answered with a T, or with an error.
type Question[T Value] = core.Question[T]

// The words of choices.
const (
	SettingModel    = core.SettingModel
	SettingMode     = core.SettingMode
	WhenNow         = core.WhenNow
	WhenIdle        = core.WhenIdle
	AppliedNow      = core.AppliedNow
	AppliedNextTurn = core.AppliedNextTurn
	AppliedWhenIdle = core.AppliedWhenIdle
	AppliedAtStart  = core.AppliedAtStart
)

// ByParent stands for the session that this one works for, where an input says by whom it is asked.
const ByParent = core.ByParent

// MaxLabels is how many labels a session may have.
const MaxLabels = core.MaxLabels

// ChildID is the session id of a sub-agent.
func ChildID(parent, native string) string { return core.ChildID(parent, native) }
