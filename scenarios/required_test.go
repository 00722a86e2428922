package scenarios

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// requirement is one line of required.txt.
type requirement struct {
	line   int
	source string // the seed or document
	title  string
	proofs []string // scenario files, Go tests ("go PACKAGE.TestName"), or "later: WHAT"
}

// readRequired reads lines of the form SOURCE | TITLE | PROOF, PROOF, …
func readRequired(text string) ([]requirement, error) {
	var all []requirement
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "|")
		if len(parts) != 3 {
			errs = append(errs, fmt.Errorf("line %d: want SOURCE | TITLE | PROOFS", i+1))
			continue
		}
		r := requirement{line: i + 1, source: strings.TrimSpace(parts[0]), title: strings.TrimSpace(parts[1])}
		for _, p := range strings.Split(parts[2], ",") {
			if p = strings.TrimSpace(p); p != "" {
				r.proofs = append(r.proofs, p)
			}
		}
		if len(r.proofs) == 0 {
			errs = append(errs, fmt.Errorf("line %d: %s has no proof", i+1, r.title))
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

// TestRequired holds required.txt and the scenarios together: every proof exists, every scenario proves something, and
// the files of seed 003 have its titles. The log of this test is the coverage figure.
func TestRequired(t *testing.T) {
	text, err := os.ReadFile("required.txt")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readRequired(string(text))
	if err != nil {
		t.Fatal(err)
	}
	heads := map[string]head{}
	for _, path := range scenarioFiles(t) {
		if f, err := readFile(path); err == nil { // else TestBubble complains
			heads[f.name()] = f.head
		}
	}
	named := map[string]bool{}
	shown, later := 0, 0
	for _, r := range all {
		now := false
		for _, p := range r.proofs {
			switch {
			case strings.HasPrefix(p, "later: "):
				continue
			case strings.HasPrefix(p, "go "):
				if err := goTest(strings.TrimPrefix(p, "go ")); err != nil {
					t.Errorf("required.txt line %d: %v", r.line, err)
				}
			default:
				h, ok := heads[p]
				if !ok {
					t.Errorf("required.txt line %d: there is no scenario %s", r.line, p)
				}
				if title := h.requirement + ": " + h.scenario; ok && r.source == "003" && title != r.title {
					t.Errorf("required.txt line %d: %s calls itself %q", r.line, p, title)
				}
				named[p] = true
			}
			now = true
		}
		if now {
			shown++
		} else {
			later++
		}
	}
	for name := range heads {
		if !named[name] {
			t.Errorf("%s proves nothing that required.txt names", name)
		}
	}
	t.Logf("%d requirements: %d shown, %d later; %d scenarios", len(all), shown, later, len(heads))
}

// goTest says whether PACKAGE.TestName is there; the package is a folder below the module's root.
func goTest(name string) error {
	dot := strings.LastIndex(name, ".")
	if dot < 0 {
		return fmt.Errorf("%q is no PACKAGE.TestName", name)
	}
	dir, test := filepath.Join("..", name[:dot]), name[dot+1:]
	declared := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(test) + `\(`)
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && declared.Match(b) {
			return nil
		}
	}
	return fmt.Errorf("there is no test %s in %s", test, name[:dot])
}

// TestFolders keeps the tree readable: scenarios lie in folders, and their names are words.
func TestFolders(t *testing.T) {
	for _, path := range scenarioFiles(t) {
		if !regexp.MustCompile(`^[a-z0-9_]+/[a-z0-9_]+\.txtar$`).MatchString(filepath.ToSlash(path)) {
			t.Errorf("%s: want folder/scenario_in_snake_case.txtar", path)
		}
	}
}

func readDoc() (string, error) {
	b, err := os.ReadFile("doc.go")
	return string(b), err
}
