package house

import (
	"bytes"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// sleepers are test files that sleep without running in a bubble themselves, with the reason.
var sleepers = map[string]string{
	"adapters/process/child_test.go": "a child process that lingers until it is killed",
	"scenarios/actions_test.go":      "the step that lets virtual time pass, inside a scenario's bubble",
}

// Tests wait for what happens, or run in virtual time. A file that sleeps runs in a bubble of testing/synctest.
func TestTestsDoNotSleep(t *testing.T) {
	asleep := map[string]bool{}
	for _, s := range sources(t) {
		if !s.isTest() || slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` }) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Sleep" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
				asleep[s.path] = true
				if sleepers[s.path] == "" {
					t.Errorf("%s: a sleep in real time", s.set.Position(n.Pos()))
				}
			}
			return true
		})
	}
	for name := range sleepers {
		if !asleep[name] {
			t.Errorf("%s does not sleep any more: take it off the list", name)
		}
	}
}

// The wall clock is read at the edge: packages that decide get the time handed in.
func TestPureCoreReadsNoClock(t *testing.T) {
	pure := []string{"protocol/", "actors/session/", "actors/ring/", "adapters/native/", "api/client/sync/"}
	for _, a := range daemon.Agents(datafolder.Folder{}, "") {
		if a.Name() != "scripted" { // which plays the program as well
			pure = append(pure, "adapters/"+a.Name()+"/")
		}
	}
	for _, s := range sources(t) {
		if s.isTest() || !slices.ContainsFunc(pure, func(p string) bool { return strings.HasPrefix(s.path, p) }) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
					if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && (sel.Sel.Name == "Now" || sel.Sel.Name == "Since") {
						t.Errorf("%s reads the clock", s.set.Position(n.Pos()))
					}
				}
			}
			return true
		})
	}
}

// Nothing in the repository names a machine, a person's folder or a host that packages come from.
func TestForbiddenWords(t *testing.T) {
	words := regexp.MustCompile(strings.Join([]string{
		"/wo" + "rk/(main|shared|tmp)", "/ro" + "ot/", "/Us" + "ers/",
		"registry[.]npm" + "js", "proxy[.]go" + "lang", "sum[.]go" + "lang", "deb[.]deb" + "ian", "py" + "pi[.]org",
	}, "|"))
	for _, name := range files(t) {
		text := read(t, name)
		if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
			continue // not text
		}
		switch { // what looks like a folder and is none
		case strings.HasPrefix(name, "adapters/codex/"), strings.HasPrefix(name, "scenarios/codex/"): // its name for the first sub-agent
			text = bytes.ReplaceAll(text, []byte("/ro"+"ot/counter"), []byte("the counter"))
		case strings.HasPrefix(name, "adapters/opencode/"): // inside its own program
			text = bytes.ReplaceAll(text, []byte("/$bunfs/ro"+"ot/"), []byte("the program"))
		}
		if at := words.FindIndex(text); at != nil {
			line := 1 + bytes.Count(text[:at[0]], []byte("\n"))
			t.Errorf("%s:%d: %q does not belong into the repository", name, line, text[at[0]:at[1]])
		}
	}
}

// Links between the documents lead somewhere.
func TestLinksInDocuments(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)]*)?\)`)
	all := files(t)
	for _, doc := range all {
		if !strings.HasSuffix(doc, ".md") {
			continue
		}
		for _, m := range link.FindAllSubmatch(read(t, doc), -1) {
			target := string(m[1])
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			to := path.Join(path.Dir(doc), target)
			if !slices.ContainsFunc(all, func(p string) bool { return p == to || strings.HasPrefix(p, to+"/") }) {
				t.Errorf("%s links to %s, which is not there", doc, target)
			}
		}
	}
}
