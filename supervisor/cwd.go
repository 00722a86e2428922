package supervisor

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// resolveCwd gives the folder that an agent works in, without links, when it lies inside a root. The answer to a folder
// outside says nothing about what is there.
func resolveCwd(roots []string, cwd string) (string, error) {
	if cwd == "" && len(roots) > 0 {
		cwd = roots[0]
	}
	if !filepath.IsAbs(cwd) || strings.ContainsRune(cwd, 0) || !inside(roots, filepath.Clean(cwd)) {
		return "", outside()
	}
	resolved, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return "", &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The working directory does not exist or cannot be entered.",
			Hint: "Make the folder first; the daemon makes none.",
		}
	}
	if !inside(roots, resolved) {
		return "", outside()
	}
	if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
		return "", &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The working directory is not a directory.", Hint: "Give a folder.",
		}
	}
	return resolved, nil
}

// checkCwd says whether a session's folder is still what it was when the session was made: there, inside a root, and reached by no link. It
// has no links in it (resolveCwd), but whoever may write beside it can put one there.
func checkCwd(roots []string, cwd string) error {
	resolved, err := resolveCwd(roots, cwd)
	if err != nil || resolved == cwd {
		return err
	}
	return &protocol.Problem{
		Code: protocol.CodeCwdNotAllowed, Detail: "The session's working directory has become a link to another folder.",
		Hint: "Put the folder back where it was, or make a new session.",
	}
}

// workplace is where a new session is to work, as whoever asks for it has found it on the disk: the supervisor waits for none. The zero
// workplace is the parent's.
type workplace struct {
	cwd string
	err error // why it cannot be
}

func (s *Supervisor) workplace(n *NewSession) (w workplace) {
	if n.Cwd != "" || !n.Spawned {
		w.cwd, w.err = resolveCwd(s.roots.all(), n.Cwd)
	}
	return w
}

// settle gives a new session its folder. That of its parent was looked at when the parent's agent was started, and is again for its own.
func (w workplace) settle(roots []string, n *NewSession) error {
	switch {
	case w.err != nil:
		return w.err
	case w.cwd != "":
		n.Cwd = w.cwd
	case !inside(roots, n.Cwd):
		return outside()
	}
	return nil
}

func outside() error {
	return &protocol.Problem{
		Code: protocol.CodeCwdNotAllowed, Detail: "The working directory must lie inside one of the daemon's roots.",
		Hint: "Give an absolute path inside a root, or add the folder on the daemon's machine: ringmaster root add DIR.",
	}
}

// CheckFolder says whether the session's folder may still be worked in: an error is a *protocol.Problem. It looks at the disk in the
// caller's goroutine.
func (s *Supervisor) CheckFolder(ctx context.Context, id string) error {
	if e, ok := s.directory.Find(id); ok {
		if e.Ended {
			return nil
		}
		return checkCwd(s.roots.all(), e.Cwd)
	}
	sum, err := s.Look(ctx, id)
	if err != nil || sum.Status.State.Ended() {
		return err
	}
	return checkCwd(s.roots.all(), sum.Cwd)
}

func inside(roots []string, path string) bool {
	for _, root := range roots {
		if path == root || root == "/" || strings.HasPrefix(path, root+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// resolveRoots makes roots absolute and free of links; one that is no folder is an error, since a typing error must not open or close
// anything by accident. Both spellings of a linked root are allowed.
func resolveRoots(roots []string) ([]string, error) {
	var out []string
	for _, r := range roots {
		abs, err := filepath.Abs(r)
		var resolved string
		if err == nil {
			resolved, err = filepath.EvalSymlinks(abs)
		}
		if err != nil {
			return nil, badRoot(r, err.Error())
		}
		if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
			return nil, badRoot(r, "it is no folder")
		}
		out = append(out, resolved)
		if abs != resolved {
			out = append(out, abs)
		}
	}
	return out, nil
}

func badRoot(root, why string) error {
	return &protocol.Problem{
		Code: protocol.CodeInvalidRequest, Detail: "The root " + root + " cannot be used: " + why + ".",
		Hint: "Name a folder that is there, by its absolute path.",
	}
}
