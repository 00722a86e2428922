package core

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// budgets adds up what sessions use together, and knows which limits of trees and of owners are near or reached. Sessions tell with every summary what
// they have used, and are told when what concerns them changes. They judge their own limits themselves.
type budgets struct {
	ledger *budget.Ledger
	marks  map[string][]protocol.BudgetMark // of trees, by their roots; no entry: none
	owners map[string][]protocol.BudgetMark // likewise of owners, by their names
	kept   *budget.Past                     // at the start
	stale  bool                             // the file has something else
	due    time.Time                        // of the look that is on its way; zero: there is none
}

func newBudgets() budgets {
	return budgets{ledger: budget.NewLedger(), marks: map[string][]protocol.BudgetMark{}, owners: map[string][]protocol.BudgetMark{}}
}

// put takes a report.
func (b *budgets) put(x *member) bool {
	sum := x.summary
	return b.ledger.Put(&budget.Account{
		ID: sum.ID, Parent: sum.ParentSessionID, Owner: sum.Owner, Epoch: sum.Epoch, Seq: sum.Seq, Spent: sum.Spent, Budget: sum.Budget, Came: x.came,
	})
}

// outlives has session.json say what removed sessions below one had used, where it does not: with that, a node counts it that takes the session over. This
// node goes by what the ledger keeps.
func outlives(s *world, id string) {
	x := s.members.get(id)
	if x == nil || x.copied || x.making {
		return
	}
	if past := s.budgets.ledger.Past(id); x.past == nil && past != (budget.Use{}) || x.past != nil && *x.past != past {
		x.past = &past
		s.note(x)
	}
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

// refuses says why no session may be made below one; nil: it may.
func (b *budgets) refuses(parent *session.Summary) error {
	if m := budget.Exhausting(b.above(parent)); m != nil {
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
	had := s.budgets.ledger.TreeBoundsCost(x.summary.ID)
	if !s.budgets.put(x) {
		return
	}
	if had != s.budgets.ledger.TreeBoundsCost(x.summary.ID) {
		s.marked(s.members.kin.all(x)...) // x knows its own
	}
	above := s.budgets.ledger.Above(x.summary.ID)
	for _, root := range above {
		s.judge(root)
	}
	s.judgeOwner(x.summary.Owner, false)
	s.lookLater(above, x.summary.Owner)
}

func (s *world) judge(root string) {
	if !s.budgets.judgeTree(root, s.now) {
		return
	}
	x := s.members.byID[root]
	if x == nil {
		return
	}
	s.marked(append([]*member{x}, s.members.kin.all(x)...)...)
}

// marked tells sessions that marks above them have changed. One whose actor is not there, and whose prompts wait for nothing else, is started.
func (s *world) marked(of ...*member) {
	for _, x := range of {
		if x.live && !x.stopping {
			s.tellMarks(x)
		} else if !x.live && x.summary.Status.QueuedPrompts > 0 && !x.ended() && !budget.Holds(s.budgets.above(x.summary)) {
			s.freed = append(s.freed, x.summary.ID)
		}
	}
}

// tellMarks tells a session the limits above it that are near or reached, and whether there is one of cost.
func (s *world) tellMarks(x *member) {
	s.tell(x, &session.BudgetMarks{Marks: s.budgets.above(x.summary), Cost: s.budgets.ledger.AboveBoundsCost(x.summary.ID, x.summary.Owner)})
}

// begunUnder tells the new actor of a session what it may have missed.
func (s *world) begunUnder(x *member) {
	above := s.budgets.above(x.summary)
	if len(above) > 0 || s.budgets.ledger.AboveBoundsCost(x.summary.ID, x.summary.Owner) ||
		slices.ContainsFunc(x.summary.Marks, func(m protocol.BudgetMark) bool { return m.Scope != protocol.ScopeSession }) {
		s.tellMarks(x)
	}
}

// lookAtBudgets looks at trees and owners that have limits: at all in the beginning, later at those with a limit of time at work, which passes without
// any event.
func (s *world) lookAtBudgets(roots, owners []string) {
	s.budgets.due = time.Time{}
	for _, root := range roots {
		s.judge(root)
	}
	for _, name := range owners {
		s.judgeOwner(name, false)
	}
	s.lookLater(roots, owners...)
}

// lookLater keeps one look at the time at work of trees and owners under way, while a limit of it is ahead. It asks after those whose use may have
// changed: what a report costs does not depend on how many others have such a limit.
func (s *world) lookLater(roots []string, owners ...string) {
	if s.draining {
		return
	}
	var soonest time.Duration
	sooner := func(due time.Duration) {
		if due > 0 && (soonest == 0 || due < soonest) {
			soonest = due
		}
	}
	now := s.now.UnixMilli()
	if s.budgets.ledger.Times() {
		for _, root := range roots {
			rule, _ := s.budgets.ledger.Rule(root)
			sooner(time.Duration(rule.Due(s.budgets.ledger.Tree(root).Use(now))) * time.Millisecond)
		}
	}
	for _, name := range owners {
		sooner(s.budgets.ownerDue(name, now))
	}
	if at := s.now.Add(soonest); soonest > 0 && (s.budgets.due.IsZero() || at.Before(s.budgets.due)) {
		s.budgets.due = at
		s.out.add(LookAtBudgets{soonest})
	}
}
