package core

import "github.com/ringmaster-agents/ringmaster/supervisor/keep"

// Shelved are all sessions as retention sees them, in no order.
func (s *State) Shelved() []keep.Shelved {
	all := make([]keep.Shelved, 0, len(s.members.byID))
	for id, x := range s.members.byID {
		if x.deleted() {
			continue
		}
		sum := s.current(x)
		all = append(all, keep.Shelved{
			ID: id, Parent: sum.ParentSessionID, Since: sum.Updated, Ended: x.ended(), Stays: x.stays(), Bytes: x.shelf.bytes,
			Raw: x.shelf.raw, Sized: x.shelf.sized,
		})
	}
	return all
}

// stays says why a session does not go; empty: nothing keeps it.
func (x *member) stays() string {
	switch {
	case x.summary.Pinned:
		return "pinned"
	case x.damaged, x.summary.Damage != nil:
		return "damaged"
	case x.unread:
		return "a newer build wrote it"
	case len(x.summary.Open) > 0:
		return "a request is open"
	case !x.rests():
		return "in use"
	}
	return ""
}
