package supervisor

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// Questions about the folders inside which sessions may work. The answers are all their spellings: who asks looks which of them are links, since
// the supervisor waits for no disk.
type (
	// ListRoots gives them.
	ListRoots struct{ ask.Reply[[]string] }

	// AddRoot adds one, where it is not inside one already, until the daemon ends, and gives them.
	AddRoot struct {
		ask.Reply[[]string]
		Folder []string // as resolveRoots has it
	}
)

func (*ListRoots) message() {}
func (*AddRoot) message()   {}

const (
	maxRoots    = 64   // folders that a daemon has to look through for each session
	maxRootPath = 4096 // bytes
)

// Roots says inside which folders sessions may work.
func (s *Supervisor) Roots(ctx context.Context) ([]string, error) {
	roots, err := ask.Ask(ctx, s.ref, func(r ask.Reply[[]string]) Message { return &ListRoots{r} })
	return withoutLinks(roots), err
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
	roots, err := ask.Ask(ctx, s.ref, func(r ask.Reply[[]string]) Message { return &AddRoot{r, folder} })
	return withoutLinks(roots), err
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
	added := slices.DeleteFunc(m.Folder, func(path string) bool { return inside(s.roots, path) })
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
		for _, x := range s.members {
			s.goOn(x)
		}
	}
	m.Send(slices.Clone(s.roots))
}

// goOn has a session tried again of which a start was held back, where its folder may be worked in now as far as the roots say.
func (s *state) goOn(x *member) {
	if x.held && inside(s.roots, x.summary.Cwd) {
		x.held = false
		s.deliver(x, &session.GoOn{})
	}
}
