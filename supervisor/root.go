package supervisor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// AddRoot adds a folder inside which sessions may work, where it is not inside one already, until the daemon ends.
type AddRoot struct {
	ask.Reply[struct{}]
	Folder []string // as resolveRoots has it
}

func (*AddRoot) message() {}

// roots are the folders inside which sessions may work, in all their spellings. Anybody may read them, and the supervisor alone adds to them.
type roots struct{ list atomic.Pointer[[]string] }

func newRoots(list []string) *roots {
	r := new(roots)
	r.list.Store(&list)
	return r
}

// all gives them; the slice is not to be changed.
func (r *roots) all() []string { return *r.list.Load() }

func (r *roots) add(paths []string) {
	list := append(slices.Clone(r.all()), paths...)
	r.list.Store(&list)
}

const (
	maxRoots    = 64   // folders that a daemon has to look through for each session
	maxRootPath = 4096 // bytes
)

// Roots says inside which folders sessions may work.
func (s *Supervisor) Roots(context.Context) ([]string, error) {
	return withoutLinks(s.roots.all()), nil
}

// AddRoot lets sessions work inside one folder more, by its absolute path, and says inside which they may.
func (s *Supervisor) AddRoot(ctx context.Context, path string) ([]string, error) {
	if !filepath.IsAbs(path) || len(path) > maxRootPath {
		return nil, badRoot(path, "it is no absolute path")
	}
	folder, err := resolveRoots([]string{filepath.Clean(path)})
	if err != nil {
		return nil, err
	}
	if _, err := ask.Ask(ctx, s.ref, func(r ask.Reply[struct{}]) Message { return &AddRoot{r, folder} }); err != nil {
		return nil, err
	}
	return s.Roots(ctx)
}

// withoutLinks leaves the other spellings of linked roots out, which are allowed as well.
func withoutLinks(roots []string) (list []string) {
	for _, root := range roots {
		if resolved, err := filepath.EvalSymlinks(root); err == nil && resolved == root && !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	return list
}

func (s *state) addRoot(m *AddRoot) {
	added := slices.DeleteFunc(m.Folder, func(path string) bool { return inside(s.roots.all(), path) })
	switch {
	case len(added) == 0:
	case len(s.roots.all())+len(added) > maxRoots:
		m.Fail(&protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("The daemon has %d roots, which is the limit.", len(s.roots.all())),
			Hint: "Start a daemon with a folder above them as its root.",
		})
		return
	default:
		s.roots.add(added)
		s.cfg.Log.Info("root added", zap.Strings("roots", added))
		for _, x := range s.members {
			s.goOn(x)
		}
	}
	m.Send(struct{}{})
}

// goOn has a session tried again of which a start was held back, where its folder may be worked in now as far as the roots say.
func (s *state) goOn(x *member) {
	if x.held && inside(s.roots.all(), x.summary.Cwd) {
		x.held = false
		s.deliver(x, session.Say(&session.GoOn{}))
	}
}
