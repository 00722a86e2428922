package budget

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Reason says, for people, why a session is ended by its marks.
func Reason(marks []protocol.BudgetMark) string {
	for i := range marks {
		if m := &marks[i]; m.State == protocol.BudgetReached && m.Action == protocol.BudgetEnd {
			return "a budget is used up: " + detail(m)
		}
	}
	return "a budget is used up"
}

// Exhausting is the mark at which prompts wait; nil: there is none.
func Exhausting(marks []protocol.BudgetMark) *protocol.BudgetMark {
	for i := range marks {
		if m := &marks[i]; m.State == protocol.BudgetReached && m.Action.Rank() > 0 {
			return m
		}
	}
	return nil
}

func detail(m *protocol.BudgetMark) string {
	whose := "the session"
	switch m.Scope {
	case protocol.ScopeTree:
		whose = "the session " + m.Of + " and those below it"
	case protocol.ScopeOwner:
		whose = "the owner"
	case protocol.ScopeSession:
	}
	return fmt.Sprintf("%s of %s: %d of %d.", m.Limit, whose, m.Spent, m.Max)
}
