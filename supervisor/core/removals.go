package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// removals parks members and deletes them. Questions for a member that come meanwhile are answered afterwards.
type removals struct {
	recovery
	removing int // folders that are being removed
}

// find gives the session's actor, started where it was passive.
func (s *removals) find(t Ticket, id string) {
	x := s.members.get(id)
	switch {
	case x == nil:
		s.out.fail(t, NotFound())
	case s.draining && !x.live:
		s.out.fail(t, draining())
	case x.isSealed():
		s.out.fail(t, leavingNode())
	case s.proofs.await(t, x):
	case x.live && !x.takes(s.draining):
		x.stir()
		x.found = append(x.found, t)
	default:
		if !x.live {
			if err := s.putAside(x); err != nil {
				s.out.fail(t, err)
				return
			}
			s.activate(x)
		}
		s.out.add(Given{t, id})
	}
}

// answerFound goes on with questions and letters that came while the session's actor was being stopped.
func (s *removals) answerFound(x *member) {
	if s.answerListed(x) {
		return
	}
	if x.busy == &calm {
		return
	}
	waiting := x.found
	x.found = nil
	for _, t := range waiting {
		s.find(t, x.summary.ID)
	}
	letters := x.letters
	x.letters = nil
	for _, l := range letters {
		if x.deleted() {
			s.out.add(Lose{l})
			continue
		}
		s.deliver(x, l)
	}
	x.settle()
}

// park asks the session to let its agent go; the answer comes as Parked. Questions for the session wait meanwhile.
func (s *removals) park(x *member) {
	x.parking = true
	s.show(x)
	s.out.add(Park{ID: x.summary.ID})
}

func (s *removals) parked(in *Parked) {
	x := s.members.byID[in.ID]
	if x == nil || !x.live || x.life != in.Life || x.stopping {
		return
	}
	x.parking = false
	s.show(x)
	if !in.Yes && x.isSealed() { // it was asked before
		s.parkNow(x)
		return
	}
	if !in.Yes && !s.draining {
		s.answerFound(x)
		if x.ended() { // somebody reads
			s.retention.declined(s.now, x)
		}
		s.awakened(x, false)
		return
	}
	s.stop(x)
}

// remove ends a session, stops its actor and then removes its folder, in this order; and likewise its sub-agents and the sessions that its agent made.
func (s *removals) remove(in *Delete) {
	x := s.members.get(in.ID)
	switch {
	case x == nil:
		s.out.fail(in.Ticket, NotFound())
		return
	case s.draining:
		s.out.fail(in.Ticket, draining())
		return
	case x.isSealed():
		s.out.fail(in.Ticket, leavingNode())
		return
	case in.Listed != nil:
		if !s.proofs.await(in.Ticket, x) {
			s.removeListed(x, in)
		}
		return
	}
	s.deletes(x, in.Ticket)
	for _, c := range s.members.childrenOf(in.ID) {
		s.remove(&Delete{ID: c.summary.ID})
	}
	switch {
	case !x.live:
		s.removeFolder(x)
	case !x.stopping:
		s.out.add(End{in.ID})
	}
}

// ended goes on with the removal of a session that has ended.
func (s *removals) ended(in *Ended) {
	x := s.members.byID[in.ID]
	if x == nil || !x.deleted() {
		return
	}
	if in.Err != nil {
		s.out.add(Unended{in.ID, in.Err})
	}
	if !x.live {
		s.removeFolder(x)
		return
	}
	s.stop(x)
}

// removeFolder takes a session away that has no actor any more: first its folder, then what is known of it.
func (s *removals) removeFolder(x *member) {
	if x.removing {
		return
	}
	x.removing = true
	s.removing++
	s.proofs.settle(x) // nobody asks its folder any more
	s.dropAgent(x)
	s.cancelStarting(x)
	sum := x.summary
	s.out.add(Revoke{sum.ID})
	if x.isWithdrawn() {
		s.out.add(Remove{ID: sum.ID, Agent: sum.Agent, Aside: x.sealed.name, Leaves: s.budgets.ledger.Parting(sum.ID)})
		return
	}
	native := sum.NativeSessionID
	if slices.ContainsFunc(s.members.onNative(sum.Agent, native), func(other *member) bool { return other != x }) {
		native = "" // another session works with the same session of the agent's, which must stay
	}
	s.out.add(Remove{ID: sum.ID, Agent: sum.Agent, NativeID: native, Foreign: x.foreign, Why: x.shelf.why, Leaves: s.budgets.ledger.Leaving(sum.ID)})
}

// removed forgets a session whose folder has gone.
func (s *removals) removed(in *Removed) {
	s.removing--
	x := s.members.byID[in.ID]
	if x == nil {
		return
	}
	x.removing = false
	gone := in.Done || s.current(x).Seq == 0 && !x.isWithdrawn()
	defer s.retain()
	s.discarded(x, gone)
	if !gone { // the folder could not be removed: the session stays listed, so that it can be deleted again
		s.stay(x)
		return
	}
	s.forget(x)
}

// forget answers all that wait for a session which is not there any more.
func (s *removals) forget(x *member) {
	s.childGone(x)
	s.damage(x, false)
	s.leave(x)
	for _, t := range x.deleting {
		s.out.done(t)
	}
	s.answerCreate(x, NotFound())
	if x.isSealed() { // and was never withdrawn: its folder could not be made
		x.found = append(x.found, x.sealed.waiting...)
	}
	for _, t := range x.found {
		s.out.fail(t, NotFound())
	}
	for _, in := range x.listed {
		s.out.fail(in.Ticket, NotFound())
	}
	for _, l := range x.letters {
		s.out.add(Lose{l})
	}
}

// proven goes on with what has waited for the folders of members. Those, and what ends with them, may have been left at work.
func (s *removals) proven(ids ...string) {
	for _, id := range ids {
		if x := s.members.byID[id]; x != nil && x.copied { // else it goes
			s.proofs.settle(x)
			s.answerFound(x)
			s.goesOn(x)
		}
	}
	if s.proofs.left == 0 {
		s.retain()
	}
}

// corrected has a member be what its folder says.
func (s *removals) corrected(in *Corrected) {
	x := s.members.byID[in.ID]
	switch {
	case x == nil || !x.copied:
	case in.Found == nil: // nothing is left of it
		s.proofs.settle(x)
		s.forget(x)
		s.goesOn(x)
		s.proven()
	default:
		s.replace(x, in.Found)
		s.proven(in.ID)
	}
}

// stay keeps a session, which has ended, whose folder could not be removed.
func (s *removals) stay(x *member) {
	if s.budgets.ledger.Leaving(x.summary.ID) != nil {
		s.out.add(Keep{budget.Line{Left: x.summary.ID}})
	}
	for _, t := range x.deleting {
		s.out.fail(t, &protocol.Problem{
			Code: protocol.CodeInternal, Detail: "The session's folder could not be removed.", Hint: "The daemon's log says why. Ask again.",
		})
	}
	x.deleting = nil
	s.show(x)
	s.answerFound(x)
}

// removeListed deletes a session only where it has not changed since it was listed. Its actor may have taken an input that its summary does not show
// yet, so the actor is stopped first: then no other goroutine has its reference, and its summary is complete.
func (s *removals) removeListed(x *member, in *Delete) {
	switch {
	case !s.unchanged(x, in.Listed):
		s.out.fail(in.Ticket, changed())
	case !x.live && !x.untold:
		s.remove(&Delete{Ticket: in.Ticket, ID: in.ID})
	case !x.live, x.creating != 0:
		s.out.fail(in.Ticket, changed())
	default:
		x.listed = append(x.listed, in)
		if !x.stopping && !x.parking {
			s.park(x)
		}
	}
}

// unchanged says that a session, and all that go with it, have ended, and that nothing has happened in it since it was listed.
func (s *removals) unchanged(x *member, listed *Cursor) bool {
	sum := s.current(x)
	if sum.Epoch != listed.Epoch || sum.Seq != listed.Seq {
		return false
	}
	family := []*member{x}
	for i := 0; i < len(family); i++ {
		if !family[i].ended() {
			return false
		}
		family = append(family, s.members.childrenOf(family[i].summary.ID)...)
	}
	return true
}

func changed() error {
	return &protocol.Problem{
		Code: protocol.CodeConflict, Detail: "The session is not what it was when it was listed, or it is in use.",
		Hint: protocol.TermListSessions + " says what it is now.",
	}
}

// answerListed goes on with deletions that wait for the session's actor to stop, and says whether the session is gone. Questions for the session that
// came meanwhile go first: one that is used must not be deleted.
func (s *removals) answerListed(x *member) (gone bool) {
	if len(x.listed) == 0 {
		return false
	}
	waiting := x.listed
	x.listed = nil
	for _, in := range waiting {
		if x.live || len(x.found) > 0 || len(x.letters) > 0 {
			s.out.fail(in.Ticket, changed())
			continue
		}
		s.remove(in)
	}
	return s.members.byID[x.summary.ID] != x
}
