// Package house holds the rules of the house that no compiler checks: which package may import which, how large files may
// grow, that every goroutine has an owner and an end, and that the documents say what is true. Each rule is one file;
// CONTRIBUTING.md says why they are there.
package house

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/ringmaster-agents/ringmaster"

// TestMain goes to the root: all paths are from there.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	m.Run()
}

// source is one parsed Go file.
type source struct {
	path  string // from the root, with slashes
	lines int
	set   *token.FileSet
	file  *ast.File
}

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// sources are the Go files of the product; folders with a go.mod of their own are other modules.
func sources(t *testing.T) []source {
	t.Helper()
	all := files(t)
	var others []string
	for _, name := range all {
		if folder, ok := strings.CutSuffix(name, "go.mod"); ok && folder != "" {
			others = append(others, folder)
		}
	}
	other := func(name string) bool {
		return slices.ContainsFunc(others, func(folder string) bool { return strings.HasPrefix(name, folder) })
	}
	var list []source
	for _, name := range all {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "/testdata/") || other(name) {
			continue
		}
		text := read(t, name)
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, source{name, bytes.Count(text, []byte("\n")), set, f})
	}
	if len(list) == 0 {
		t.Fatal("no Go files found")
	}
	return list
}

// files are the files under version control and those that would be added to it; all files where there is no git.
func files(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return walk(t)
	}
	list := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	list = slices.DeleteFunc(list, func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || !info.Mode().IsRegular() // deleted and not yet committed
	})
	slices.Sort(list)
	return slices.Compact(list)
}

func walk(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "bin"):
			return filepath.SkipDir
		case d.Type().IsRegular():
			list = append(list, filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, cmp.Compare)
	return list
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
