// Package workdir says in which folders of the machine sessions may work.
package workdir

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Resolve gives the folder that an agent works in, without links, when it lies inside a root. The answer to a folder
// outside says nothing about what is there.
func Resolve(roots []string, cwd string) (string, error) {
	if cwd == "" && len(roots) > 0 {
		cwd = roots[0]
	}
	if !filepath.IsAbs(cwd) || strings.ContainsRune(cwd, 0) || !Inside(roots, filepath.Clean(cwd)) {
		return "", outside()
	}
	resolved, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return "", &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The working directory does not exist or cannot be entered.",
			Hint: "Make the folder first; the daemon makes none.",
		}
	}
	if !Inside(roots, resolved) {
		return "", outside()
	}
	if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
		return "", &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The working directory is not a directory.", Hint: "Give a folder.",
		}
	}
	return resolved, nil
}

// Check says whether a session's folder is still what it was when the session was made: there, inside a root, and reached by no link. It
// has no links in it (Resolve), but whoever may write beside it can put one there.
func Check(roots []string, cwd string) error {
	resolved, err := Resolve(roots, cwd)
	if err != nil || resolved == cwd {
		return err
	}
	return &protocol.Problem{
		Code: protocol.CodeCwdNotAllowed, Detail: "The session's working directory has become a link to another folder.",
		Hint: "Put the folder back where it was, or make a new session.",
	}
}

// Place is where a new session is to work, as whoever asks for it has found it on the disk: the supervisor waits for none. The zero
// Place is the parent's.
type Place struct {
	Cwd string
	Err error // why it cannot be
}

// Settle gives a new session its folder. That of its parent was looked at when the parent's agent was started, and is again for its own.
func (w Place) Settle(roots []string, cwd *string) error {
	switch {
	case w.Err != nil:
		return w.Err
	case w.Cwd != "":
		*cwd = w.Cwd
	case !Inside(roots, *cwd):
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

// Inside says that a path is one of the roots, or lies below one.
func Inside(roots []string, path string) bool {
	for _, root := range roots {
		if path == root || root == "/" || strings.HasPrefix(path, root+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// ResolveRoots makes roots absolute and free of links; one that is no folder is an error, since a typing error must not open or close
// anything by accident. Both spellings of a linked root are allowed.
func ResolveRoots(roots []string) ([]string, error) {
	var out []string
	for _, r := range roots {
		abs, err := filepath.Abs(r)
		var resolved string
		if err == nil {
			resolved, err = filepath.EvalSymlinks(abs)
		}
		if err != nil {
			return nil, BadRoot(r, err.Error())
		}
		if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
			return nil, BadRoot(r, "it is no folder")
		}
		out = append(out, resolved)
		if abs != resolved {
			out = append(out, abs)
		}
	}
	return out, nil
}

// BadRoot says why a folder can be no root.
func BadRoot(root, why string) error {
	return &protocol.Problem{
		Code: protocol.CodeInvalidRequest, Detail: "The root " + root + " cannot be used: " + why + ".",
		Hint: "Name a folder that is there, by its absolute path.",
	}
}
