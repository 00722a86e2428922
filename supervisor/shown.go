package supervisor

import (
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// shown is what others see of the sessions without asking.
type shown struct {
	directory *directory.Directory
	roster    *roster.Roster
}

// put shows a session as it is now. h is nil where it was never taken up.
func (s *shown) put(id string, e core.Entry, h *home, sum *session.Summary) {
	var head *session.Head
	if h != nil {
		head = h.head
	}
	s.directory.Put(id, entryOf(e, h)) // first: whoever sees in the list that it is live finds it
	if sum != nil {
		s.roster.Put(sum, head, e.Takes)
	}
}

// entryOf is what the directory has of a session.
func entryOf(e core.Entry, h *home) directory.Entry {
	out := directory.Entry{Cwd: e.Cwd, Owner: e.Owner, Parent: e.Parent, Ended: e.Ended, Pinned: e.Pinned, Attached: e.Attached}
	if e.Takes {
		out.Ref = h.ref
	}
	return out
}

// remove takes a session out, which may be elsewhere still.
func (s *shown) remove(id string, stays bool) {
	s.directory.Remove(id)
	s.roster.Hide(id, stays)
}

// depart takes a session out that is another node's.
func (s *shown) depart(id string) {
	s.directory.Remove(id)
	s.roster.Leave(id)
}
