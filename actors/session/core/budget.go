package core

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// budgets is the part of a state that knows what the session may use, as the log tells it.
type budgets struct {
	own   *protocol.Budget      // nil: none
	marks []protocol.BudgetMark // that stand, of the session's own limits and of those above it
}

// above is what the supervisor has said last of the limits of trees and of the owner. The log may be behind it, for a step.
type above struct {
	heard    bool // else what the log has counts
	said     BudgetMarks
	watching bool // BudgetDue is on its way
	unpriced budget.Unpriced
}

func (b *budgets) applyMark(p *protocol.BudgetMark) {
	b.marks = slices.DeleteFunc(slices.Clone(b.marks), func(m protocol.BudgetMark) bool { return m.About(p) })
	if p.State != protocol.BudgetLifted {
		b.marks = append(b.marks, *p)
	}
}

// rule is the limits of the session alone.
func (b *budgets) rule() budget.Rule {
	return budget.Rule{Scope: protocol.ScopeSession, Limits: b.own.Session, Action: b.own.Action, WarnAt: b.own.WarnAt}
}

// held says that prompts wait for room in a budget.
func (b *budgets) held() bool { return budget.Holds(b.marks) }

// judge compares what is used with the limits, writes what is to be said of it, and does what is to be done at the limits that are reached. All of it follows
// from the log, the time and what the supervisor has said last, so that a restart changes nothing.
func (s *life) judge() {
	s.tellUnpriced() // the limit may have come after the tokens
	if s.end != nil || s.seq == 0 || s.own.Unbounded() && len(s.marks) == 0 && len(s.above.said.Marks) == 0 {
		return
	}
	held := s.held()
	var want []protocol.BudgetMark
	if !s.own.Unbounded() {
		rule := s.rule()
		use := budget.UseOf(&s.total, s.now)
		want = rule.Marks(want, use)
		s.watchBudget(&rule, use)
	}
	if s.above.heard {
		want = append(want, s.above.said.Marks...)
	} else {
		for i := range s.marks {
			if s.marks[i].Scope != protocol.ScopeSession {
				want = append(want, s.marks[i])
			}
		}
	}
	changes := budget.Changes(s.marks, want)
	for i := range changes {
		s.emit(&changes[i])
	}
	s.enforce(held)
}

// tellUnpriced says that a limit of cost does not count what was used. It is said behind the usage itself, wherever a batch of the agent ends.
func (s *life) tellUnpriced() {
	if n := s.above.unpriced.Notice(s.above.said.Cost, s.own, s.meta.Model); n != nil && s.end == nil {
		s.notice(s.turn.ID(), n)
	}
}

// enforce does what the marks that stand ask for. held says that prompts waited before.
func (s *life) enforce(held bool) {
	switch budget.Strongest(s.marks) {
	case protocol.BudgetEnd:
		if !s.meta.SubAgent && s.link.stop != stopEnd { // a sub-agent ends with its parent
			s.endSession(&End{Reason: budget.Reason(s.marks), By: byBudget})
		}
	case protocol.BudgetInterrupt:
		if s.turn != nil && !s.meta.SubAgent { // nor is it interrupted by itself
			s.link.interrupt(&s.writer, &s.queue, s.turn.id, protocol.CauseBudget)
		}
	case protocol.BudgetPause:
	default:
		if held {
			s.goOn(false)
		}
	}
}

// watchBudget keeps one look at the time at work under way while there is a limit of it ahead.
func (s *life) watchBudget(rule *budget.Rule, use budget.Use) {
	if s.above.watching || s.total.WorkingSince == 0 {
		return
	}
	if due := rule.Due(use, 1); due > 0 {
		s.above.watching = true
		s.do(WatchBudget{After: time.Duration(due) * time.Millisecond})
	}
}

func (s *life) setBudget(in *SetBudget) {
	if s.end != nil { // nothing follows session_end
		refuse(&s.writer, in.Ticket, errEnded())
		return
	}
	if !sameBudget(in.Budget, s.own) {
		s.emit(&protocol.SessionMeta{Budget: in.Budget})
		s.above.watching = false // the look that is on its way may be too late for the new limits
		s.do(Announce{})
	}
	answer(&s.writer, in.Ticket, Done{})
}

func sameBudget(a, b *protocol.Budget) bool {
	if a.Unbounded() || b.Unbounded() {
		return a.Unbounded() == b.Unbounded()
	}
	same := func(a, b *protocol.Limits) bool {
		if a == nil || b == nil {
			return a == b
		}
		return a.Tokens == b.Tokens && a.CostMicros == b.CostMicros && a.WorkMs == b.WorkMs && a.Turns == b.Turns && a.ToolCalls == b.ToolCalls &&
			a.Children == b.Children
	}
	return same(a.Session, b.Session) && same(a.Tree, b.Tree) && a.Action == b.Action && a.WarnAt == b.WarnAt
}
