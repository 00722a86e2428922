package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// leaving is a member that goes: nobody finds it any more, and its folder is removed when its turn comes.
type leaving struct {
	member *member
	bytes  int64
}

// discard has a session go that has no actor.
func (s *removals) discard(x *member, why keep.Why) {
	r := &s.retention
	x.shelf.why = why
	r.leaving = append(r.leaving, leaving{x, x.shelf.bytes})
	r.measured(x, 0, 0) // now, so that no more goes than must; measured again where it stays
	s.deletes(x, 0)
}

// removeNext has the folders of those that go removed, as many as may be at once: a tree goes as a whole, and may have thousands. In a drain it goes on, as far
// as there is time, since a part of a tree has holes.
func (s *removals) removeNext() {
	r := &s.retention
	for len(r.leaving) > 0 && r.going < retainTogether {
		next := r.leaving[0]
		r.leaving[0], r.leaving = leaving{}, r.leaving[1:]
		r.going++
		x := next.member
		s.out.add(Discarding{ID: x.summary.ID, Why: x.shelf.why, Bytes: next.bytes, Since: time.UnixMilli(x.shelf.since).UTC()})
		s.removeFolder(x)
	}
}

// discarded takes the end of that.
func (s *removals) discarded(x *member, done bool) {
	if x.shelf.why == "" {
		return
	}
	s.out.add(Discarded{ID: x.summary.ID, Why: x.shelf.why, Done: done})
	x.shelf.why, x.shelf.sized = "", false
	s.retention.going--
	if !done {
		s.retention.putAside(s.now, x)
	}
}
