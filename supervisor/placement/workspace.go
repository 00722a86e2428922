package placement

import (
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// Workspace is a folder that more than one node has, at the same place: a shared disk, or a checkout that each keeps as the others do. Sessions in it may go on
// at any of them. Agents keep absolute paths in their own sessions, so that a workspace at another place is another one.
type Workspace struct {
	Name   string
	Folder string   // absolute, as it was named
	Roots  []string // as workdir.ResolveRoots makes of it
}

// String is how nodes name it to each other.
func (w Workspace) String() string { return w.Name + "=" + w.Folder }

// Workspaces are those of a node.
type Workspaces struct {
	List []Workspace
	// Auto: their sessions go on at another node when this one is gone; else they wait for it.
	Auto bool
	// Resumes says that an agent goes on with its own session, also where another process had it.
	Resumes func(agent string) bool
}

// Names are how nodes name them to each other.
func (w *Workspaces) Names() (names []string) {
	for _, one := range w.List {
		names = append(names, one.String())
	}
	return names
}

// Place says in which of them a session is, and where it may go on; empty: in none.
func (w *Workspaces) Place(cwd, agent string) (workspace string, may core.Failover) {
	for _, one := range w.List {
		if !workdir.Inside(one.Roots, cwd) {
			continue
		}
		if w.Auto && w.Resumes(agent) {
			return one.String(), core.FailoverAuto
		}
		return one.String(), core.FailoverStay
	}
	return "", core.FailoverStay
}

// Moves says that a session goes on at another node when this one is gone.
func (w *Workspaces) Moves(cwd, agent string) bool {
	_, may := w.Place(cwd, agent)
	return may == core.FailoverAuto
}
