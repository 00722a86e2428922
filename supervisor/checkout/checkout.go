package checkout

import (
	"os"
	"path/filepath"
	"strings"
)

// Head is what is checked out. Empty members are not known, or not there: a branch without a commit is one that has none yet, a commit without
// a branch is checked out by itself.
type Head struct {
	Branch string // without refs/heads/
	Commit string // in hexadecimal
}

// Of looks for the repository that a folder is in, upwards from the folder. dir is absolute and free of links; roots are the folders inside which names in
// files are followed, also free of links. Where there is no repository, or none that can be read, nothing is known.
func Of(dir string, roots []string) Head {
	for range maxDepth {
		git, found := repository(dir, roots)
		if found && git == nil {
			return Head{}
		}
		if found {
			head := git.head()
			git.close()
			return head
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return Head{}
}

// Bounds of what is read.
const (
	maxDepth  = 256      // folders upwards, and no path has more
	maxSmall  = 8 << 10  // bytes of a file with one name
	maxPacked = 64 << 20 // bytes of packed-refs: a million references
	maxLinks  = 5        // of references that name others
	maxName   = 1 << 10  // bytes of a branch's name
)

// store is an open repository.
type store struct {
	own    *os.Root // with HEAD
	common *os.Root // with the references: of a work tree another one, else the same
}

func (g *store) close() {
	_ = g.own.Close()
	if g.common != g.own {
		_ = g.common.Close()
	}
}

// repository opens the repository of a folder, where .git is there; nil: it cannot be read.
func repository(dir string, roots []string) (g *store, found bool) {
	at := filepath.Join(dir, ".git")
	link, err := os.Lstat(at)
	if err != nil {
		return nil, false
	}
	own := at
	if link.Mode()&os.ModeSymlink != 0 { // its target counts as one that a file names
		if own, err = filepath.EvalSymlinks(at); err != nil {
			return nil, true
		}
	}
	info, err := os.Lstat(own)
	switch {
	case err != nil:
		return nil, true
	case info.IsDir() && own != at && !inside(roots, own):
		return nil, true
	case info.IsDir():
	case info.Mode().IsRegular() && own == at:
		if own = named(dir, at, roots); own == "" {
			return nil, true
		}
	default:
		return nil, true
	}
	g = open(own, roots)
	// git goes on upwards where a folder .git is no repository, such as an empty one.
	return g, g != nil || !info.IsDir()
}

// named is the folder that a file .git names; empty: none that may be followed.
func named(dir, file string, roots []string) string {
	text, ok := smallIn(dir, ".git")
	target, is := strings.CutPrefix(text, "gitdir: ")
	if !ok || !is {
		return ""
	}
	if target = strings.TrimRight(target, "\r\n"); !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	resolved, err := filepath.EvalSymlinks(target)
	if err != nil || !inside(roots, resolved) && !namesBack(resolved, file) {
		return ""
	}
	return resolved
}

// namesBack says that a repository knows a work tree by its file .git.
func namesBack(own, file string) bool {
	text, ok := smallIn(own, "gitdir")
	if !ok {
		return false
	}
	back := strings.TrimRight(text, "\r\n")
	if !filepath.IsAbs(back) {
		back = filepath.Join(own, back)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(back))
	return err == nil && filepath.Join(folder, filepath.Base(back)) == file
}

func smallIn(dir, name string) (text string, ok bool) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", false
	}
	defer root.Close()
	return small(root, name)
}

// open opens a repository and the one with its references, which is the same, or named by a file and around it or inside the roots.
func open(own string, roots []string) *store {
	root, err := os.OpenRoot(own)
	if err != nil {
		return nil
	}
	g := &store{own: root, common: root}
	if _, ok := small(root, "HEAD"); !ok {
		g.close()
		return nil
	}
	if text, ok := small(root, "commondir"); ok {
		target := strings.TrimRight(text, "\r\n")
		if !filepath.IsAbs(target) {
			target = filepath.Join(own, target)
		}
		common, err := filepath.EvalSymlinks(target)
		if err == nil && !inside(roots, common) && !inside([]string{common}, own) {
			err = os.ErrPermission
		}
		if err == nil {
			g.common, err = os.OpenRoot(common)
		}
		if err != nil {
			g.common = root
			g.close()
			return nil
		}
	}
	return g
}

func inside(roots []string, path string) bool {
	for _, root := range roots {
		if path == root || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/") {
			return true
		}
	}
	return false
}
