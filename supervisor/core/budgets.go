package core

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// budgets adds up what sessions use together, and knows which limits of trees are near or reached. Sessions tell with every summary what they have used,
// and are told when what concerns them changes. They judge their own limits themselves.
type budgets struct {
	ledger *budget.Ledger
	marks  map[string][]protocol.BudgetMark // of trees, by their roots; no entry: none
	due    time.Time                        // of the look that is on its way; zero: there is none
}

func newBudgets() budgets {
	return budgets{ledger: budget.NewLedger(), marks: map[string][]protocol.BudgetMark{}}
}

// put takes a report.
func (b *budgets) put(sum *session.Summary) bool {
	return b.ledger.Put(&budget.Account{
		ID: sum.ID, Parent: sum.ParentSessionID, Owner: sum.Owner, Epoch: sum.Epoch, Seq: sum.Seq, Spent: sum.Spent, Budget: sum.Budget,
	})
}

// judgeTree looks at the limits of a tree, and says whether its marks have changed.
func (b *budgets) judgeTree(root string, now time.Time) (changed bool) {
	var marks []protocol.BudgetMark
	if rule, is := b.ledger.Rule(root); is {
		use, _ := b.ledger.Tree(root).Use(now.UnixMilli())
		marks = rule.Marks(nil, use)
	}
	if budget.Equal(b.marks[root], marks) {
		return false
	}
	if b.marks[root] = marks; len(marks) == 0 {
		delete(b.marks, root)
	}
	return true
}

// above are the marks of all trees that a session is part of.
func (b *budgets) above(id string) []protocol.BudgetMark {
	if len(b.marks) == 0 {
		return nil
	}
	var list []protocol.BudgetMark
	for _, root := range b.ledger.Above(id) {
		list = append(list, b.marks[root]...)
	}
	return list
}

// refuses says why no session may be made below one; nil: it may.
func (b *budgets) refuses(parent *session.Summary) error {
	if m := budget.Exhausting(b.above(parent.ID)); m != nil {
		return budget.Exhausted(m)
	}
	if own := parent.Budget; own != nil {
		rule := budget.Rule{Scope: protocol.ScopeSession, Limits: own.Session, Action: own.Action}
		if err := full(&rule, b.ledger.Children(parent.ID)); err != nil {
			return err
		}
	}
	for _, root := range b.ledger.Above(parent.ID) {
		if rule, is := b.ledger.Rule(root); is {
			use, _ := b.ledger.Tree(root).Use(0)
			if err := full(&rule, max(use.Children, b.ledger.Below(root))); err != nil {
				return err
			}
		}
	}
	return nil
}

// full is the error of a limit of children that has no room for one more.
func full(rule *budget.Rule, children int64) error {
	if rule.Room(children) {
		return nil
	}
	return budget.Exhausted(&protocol.BudgetMark{
		Scope: rule.Scope, Of: rule.Of, Limit: protocol.LimitChildren, Spent: children, Max: rule.Limits.Children,
	})
}

// spent takes what a session has used by now, and tells those whom the limits of its trees concern.
func (s *world) spent(x *member) {
	if !s.budgets.put(x.summary) {
		return
	}
	above := s.budgets.ledger.Above(x.summary.ID)
	for _, root := range above {
		s.judge(root)
	}
	s.lookLater(above)
}

func (s *world) judge(root string) {
	if !s.budgets.judgeTree(root, s.now) {
		return
	}
	x := s.members.byID[root]
	if x == nil {
		return
	}
	for _, m := range append([]*member{x}, s.members.kin.all(x)...) {
		if m.live && !m.stopping {
			s.tellMarks(m)
		} else if !m.live && m.summary.Status.QueuedPrompts > 0 && !m.ended() && !budget.Holds(s.budgets.above(m.summary.ID)) {
			s.freed = append(s.freed, m.summary.ID)
		}
	}
}

// tellMarks tells a session the limits above it that are near or reached.
func (s *world) tellMarks(x *member) {
	s.tell(x, &session.BudgetMarks{Marks: s.budgets.above(x.summary.ID)})
}

// begunUnder tells the new actor of a session what it may have missed.
func (s *world) begunUnder(x *member) {
	above := s.budgets.above(x.summary.ID)
	if len(above) > 0 || slices.ContainsFunc(x.summary.Marks, func(m protocol.BudgetMark) bool { return m.Scope != protocol.ScopeSession }) {
		s.tellMarks(x)
	}
}

// lookAtBudgets looks at trees that have limits: at all in the beginning, later at those with a limit of time at work, which passes without any event.
func (s *world) lookAtBudgets(roots []string) {
	s.budgets.due = time.Time{}
	for _, root := range roots {
		s.judge(root)
	}
	s.lookLater(roots)
}

// lookLater keeps one look at the trees' time at work under way, while a limit of it is ahead. It asks after the trees whose use may have changed: what a
// report costs does not depend on how many others have such a limit.
func (s *world) lookLater(roots []string) {
	if s.draining || !s.budgets.ledger.Times() {
		return
	}
	var soonest time.Duration
	for _, root := range roots {
		rule, _ := s.budgets.ledger.Rule(root)
		if due := time.Duration(rule.Due(s.budgets.ledger.Tree(root).Use(s.now.UnixMilli()))) * time.Millisecond; due > 0 && (soonest == 0 || due < soonest) {
			soonest = due
		}
	}
	if at := s.now.Add(soonest); soonest > 0 && (s.budgets.due.IsZero() || at.Before(s.budgets.due)) {
		s.budgets.due = at
		s.out.add(LookAtBudgets{soonest})
	}
}
