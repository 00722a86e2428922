package session

import (
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
)

// Lost says, for each type of message that is no question, whether anything is lost when such a message reaches no actor. A new type does not
// compile, or does not pass the linter, without it.

// Lost implements ask.Letter.
func (m *Said) Lost() ask.Loss {
	switch m.Input.(type) {
	case *core.Begin, *core.Recover, *core.Rejoin: // first inputs are no letters: an actor has its own with it
		return ask.Something
	case *core.AgentStarted, *core.Batch:
		// The next actor is told of its adapter, and the adapter has what was not confirmed.
	case *core.InterruptOverdue, *core.StartOverdue, *core.StallOverdue, *core.SettingOverdue, *core.RequestOverdue, *core.CancelCall, *core.BudgetDue:
		// Timers and calls of an actor that is gone: the next actor waits for others.
	case *core.BudgetMarks:
		// The supervisor says it again to the next actor.
	case *core.GoOn:
		// The next prompt, or the next start of the session, does the same.
	case *core.Adopt, *core.TellRoot, *core.ChildAsks, *core.ChildResolved, *core.ChildReport, *core.ChildGone, *core.ChildSpawned, *core.ChildNews,
		*core.PromptSettled, *core.Waive, *core.TellNews:
		// They follow from a session's log, and are sent again when the sender or the receiver starts.
	case *core.SendPrompt, *core.MovePrompt, *core.CancelPrompt, *core.Choose, *core.Interrupt, *core.Resolve, *core.CallTool, *core.Change, *core.SetBudget,
		*core.End, *core.Park:
		// Questions that nobody waits for.
	}
	return ask.Nothing
}

// Lost implements ask.Letter.
func (*Confirm) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Tell) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*StopAgent) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*EndOrphans) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Attach) Lost() ask.Loss { return ask.Asked }

// They are about an actor that is not there any more, or about something that it waited for.

// Lost implements ask.Letter.
func (*Leave) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Doubt) Lost() ask.Loss { return ask.Asked }

// Lost implements ask.Letter.
func (*Rest) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Synced) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*Trimmed) Lost() ask.Loss { return ask.Nothing }

// Lost implements ask.Letter.
func (*JournalBack) Lost() ask.Loss { return ask.Nothing }
