package supervisor

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
)

// takes says that a session's actor is there and takes questions: it is not being put away. While the daemon drains, all are, and take
// questions as long as they are there.
func (x *member) takes(draining bool) bool {
	return x.pid != nil && !x.stopping && (!x.parking || draining)
}

// show tells the directory of a session. It is called wherever what takes looks at, or the summary, has changed.
func (s *state) show(x *member) {
	if id := x.summary.ID; s.members[id] == x && len(x.deleting) == 0 {
		s.directory.Put(id, x.entry(s.draining))
	} else {
		s.directory.Remove(id)
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
			invariant.Broken("the directory is wrong about session " + id)
		}
	}
	if n := s.directory.Len(); n != there {
		invariant.Broken(fmt.Sprintf("the directory has %d sessions, and there are %d", n, there))
	}
}
