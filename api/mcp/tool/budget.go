package tool

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// budgetInput is what a new session may use; budgets are shown in the same form.
type budgetInput struct {
	Session *limits `json:"session,omitempty" jsonschema:"what the session alone may use"`
	Tree    *limits `json:"tree,omitempty" jsonschema:"what it and all sessions below it may use together"`
	Action  string  `json:"action,omitempty" enum:"warn,pause,interrupt,end" jsonschema:"what is done when a limit is reached; absent: pause: prompts wait"`
	WarnAt  int     `json:"warn_at,omitempty" jsonschema:"percent of a limit from which on it is warned of; absent: 80"`
}

// limits are the most that may be used.
type limits struct {
	Tokens     int64 `json:"tokens,omitempty" jsonschema:"input and output of model requests"`
	CostMicros int64 `json:"cost_micros,omitempty" jsonschema:"millionths of a US dollar"`
	WorkMs     int64 `json:"work_ms,omitempty" jsonschema:"milliseconds at work"`
	Turns      int64 `json:"turns,omitempty" jsonschema:"that have ended"`
	ToolCalls  int64 `json:"tool_calls,omitempty" jsonschema:"that have ended"`
	Children   int64 `json:"children,omitempty" jsonschema:"sessions that are made to work for others"`
}

// mark is a limit that is near or reached.
type mark struct {
	Scope  string `json:"scope" enum:"session,tree,owner" jsonschema:"whose use it bounds: the session's, that of a tree of sessions, or that of all sessions of its owner"`
	Of     string `json:"of,omitempty" jsonschema:"the session at the root of the tree, or the owner"`
	Limit  string `json:"limit" jsonschema:"as limits are called in the log: tokens, costMicros, workMs, turns, toolCalls or children"`
	State  string `json:"state" enum:"warned,reached" jsonschema:"where what is used stands to the limit"`
	Spent  int64  `json:"spent" jsonschema:"what was used when this was found"`
	Max    int64  `json:"max" jsonschema:"the limit"`
	Action string `json:"action" jsonschema:"what is done when it is reached"`
}

// budget is what a session takes, checked; nil: none was given.
func (in *budgetInput) budget() (*protocol.Budget, error) {
	if in == nil {
		return nil, nil
	}
	b := &protocol.Budget{Session: in.Session.bound(), Tree: in.Tree.bound(), Action: protocol.BudgetAction(in.Action), WarnAt: in.WarnAt}
	return b, b.Check()
}

func (l *limits) bound() *protocol.Limits {
	if l == nil || *l == (limits{}) {
		return nil
	}
	return &protocol.Limits{Tokens: l.Tokens, CostMicros: l.CostMicros, WorkMs: l.WorkMs, Turns: l.Turns, ToolCalls: l.ToolCalls, Children: l.Children}
}

func limitsOf(l *protocol.Limits) *limits {
	if l == nil {
		return nil
	}
	return &limits{l.Tokens, l.CostMicros, l.WorkMs, l.Turns, l.ToolCalls, l.Children}
}

// budgetOf shows what a session may use; nil: whatever it needs.
func budgetOf(s *session.Summary) *budgetInput {
	if s.Budget.Unbounded() {
		return nil
	}
	b := s.Budget
	return &budgetInput{limitsOf(b.Session), limitsOf(b.Tree), string(cmp.Or(b.Action, protocol.BudgetPause)), b.WarnAt}
}

// marksOf shows the first of the limits that are near or reached.
func marksOf(s *session.Summary, most int) []mark {
	var list []mark
	for _, m := range s.Marks[:min(most, len(s.Marks))] {
		list = append(list, mark{
			string(m.Scope), m.Of, string(m.Limit), string(m.State), m.Spent, m.Max, string(cmp.Or(m.Action, protocol.BudgetPause)),
		})
	}
	return list
}

// writeMarks says the marks in words.
func writeMarks(b *strings.Builder, list []mark) {
	for _, m := range list {
		whose := m.Scope
		if m.Of != "" {
			whose += " " + m.Of
		}
		fmt.Fprintf(b, "budget %s: %d of %d %s of the %s (%s)\n", m.State, m.Spent, m.Max, m.Limit, whose, m.Action)
	}
}
