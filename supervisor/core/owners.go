package core

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxTenants bounds the owners that have budgets.
const maxTenants = 1000

// Tenancy is what the sessions of an owner may use together, and what they have used.
type Tenancy struct {
	Owner string
	Rule  *budget.Tenant // nil: there is no budget
	Use   budget.Use     // since its budget began to count; without one: of the sessions that are there
	Marks []protocol.BudgetMark

	Unpriced []budget.Model // what a limit of cost does not count
}

// Tenancies are those of owners as of now; where none is named, of all that have a budget, by name. All sessions are looked at once, however many owners
// there are.
func (s *State) Tenancies(now int64, owners ...string) []Tenancy {
	ledger := s.budgets.ledger
	if len(owners) == 0 {
		owners = ledger.Tenants()
	}
	list, models := make([]Tenancy, len(owners)), ledger.BoundCosts(owners)
	if len(models) > 0 { // else nobody wants to know of their models
		for _, x := range s.members.byID {
			if m := models[x.summary.Owner]; m != nil {
				s.unpriced(m, x)
			}
		}
	}
	for i, name := range owners {
		use, _ := ledger.OwnerUse(name, now)
		list[i] = Tenancy{Owner: name, Rule: ledger.Tenant(name), Use: use, Marks: s.budgets.owners[name], Unpriced: models[name].Named()}
	}
	return list
}

// Kept is what is kept of removed sessions, and of owners, as it was at the start.
func (s *State) Kept() *budget.Past { return s.budgets.kept }

// setOwner sets what the sessions of an owner may use together. It counts from now on, and is answered when it is on the disk.
func (s *world) setOwner(in *SetOwnerBudget) {
	b := &s.budgets
	if s.draining {
		s.out.fail(in.Ticket, draining())
		return
	}
	if _, has := b.ledger.OwnerRule(in.Budget.Owner); !has && in.Budget.Limits != nil && len(b.ledger.Tenants()) >= maxTenants {
		s.out.fail(in.Ticket, &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("%d owners have a budget, which is the limit.", maxTenants),
			Hint: "Take away budgets that nobody needs.",
		})
		return
	}
	had := b.ledger.OwnerBoundsCost(in.Budget.Owner)
	line := b.ledger.SetOwner(in.Budget, in.Anew, s.now.UnixMilli())
	s.judgeOwner(in.Budget.Owner, had != b.ledger.OwnerBoundsCost(in.Budget.Owner))
	s.lookLater(nil, in.Budget.Owner)
	s.out.add(OwnerSet{Ticket: in.Ticket, Line: line})
}

// judgeOwner looks at the limits of an owner, and tells its sessions where its marks have changed, or even where they have not.
func (s *world) judgeOwner(name string, even bool) {
	b := &s.budgets
	var marks []protocol.BudgetMark
	if rule, is := b.ledger.OwnerRule(name); is {
		use, _ := b.ledger.OwnerUse(name, s.now.UnixMilli())
		marks = rule.Marks(nil, use)
	}
	if budget.Equal(b.owners[name], marks) && !even {
		return
	}
	if b.owners[name] = marks; len(marks) == 0 {
		delete(b.owners, name)
	}
	s.marked(s.ofOwner(name)...)
}

func (s *world) ofOwner(name string) []*member {
	return byID(slices.DeleteFunc(slices.Collect(maps.Values(s.members.byID)), func(x *member) bool { return x.summary.Owner != name }))
}

// unpriced adds the models of sessions whose cost nobody knows. Sessions that have ended use nothing any more.
func (s *world) unpriced(to budget.Models, of ...*member) {
	for _, x := range of {
		m := budget.Model{Agent: x.summary.Agent, Name: x.summary.Model}
		if !x.ended() && !s.cfg.Agents[m.Agent].Cost && (s.cfg.Priced == nil || !s.cfg.Priced(m.Name)) {
			to[m] = struct{}{}
		}
	}
}

// ownerDue is in how long a limit of an owner's time at work is near or reached; 0: none is ahead.
func (b *budgets) ownerDue(name string, now int64) time.Duration {
	rule, is := b.ledger.OwnerRule(name)
	if !is {
		return 0
	}
	return time.Duration(rule.Due(b.ledger.OwnerUse(name, now))) * time.Millisecond
}

// refusesOwner says why no session of an owner may be made, or none that works for another one; nil: it may.
func (b *budgets) refusesOwner(name string, child bool) error {
	rule, is := b.ledger.OwnerRule(name)
	if !is {
		return nil
	}
	if m := budget.Exhausting(b.owners[name]); m != nil {
		return budget.Exhausted(m)
	}
	if !child || rule.Limits.Children == 0 {
		return nil
	}
	return full(&rule, b.ledger.OwnerChildren(name))
}

// above are the marks of all trees that a session is part of, and of its owner.
func (b *budgets) above(sum *session.Summary) []protocol.BudgetMark {
	var list []protocol.BudgetMark
	if len(b.marks) > 0 {
		for _, root := range b.ledger.Above(sum.ID) {
			list = append(list, b.marks[root]...)
		}
	}
	return append(list, b.owners[sum.Owner]...)
}
