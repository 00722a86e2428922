package supervisor

import (
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
	outside := &protocol.Problem{
		Code: protocol.CodeCwdNotAllowed, Detail: "The working directory must lie inside one of the daemon's roots.",
		Hint: "Give an absolute path inside a root, or add the folder on the daemon's machine: ringmaster root add DIR.",
	}
	if !filepath.IsAbs(cwd) || strings.ContainsRune(cwd, 0) || !inside(roots, filepath.Clean(cwd)) {
		return "", outside
	}
	resolved, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return "", &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The working directory does not exist or cannot be entered.",
			Hint: "Make the folder first; the daemon makes none.",
		}
	}
	if !inside(roots, resolved) {
		return "", outside
	}
	if info, err := os.Stat(resolved); err != nil || !info.IsDir() {
		return "", &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "The working directory is not a directory.", Hint: "Give a folder.",
		}
	}
	return resolved, nil
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
