package core

import (
	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A session that goes to another node is sealed first: its turn is interrupted, its agent let go, its actor stopped, and nothing wakes it. What its log has
// then is all that it has. After that it is withdrawn, or, where the other node does not come about, unsealed. One that comes arrives, and is taken up as
// one that an earlier daemon has left.
//
// Sessions that may go on elsewhere while this node is alive (Config.Moves) start no agent as long as it is not sure that they have not: Confirm tells.

type (
	// Arrived takes in a session of which the folder has come from elsewhere.
	Arrived struct {
		Ticket Ticket
		Found  Found
	}
	// Seal has a session go; Done answers it when nothing of it runs any more.
	Seal struct {
		Ticket Ticket
		ID     string
	}
	// Unseal has a sealed one stay.
	Unseal struct{ ID string }
	// Withdraw has a sealed session's log set aside under a name: from then on it is not this node's.
	Withdraw struct {
		Ticket   Ticket
		ID, Name string
	}
	// Confirm says whether this node is sure that nobody else has the sessions that may move.
	Confirm struct{ Sure bool }
	// Over says that sessions that are not here have ended, or were deleted: those that work for them here end.
	Over struct{ IDs []string }
)

func (*Arrived) input()  {}
func (*Seal) input()     {}
func (*Unseal) input()   {}
func (*Withdraw) input() {}
func (*Confirm) input()  {}
func (*Over) input()     {}

// moves has sessions go to other nodes, and come from them.
type moves struct{ removals }

func (s *moves) arrived(in *Arrived) {
	switch {
	case s.draining:
		s.out.fail(in.Ticket, draining())
		return
	case s.members.byID[in.Found.Summary.ID] != nil:
		s.out.fail(in.Ticket, changed())
		return
	}
	x := newMember(in.Found.Summary)
	x.isAs(&in.Found)
	s.join(x)
	s.out.done(in.Ticket)
	s.goesOn(x)
}

func (s *moves) seal(in *Seal) {
	x := s.members.get(in.ID)
	switch {
	case x == nil:
		s.out.fail(in.Ticket, NotFound())
		return
	case s.draining:
		s.out.fail(in.Ticket, draining())
		return
	case x.creating != 0:
		s.out.fail(in.Ticket, changed())
		return
	case s.proofs.await(in.Ticket, x):
		return
	}
	x.stir()
	if x.sealed == nil {
		x.sealed = new(sealed)
	}
	x.sealed.waiting = append(x.sealed.waiting, in.Ticket)
	s.retention.shelve(x, false) // it stays from now on, also while the mover waits for Core
	if !x.live {
		s.cancelStarting(x)
	} else if !x.stopping && !x.parking { // it cancels its start itself, and takes the exit
		s.parkNow(x)
	}
	s.sealing(x)
}

// parkNow has a session interrupt its turn and let its agent go. Questions for it wait meanwhile.
func (s *lives) parkNow(x *member) {
	x.parking = true
	s.show(x)
	s.out.add(Park{ID: x.summary.ID, Drain: true})
}

// sealing answers when nothing of a sealed member runs any more; nil: there is none.
func (s *moves) sealing(x *member) {
	if x == nil || !x.isSealed() || !x.isStill() {
		return
	}
	waiting := x.sealed.waiting
	x.sealed.waiting = nil
	for _, t := range waiting {
		s.out.done(t)
	}
}

func (s *moves) unseal(in *Unseal) {
	if x := s.members.byID[in.ID]; x != nil && x.isSealed() && !x.removing {
		for _, t := range x.sealed.waiting {
			s.out.fail(t, changed())
		}
		x.sealed = nil
		s.retention.shelve(x, s.sizes())
		s.answerFound(x)
		x.settle()
		if s.recovers && s.orphaned(x) && s.mayEnd(x) { // its parent has ended meanwhile, and nothing reached this one
			s.endChild(x)
		}
	}
}

func (s *moves) withdraw(in *Withdraw) {
	x := s.members.get(in.ID)
	switch {
	case x == nil:
		s.out.fail(in.Ticket, NotFound())
	case !x.isSealed() || !x.isStill():
		s.out.fail(in.Ticket, changed())
	default:
		x.sealed.name = in.Name
		s.deletes(x, in.Ticket)
		s.removeFolder(x)
	}
}

// confirm has the agents of sessions that may move let go where this node may be cut off, and goes on with them when it knows that it is not.
func (s *moves) confirm(in *Confirm) {
	if s.cfg.Moves == nil || s.unsure == !in.Sure || s.draining {
		return
	}
	s.unsure = !in.Sure
	if s.unsure {
		for _, x := range s.members.alive() {
			if s.mayMove(x) && !x.deleted() && !x.stopping && !x.parking && (x.linked != 0 || x.wanted > 0) {
				s.parkNow(x)
			}
		}
		return
	}
	var left []*member
	for _, x := range s.members.inOrder() {
		switch {
		case !s.mayMove(x) || x.deleted() || x.isSealed():
		case !x.live && s.recovers && s.left(x):
			left = append(left, x)
		default:
			s.goOn(x)
		}
	}
	if len(left) > 0 {
		s.takeUp(left...)
	}
}

// over ends what works here for sessions that are over. Who says so says it again where that does not come to pass.
func (s *moves) over(in *Over) {
	for _, id := range in.IDs {
		for _, x := range s.members.childrenOf(id) {
			if s.members.byID[id] == nil && s.mayEnd(x) { // else it has come
				s.endChild(x)
			}
		}
	}
}

// mayEnd says that a session that has not ended is this node's to end, and that its log takes that.
func (s *moves) mayEnd(x *member) bool {
	isWritten := !x.damaged && !x.unread && !x.summary.ReadOnly && x.summary.Damage == nil
	return isWritten && !x.ended() && !x.isSealed() && !(s.unsure && s.mayMove(x))
}

// mayMove says that a session may go on at another node while this one is alive.
func (s *lives) mayMove(x *member) bool {
	return s.cfg.Moves != nil && x.endpoint == nil && s.cfg.Moves(x.summary)
}

// withheld gives the exit of a start that must not be: another node may have the session.
func (s *lives) withheld(x *member, start *session.StartAgent) bool {
	if !s.unsure || !s.mayMove(x) {
		return false
	}
	x.wanted, x.held = 0, true
	s.exit(x, start.Incarnation, exitUnsure())
	return true
}

func exitUnsure() adapters.Exit {
	return adapters.Exit{Code: -1, Held: true, Error: "Core does not confirm that the session is this node's: another one may have taken it over"}
}

func leavingNode() error {
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: "The session is on its way to another node.", Hint: "Ask again in a moment.",
	}
}
