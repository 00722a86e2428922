package elsewhere

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// NodeOf gives what moving sessions needs of a daemon. Its store must give logs away; what is of the machine (Agents, Files, Data, Boot) the caller adds.
func NodeOf(e *Elsewhere, o *outbox.Outbox, w *placement.Workspaces) *placement.Node {
	return &placement.Node{
		Sessions: supervisor.MovesOf(e.Supervisor), Workspaces: w.Names, Moved: e.Moved, InCore: o.Await, Logs: e.Logs(),
		IsRetired: o.IsRetired, MayReturn: o.MayReturn, KeepRetired: o.KeepRetired, Returned: o.Returned,
		Knows: func(id string) bool { return e.isHere(id) || o.IsLeaving(id) },
		Newest: func(id string) protocol.Cursor {
			if s := e.Roster().Find(id); s != nil && !s.Away {
				return s.Cursor()
			}
			return protocol.Cursor{}
		},
		Here: func() (list []placement.Here) {
			all, _, _ := e.Roster().Since(0)
			for _, s := range all {
				if s.Away {
					continue
				}
				if at, ok := e.Supervisor.Known(s.ID); ok {
					about := s.About()
					in, _ := w.Place(at.Cwd, about.Agent)
					list = append(list, placement.Here{
						ID: s.ID, Parent: at.Parent, Busy: about.Status.State.Busy() || about.Status.QueuedPrompts > 0, Placed: in != "" && !at.Attached,
					})
				}
			}
			return list
		},
	}
}

// EpochIn gives the newest epochs of sessions that a supervisor has; 0: it does not have the session.
func EpochIn(s *supervisor.Supervisor) func(id string) uint64 {
	return func(id string) uint64 {
		found := s.Roster().Find(id)
		if _, ok := s.Known(id); !ok || found == nil {
			return 0
		}
		return found.Cursor().Epoch
	}
}
