package supervisor

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

func (s *Supervisor) workplace(n *NewSession) (w workdir.Place) {
	if n.Cwd != "" || !n.Spawned {
		w.Cwd, w.Err = workdir.Resolve(s.roots.All(), n.Cwd)
	}
	return w
}

// CheckFolder says whether the session's folder may still be worked in: an error is a *protocol.Problem. It looks at the disk in the
// caller's goroutine.
func (s *Supervisor) CheckFolder(ctx context.Context, id string) error {
	if e, ok := s.directory.Find(id); ok {
		if e.Ended {
			return nil
		}
		return workdir.Check(s.roots.All(), e.Cwd)
	}
	sum, err := s.Look(ctx, id)
	if err != nil || sum.Status.State.Ended() {
		return err
	}
	return workdir.Check(s.roots.All(), sum.Cwd)
}
