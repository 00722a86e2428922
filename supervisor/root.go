package supervisor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

// AddRoot adds a folder inside which sessions may work, where it is not inside one already, until the daemon ends.
type AddRoot struct {
	ask.Reply[struct{}]
	Folder []string // as workdir.ResolveRoots has it
}

func (*AddRoot) message() {}

const (
	maxRoots    = 64   // folders that a daemon has to look through for each session
	maxRootPath = 4096 // bytes
)

// Roots says inside which folders sessions may work.
func (s *Supervisor) Roots(context.Context) ([]string, error) {
	return workdir.WithoutLinks(s.roots.All()), nil
}

// AddRoot lets sessions work inside one folder more, by its absolute path, and says inside which they may.
func (s *Supervisor) AddRoot(ctx context.Context, path string) ([]string, error) {
	if !filepath.IsAbs(path) || len(path) > maxRootPath {
		return nil, workdir.BadRoot(path, "it is no absolute path")
	}
	folder, err := workdir.ResolveRoots([]string{filepath.Clean(path)})
	if err != nil {
		return nil, err
	}
	if _, err := ask.Ask(ctx, s.ref, func(r ask.Reply[struct{}]) Message { return &AddRoot{r, folder} }); err != nil {
		return nil, err
	}
	return s.Roots(ctx)
}

func (s *state) addRoot(m *AddRoot) {
	added := slices.DeleteFunc(m.Folder, func(path string) bool { return workdir.Inside(s.roots.All(), path) })
	switch {
	case len(added) == 0:
	case len(s.roots.All())+len(added) > maxRoots:
		m.Fail(&protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("The daemon has %d roots, which is the limit.", len(s.roots.All())),
			Hint: "Start a daemon with a folder above them as its root.",
		})
		return
	default:
		s.roots.Add(added)
		s.cfg.Log.Info("root added", zap.Strings("roots", added))
		for _, x := range s.members {
			s.goOn(x)
		}
	}
	m.Send(struct{}{})
}

// goOn has a session tried again of which a start was held back, where its folder may be worked in now as far as the roots say.
func (s *state) goOn(x *member) {
	if x.held && workdir.Inside(s.roots.All(), x.summary.Cwd) {
		x.held = false
		s.deliver(x, session.Say(&session.GoOn{}))
	}
}
