package supervisor

import (
	"context"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// AddRoot adds a folder inside which sessions may work, where it is not inside one already, until the daemon ends.
type AddRoot struct {
	ask.Reply[struct{}]
	Folder []string // as workdir.ResolveRoots has it
}

func (*AddRoot) message() {}

const maxRootPath = 4096 // bytes

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
