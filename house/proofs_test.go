package house

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"
)

// SECURITY.md names for each threat the tests that stand against it: every one is there.
func TestSecurityProofs(t *testing.T) {
	tests := map[string]bool{} // folder.Name
	for _, s := range sources(t) {
		if !s.isTest() {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				tests[path.Dir(s.path)+"."+f.Name.Name] = true
			}
		}
	}
	scenario := func(name string) bool {
		_, ok := strings.CutPrefix(name, "scenarios/")
		return ok && strings.HasSuffix(name, ".txtar") && len(read(t, name)) > 0
	}
	_, table, _ := strings.Cut(string(read(t, "SECURITY.md")), "| proven by |")
	table, _, _ = strings.Cut(table, "\n## ")
	proof := regexp.MustCompile("`([^`]+)`")
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(row), " | ")
		if len(cells) != 3 {
			continue
		}
		named := proof.FindAllStringSubmatch(cells[2], -1)
		if len(named) == 0 {
			t.Errorf("no proof: %s", cells[0])
		}
		for _, m := range named {
			if name := m[1]; !tests[name] && !scenario(name) {
				t.Errorf("%s: there is no test %s", cells[0], name)
			}
		}
	}
}
