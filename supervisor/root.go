package supervisor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// Questions about the folders inside which sessions may work.
type (
	// ListRoots gives them.
	ListRoots struct{ ask.Reply[[]string] }

	// AddRoot adds one, where it is not inside one already, until the daemon ends, and gives them.
	AddRoot struct {
		ask.Reply[[]string]
		Path string // absolute
	}
)

func (*ListRoots) message() {}
func (*AddRoot) message()   {}

// maxRoots is how many folders a daemon has to look through for each session.
const maxRoots = 64

// Roots says inside which folders sessions may work.
func (s *Supervisor) Roots(ctx context.Context) ([]string, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[[]string]) Message { return &ListRoots{r} })
}

// AddRoot lets sessions work inside one folder more, and says inside which they may.
func (s *Supervisor) AddRoot(ctx context.Context, path string) ([]string, error) {
	return ask.Ask(ctx, s.ref, func(r ask.Reply[[]string]) Message { return &AddRoot{r, path} })
}

// listRoots gives the roots without links; the other spellings of linked ones are allowed as well.
func (s *state) listRoots() []string {
	var list []string
	for _, root := range s.roots {
		if resolved, err := filepath.EvalSymlinks(root); err == nil && resolved == root && !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	return list
}

func (s *state) addRoot(m *AddRoot) {
	if !filepath.IsAbs(m.Path) || len(m.Path) > maxRootPath {
		m.Fail(badRoot(m.Path, "it is no absolute path"))
		return
	}
	added, err := resolveRoots([]string{filepath.Clean(m.Path)})
	if err != nil {
		m.Fail(err)
		return
	}
	added = slices.DeleteFunc(added, func(path string) bool { return inside(s.roots, path) })
	switch {
	case len(added) == 0:
	case len(s.roots)+len(added) > maxRoots:
		m.Fail(&protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("The daemon has %d roots, which is the limit.", len(s.roots)),
			Hint: "Start a daemon with a folder above them as its root.",
		})
		return
	default:
		s.roots = append(s.roots, added...)
		s.cfg.Log.Info("root added", zap.Strings("roots", added))
	}
	m.Send(s.listRoots())
}

const maxRootPath = 4096 // bytes
