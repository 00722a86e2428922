package supervisor

import "github.com/ringmaster-agents/ringmaster/protocol"

// deleteListed deletes a session only where it still is what was listed. An actor may have taken something of which nobody was told yet, so it is
// put away first: then nobody has it any more, and what it has taken is in its summary.
func (s *state) deleteListed(x *member, m *Delete) {
	switch {
	case !s.unchanged(x, m):
		m.Fail(changed())
	case x.pid == nil && !x.untold:
		s.delete(&Delete{Reply: m.Reply, ID: m.ID})
	case x.pid == nil, x.creating != nil:
		m.Fail(changed())
	default:
		x.listed = append(x.listed, m)
		if !x.stopping && !x.parking {
			s.park(x, false)
		}
	}
}

// unchanged says that a session, and all that go with it, have ended, and that nothing has happened in it since it was listed.
func (s *state) unchanged(x *member, m *Delete) bool {
	sum := x.current()
	if sum.Epoch != m.Listed.Epoch || sum.Seq != m.Listed.Seq {
		return false
	}
	family := []*member{x}
	for i := 0; i < len(family); i++ {
		if !family[i].summary.Status.State.Ended() {
			return false
		}
		family = append(family, s.childrenOf(family[i].summary.ID)...)
	}
	return true
}

func changed() error {
	return &protocol.Problem{
		Code: protocol.CodeConflict, Detail: "The session is not what it was when it was listed, or it is in use.",
		Hint: protocol.TermListSessions + " says what it is now.",
	}
}

// answerListed goes on with those who wait for a session's actor to be put away, and says whether the session is gone. Whoever has asked for the session
// meanwhile goes first.
func (s *state) answerListed(x *member) (gone bool) {
	waiting := x.listed
	x.listed = nil
	for _, m := range waiting {
		if x.pid != nil || len(x.found) > 0 || len(x.letters) > 0 {
			m.Fail(changed())
			continue
		}
		s.delete(m)
	}
	return s.members[x.summary.ID] != x
}
