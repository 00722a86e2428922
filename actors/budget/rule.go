package budget

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// warnAt is the percentage of a limit from which on it is warned of, where its budget does not say.
const warnAt = 80

// Use is what is used, of each thing that has a limit, at a time.
type Use struct {
	Tokens     int64 `json:"tokens,omitempty"`
	CostMicros int64 `json:"costMicros,omitempty"`
	WorkMs     int64 `json:"workMs,omitempty"`
	Turns      int64 `json:"turns,omitempty"`
	ToolCalls  int64 `json:"toolCalls,omitempty"`
	Children   int64 `json:"children,omitempty"`
}

// UseOf is what a session uses as of a time, Unix ms.
func UseOf(s *protocol.Spent, now int64) Use {
	u := Use{s.TotalTokens, s.CostMicros, s.WorkMs, s.Turns, s.ToolCalls, s.Children}
	if s.WorkingSince != 0 && now > s.WorkingSince {
		u.WorkMs += now - s.WorkingSince
	}
	return u
}

// Rule is a set of limits, and what is done at them.
type Rule struct {
	Scope  protocol.BudgetScope
	Of     string           // of a tree: its root; of an owner: its name
	Limits *protocol.Limits // nil: none
	Action protocol.BudgetAction
	WarnAt int // percent; 0: the default
}

// line is one limit beside what is used of it.
type line struct {
	limit     protocol.BudgetLimit
	used, max int64
}

func (r *Rule) lines(u *Use) [6]line {
	l := r.Limits
	return [6]line{
		{protocol.LimitTokens, u.Tokens, l.Tokens},
		{protocol.LimitCost, u.CostMicros, l.CostMicros},
		{protocol.LimitWork, u.WorkMs, l.WorkMs},
		{protocol.LimitTurns, u.Turns, l.Turns},
		{protocol.LimitToolCalls, u.ToolCalls, l.ToolCalls},
		{protocol.LimitChildren, u.Children, l.Children},
	}
}

// Marks are appended to list: one for each limit that is near or reached.
func (r *Rule) Marks(list []protocol.BudgetMark, u Use) []protocol.BudgetMark {
	if r.Limits == nil {
		return list
	}
	for _, l := range r.lines(&u) {
		if l.max <= 0 || l.used < r.warning(l.max) {
			continue
		}
		m := protocol.BudgetMark{
			Scope: r.Scope, Of: r.Of, Limit: l.limit, State: protocol.BudgetWarned, Spent: min(l.used, protocol.MaxSeq), Max: l.max, Action: r.Action,
		}
		if l.used > l.max || l.used == l.max && l.limit != protocol.LimitChildren { // the last child is no reason to stop: another one is refused
			m.State = protocol.BudgetReached
		}
		list = append(list, m)
	}
	return list
}

// warning is the use from which on a limit is warned of.
func (r *Rule) warning(limit int64) int64 {
	percent := int64(r.WarnAt)
	if percent == 0 {
		percent = warnAt
	}
	return max(1, (limit*percent+99)/100)
}

// Due is in how many ms a limit of time at work is near or reached, where so many sessions are at work; 0: nothing is to come.
func (r *Rule) Due(u Use, working int64) int64 {
	if r.Limits == nil || r.Limits.WorkMs <= 0 || working <= 0 {
		return 0
	}
	for _, at := range []int64{r.warning(r.Limits.WorkMs), r.Limits.WorkMs} {
		if u.WorkMs < at {
			return (at - u.WorkMs + working - 1) / working
		}
	}
	return 0
}

// Room says whether a limit of children has room for one more. An action that only warns keeps nobody out.
func (r *Rule) Room(children int64) bool {
	return r.Limits == nil || r.Limits.Children <= 0 || r.Action == protocol.BudgetWarn || children < r.Limits.Children
}

// Changes is what the log is to say where it has some marks standing and others are to stand.
func Changes(have, want []protocol.BudgetMark) []protocol.BudgetMark {
	if len(have) == 0 && len(want) == 0 {
		return nil
	}
	var list []protocol.BudgetMark
	for i := range have {
		if !slices.ContainsFunc(want, func(m protocol.BudgetMark) bool { return m.About(&have[i]) }) {
			gone := have[i]
			gone.State = protocol.BudgetLifted
			list = append(list, gone)
		}
	}
	for i := range want {
		if !slices.ContainsFunc(have, func(m protocol.BudgetMark) bool { return m.Same(&want[i]) }) {
			list = append(list, want[i])
		}
	}
	return list
}

// Equal says that two lists of marks say the same, whatever was used.
func Equal(a, b []protocol.BudgetMark) bool {
	return slices.EqualFunc(a, b, func(m, n protocol.BudgetMark) bool { return m.Same(&n) })
}

// Strongest is the strongest action of the limits that are reached; warn where none is.
func Strongest(marks []protocol.BudgetMark) protocol.BudgetAction {
	strongest := protocol.BudgetWarn
	for i := range marks {
		if m := &marks[i]; m.State == protocol.BudgetReached && m.Action.Rank() > strongest.Rank() {
			strongest = m.Action
			if strongest == "" {
				strongest = protocol.BudgetPause
			}
		}
	}
	return strongest
}

// Holds says that limits are reached at which prompts wait.
func Holds(marks []protocol.BudgetMark) bool { return len(marks) > 0 && Strongest(marks).Rank() > 0 }

// Exhausted is the problem of what a limit does not allow.
func Exhausted(m *protocol.BudgetMark) error {
	hint := "Raise the limit with " + protocol.TermSetBudget + "."
	if m.Scope == protocol.ScopeOwner {
		hint = "An administrator raises the limit with " + protocol.TermSetOwnerBudget + "."
	}
	return protocol.NewProblem(protocol.CodeBudgetExhausted, detail(m), hint)
}
