package supervisor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestAddRoot: a folder that is added takes sessions at once, by its links too, and until the daemon ends; what is no folder is refused.
// Proves: I10.2/roots
func TestAddRoot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer func() { d.close() }()
		folder, links := t.TempDir(), t.TempDir()
		link, file := filepath.Join(links, "link"), filepath.Join(links, "file")
		if err := os.Symlink(folder, link); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		allowed := func(cwd string) protocol.Code {
			_, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: cwd})
			return code(err)
		}
		if c := allowed(folder); c != protocol.CodeCwdNotAllowed {
			t.Errorf("before it is a root: %s", c)
		}
		for _, bad := range []string{"", "relative", file, filepath.Join(links, "nothing"), "/\x00"} {
			if _, err := d.AddRoot(t.Context(), bad); code(err) != protocol.CodeInvalidRequest {
				t.Errorf("%q: %v", bad, err)
			}
		}
		for range 2 {
			if roots, err := d.AddRoot(t.Context(), link); err != nil || !slices.Equal(roots, []string{d.root, folder}) {
				t.Errorf("%v, %v", roots, err)
			}
		}
		for _, cwd := range []string{folder, link} {
			if c := allowed(cwd); c != "" {
				t.Errorf("%s: %s", cwd, c)
			}
		}
		if roots, err := d.AddRoot(t.Context(), filepath.Join(d.root, ".")); err != nil || len(roots) != 2 {
			t.Errorf("a root that is one: %v, %v", roots, err)
		}
		last := error(nil)
		for n := 0; n < 100 && last == nil; n++ {
			dir := filepath.Join(links, fmt.Sprint(n))
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			_, last = d.AddRoot(t.Context(), dir)
		}
		if code(last) != protocol.CodeOverloaded {
			t.Errorf("a hundred roots: %v", last)
		}
		d.close()
		d.start()
		if roots, err := d.Roots(t.Context()); err != nil || !slices.Equal(roots, []string{d.root}) {
			t.Errorf("of the next daemon: %v, %v", roots, err)
		}
	})
}

// TestListThroughALink: who asks for the sessions of a folder by a link finds them, as who made them by it does.
func TestListThroughALink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		folder := filepath.Join(d.root, "folder")
		link := filepath.Join(d.root, "link")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(folder, link); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: link}); err != nil {
			t.Fatal(err)
		}
		for cwd, want := range map[string]int{link: 1, folder: 1, d.root: 0, filepath.Join(d.root, "nothing"): 0} {
			if page, err := d.List(t.Context(), supervisor.Query{Cwd: cwd}); err != nil || page.Total != want {
				t.Errorf("%s: %d sessions, want %d, %v", cwd, page.Total, want, err)
			}
		}
	})
}
