package core

import (
	"iter"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
)

// State is all that the supervisor knows.
type State struct {
	families
	drain drain
}

// New makes one, with the sessions that an earlier daemon left.
func New(cfg Config, found []Found) *State {
	s := new(State)
	s.cfg, s.members, s.agents, s.roots, s.budgets = cfg, newMembers(), newAgents(cfg.Agents), slices.Clone(cfg.Roots), newBudgets()
	s.unsure = cfg.Moves != nil
	s.retention, s.proofs = newRetention(), proofs{asking: map[string][]Ticket{}, out: &s.out}
	for i := range found {
		f, sum := &found[i], found[i].Summary
		x := newMember(sum)
		x.copied = f.Copied
		x.isAs(f)
		s.members.join(x) // Entries has what the directory is to have of them
		s.budgets.put(x)
		s.retention.shelve(x, cfg.Keep.Sizes())
		if sum.Updated.After(s.retention.seen) {
			s.retention.seen = sum.Updated
		}
		if x.copied {
			s.proofs.left++
		}
	}
	past := cfg.Past
	if past == nil {
		past = budget.NewPast()
	}
	s.budgets.kept = s.budgets.ledger.Restore(past)
	s.budgets.stale = s.budgets.kept.Differs(past)
	return s
}

// Step takes an input at a time; Decided gives what is to be done.
func (s *State) Step(now time.Time, in Input) {
	s.now = now
	s.take(in)
	s.wakeFreed()
	s.finish()
}

// Decided gives the effects that were decided and not given yet, in order: also those of a step that panicked, since the state has changed with them.
func (s *State) Decided() []Effect {
	list := s.out.list
	s.out.list = nil
	return list
}

func (s *State) take(in Input) {
	switch in := in.(type) {
	case *Create:
		s.create(in)
	case *Claim:
		s.claim(in)
	case *Find:
		s.find(in.Ticket, in.ID)
	case *Delete:
		s.remove(in)
	case *SetOwnerBudget:
		s.setOwner(in)
	case *AddRoot:
		s.addRoot(in)
	case *ListAgents:
		s.agents.list(in.Ticket, s.now, &s.out)
	case *Pin:
		s.pin(in)
	case *Collect:
		s.collect(in)
	case *Measured:
		s.measured(in)
	case *Dropped:
		s.dropped(in)
	case *Retain:
		s.tick()
	case *Drain:
		s.close(in.Ticket)
	case *Announced:
		s.announced(&in.Summary)
	case *Offered:
		if x := s.members.byID[in.ID]; x != nil {
			s.agents.offered(x.summary.Agent, &in.Offers)
		}
	case *StartAgent:
		s.startLater(in)
	case *CancelStart:
		s.cancelStart(in)
	case *AdoptChild:
		s.adopt(in)
	case *ToRoot:
		s.passToRoot(in)
	case *ToSession:
		s.passToSession(in)
	case *Reopen:
		s.reopen(in)
	case *AgentFound:
		s.agents.found(in, &s.out)
	case *Due:
		s.due(in)
	case *Launched:
		s.launched(in)
	case *ProcessGone:
		s.processGone(in.ID)
		s.sealing(s.members.byID[in.ID])
	case *AdapterEnded:
		s.adapterEnded(in)
		s.sealing(s.members.byID[in.ID])
	case *ActorEnded:
		s.sessionEnded(in)
	case *Opened:
		s.opened(in)
	case *Unmade:
		s.unmade(in)
	case *Parked:
		s.parked(in)
	case *Ended:
		s.ended(in)
	case *Removed:
		s.removed(in)
	case *Arrived:
		s.arrived(in)
	case *Seal:
		s.seal(in)
	case *Unseal:
		s.unseal(in)
	case *Withdraw:
		s.withdraw(in)
	case *Confirm:
		s.confirm(in)
	case *Over:
		s.over(in)
	case *Revive:
		s.revive(in.ID)
	case *Begin:
		s.open(in.Hold)
	case *OnceProven:
		if !s.proofs.await(in.Ticket, s.members.get(in.ID)) {
			s.out.add(AskAgain{in.Ticket})
		}
	case *Proven:
		s.proven(in.IDs...)
	case *Corrected:
		s.corrected(in)
	case *TakeUp:
		s.recoverOpen()
	case *Sweep:
		s.sweep()
	case *Overdue:
		s.overdue()
	case *LookedAtBudgets:
		s.lookAtBudgets(s.budgets.ledger.Timed(), s.budgets.ledger.TimedOwners())
	}
}

// Summary is the summary of a session that is not being deleted; nil: there is none. It does not change.
func (s *State) Summary(id string) *session.Summary {
	if x := s.members.get(id); x != nil {
		return s.current(x)
	}
	return nil
}

// Spending is what a session and all below it have used together as of a time, Unix ms, and the models that a limit of cost of its budget does not count;
// false: there is no such session.
func (s *State) Spending(id string, now int64) (use budget.Use, unpriced []budget.Model, is bool) {
	x := s.members.get(id)
	if x == nil {
		return use, nil, false
	}
	use, _ = s.budgets.ledger.Tree(id).Use(now)
	models := budget.Models{}
	if s.budgets.ledger.TreeBoundsCost(id) {
		s.unpriced(models, append(s.members.kin.all(x), x)...)
	} else if b := x.summary.Budget; b != nil && budget.BoundsCost(b.Session) {
		s.unpriced(models, x)
	}
	return use, models.Named(), true
}

// Entries are what the directory should have.
func (s *State) Entries() iter.Seq2[string, Entry] {
	return func(yield func(string, Entry) bool) {
		for id, x := range s.members.byID {
			if !x.deleted() && !yield(id, x.entry(s.draining)) {
				return
			}
		}
	}
}

// Count says how many sessions there are, and of how many the journal is damaged.
func (s *State) Count() (sessions, damaged int) { return len(s.members.byID), s.damaged }

// Has says that there is a session, also one that is being deleted.
func (s *State) Has(id string) bool { return s.members.byID[id] != nil }
