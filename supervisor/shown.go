package supervisor

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
)

// takes says that a session's actor is there and takes questions: it is not being put away, and the session not being deleted. While the daemon
// drains, all are put away, and take questions as long as they are there.
func (x *member) takes(draining bool) bool {
	return x.pid != nil && !x.stopping && (!x.parking || draining) && len(x.deleting) == 0
}

// show tells the directory of a session. It is called wherever what takes looks at, or the summary, has changed.
func (s *state) show(x *member) {
	if e := x.entry(s.draining); s.members[x.summary.ID] == x && len(x.deleting) == 0 {
		s.directory.Put(x.summary.ID, e)
	} else {
		s.directory.Remove(x.summary.ID)
	}
}

// entry is what the directory has to say of a session that is not being deleted.
func (x *member) entry(draining bool) directory.Entry {
	sum := &x.summary
	e := directory.Entry{Cwd: sum.Cwd, Owner: sum.Owner, Parent: sum.ParentSessionID, Ended: sum.Status.State.Ended()}
	if x.takes(draining) {
		e.Ref = x.ref
	}
	return e
}

// checkDirectory looks whether the directory says of all sessions what is so: once, when the daemon ends.
func (s *state) checkDirectory() {
	there := 0
	for id, x := range s.members {
		if len(x.deleting) > 0 {
			continue
		}
		there++
		if got, ok := s.directory.Find(id); !ok || got != x.entry(s.draining) {
			invariant.Broken(fmt.Sprintf("the directory has session %s as %+v (%t), and it is %+v", id, got, ok, x.entry(s.draining)))
		}
	}
	if n := s.directory.Len(); n != there {
		invariant.Broken(fmt.Sprintf("the directory has %d sessions, and there are %d", n, there))
	}
}
