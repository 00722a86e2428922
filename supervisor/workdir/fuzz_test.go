package workdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzCwd: whatever a client gives, an agent works in a folder inside a root, without links, or nowhere (promise 14.5). ROOT in what is
// given stands for the root, and OUT for a folder beside it.
func FuzzCwd(f *testing.F) {
	base, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	root, out := filepath.Join(base, "work"), filepath.Join(base, "work-not")
	for _, dir := range []string{filepath.Join(root, "in", "deep"), filepath.Join(out, "in")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			f.Fatal(err)
		}
	}
	for name, to := range map[string]string{"way-out": out, "way-up": "..", "way-in": "in", "loop": "loop", "in/back": "../../work-not/in"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			f.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "file"), nil, 0o600); err != nil {
		f.Fatal(err)
	}
	for _, cwd := range []string{
		"", "/", "ROOT", "ROOT/", "ROOT/in/deep", "ROOT/../work-not", "ROOT-not/in", "ROOT/way-out/in", "ROOT/way-up/work-not", "ROOT/way-in/deep",
		"ROOT/loop", "ROOT/in/back", "ROOT/in/back/..", "ROOT/file", "ROOT/file/..", "OUT", "in", "./in", "ROOT/\x00", "ROOT//in/./deep/../deep", "OUT/../work/in",
	} {
		f.Add(cwd)
	}
	roots, err := ResolveRoots([]string{root})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, cwd string) {
		cwd = strings.NewReplacer("ROOT", root, "OUT", out).Replace(cwd)
		got, err := Resolve(roots, cwd)
		if err != nil {
			return
		}
		if plain, err := filepath.EvalSymlinks(got); err != nil || plain != got || !filepath.IsAbs(got) {
			t.Fatalf("%q: %q is a link to %q, %v", cwd, got, plain, err)
		}
		if info, err := os.Stat(got); err != nil || !info.IsDir() {
			t.Fatalf("%q: %q is no folder: %v", cwd, got, err)
		}
		if rel, err := filepath.Rel(root, got); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
			t.Fatalf("%q: %q is outside of %q", cwd, got, root)
		}
	})
}
