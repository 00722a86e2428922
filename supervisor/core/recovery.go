package core

import "github.com/ringmaster-agents/ringmaster/actors/budget"

// recoverTogether is how many journals are read at once after a start: each holds a thread and some files.
const recoverTogether = 8

// recovery takes up the sessions that an earlier daemon left at work, recoverTogether at a time.
type recovery struct {
	lives
	recovers bool     // they are being taken up
	waiting  []string // sessions to recover
	opening  int      // of them, under way
}

// left says that a session was at work when the earlier daemon ended, that its news were not delivered, or that it has prompts waiting.
func (s *recovery) left(x *member) bool {
	return x.open || x.stale || x.untold || s.orphaned(x) || x.summary.Status.QueuedPrompts > 0 && !x.ended()
}

// recoverOpen starts the actors of the sessions that were left: their open entries and turns are closed, and agents are resumed. A question for a
// session that still waits starts its actor at once.
func (s *recovery) recoverOpen() {
	s.recovers = true
	s.takeUp(s.members.inOrder()...)
}

// takeUp has those of the members recovered that were left. What a copy alone tells does not count: such a session comes again when its folder has been
// asked, as does one that may be left because its parent has ended.
func (s *recovery) takeUp(of ...*member) {
	before := len(s.waiting)
	for _, x := range of {
		left := s.members.byID[x.summary.ID] == x && s.left(x) && !s.draining && !s.proofs.lack(x) && !(s.unsure && s.mayMove(x))
		if p := s.members.parent(x); left && (p == nil || !s.orphaned(x) || !s.proofs.lack(p)) {
			s.waiting = append(s.waiting, x.summary.ID)
		}
	}
	if n := len(s.waiting) - before; n > 0 {
		s.out.add(Recovering{n})
	}
	s.recoverNext()
}

// replace has a member be as its folder was found, and not as a copy told. A folder that came back from a backup has used less.
func (s *recovery) replace(x *member, f *Found) {
	x.isAs(f)
	x.shelf.since, x.shelf.sized = 0, false
	s.members.told(x)
	s.show(x)
	budget.Anew(s.budgets.ledger, x.summary.ID)
	s.spent(x)
}

// goesOn takes up a member of which no copy alone tells any more, and what ends with it.
func (s *recovery) goesOn(x *member) {
	outlives(&s.world, x.summary.ID)
	if s.recovers {
		s.takeUp(append(s.members.childrenOf(x.summary.ID), x)...)
	}
}

func (s *recovery) recoverNext() {
	for s.opening < recoverTogether && len(s.waiting) > 0 && !s.draining {
		id := s.waiting[0]
		s.waiting = s.waiting[1:]
		if x := s.members.byID[id]; x != nil && !x.live && !x.isSealed() && s.left(x) {
			x.opening = true
			s.opening++
			s.activate(x)
			if s.orphaned(x) { // its parent has ended, and the earlier daemon ended before it could end this one
				s.endChild(x)
			}
		}
	}
}

// recovered goes on with the next session, once the journal of this one was read.
func (s *recovery) recovered(x *member) {
	if x.opening {
		x.opening = false
		s.opening--
		s.recoverNext()
	}
}
