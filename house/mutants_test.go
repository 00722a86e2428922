package house

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/mutants"
)

// TestMutantRecords holds the records against the tree, without running anything: each edit has its place, leaves a file that can be parsed,
// and names a test that is there.
func TestMutantRecords(t *testing.T) {
	all, err := mutants.Read("scenarios/mutants")
	if err != nil {
		t.Fatal(err)
	}
	seen, makes := map[string]bool{}, map[string]string{}
	short := 0
	for i := range all {
		m := &all[i]
		if seen[m.Name] {
			t.Errorf("%s: there are two mutants %s", m.At, m.Name)
		}
		if seen[m.Name] = true; m.Short {
			short++
		}
		text, err := os.ReadFile(m.File)
		if err != nil {
			t.Errorf("%s: mutant %s: %v", m.At, m.Name, err)
			continue
		}
		edited, err := m.Apply(string(text))
		if err != nil {
			t.Error(err)
			continue
		}
		if first, is := makes[m.File+"\n"+edited]; is {
			t.Errorf("%s: mutant %s is %s once more", m.At, m.Name, first)
		}
		makes[m.File+"\n"+edited] = m.Name
		if m.Page != "" {
			if text, err := os.ReadFile(filepath.Join(m.Dir, m.Page)); err != nil || !bytes.Contains(text, []byte("test('"+m.Test+"'")) {
				t.Errorf("%s: mutant %s: there is no test %q in %s/%s", m.At, m.Name, m.Test, m.Dir, m.Page)
			}
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.File, edited, parser.SkipObjectResolution); err != nil {
			t.Errorf("%s: mutant %s leaves no Go: %v", m.At, m.Name, err)
		}
		if !mutantTest(t, m) {
			t.Errorf("%s: mutant %s: there is no %s in %s", m.At, m.Name, m.Test, m.Dir)
		}
	}
	if len(all) < 60 || short < 12 || short > 20 {
		t.Errorf("%d mutants, %d of them short: want 60 or more, and about a dozen", len(all), short)
	}
}

// mutantTest says whether the mutant's test is there; of a scenario, whether its file is.
func mutantTest(t *testing.T, m *mutants.Mutant) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(m.Dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	function := regexp.MustCompile(`(?m)^func ` + m.Test + `\(t \*testing\.T\)`)
	found := slices.ContainsFunc(files, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && function.Match(text)
	})
	if found && m.Dir == "scenarios" && m.Test == "TestBubble" {
		_, err := os.Stat(filepath.Join(m.Dir, m.Sub+".txtar"))
		return err == nil
	}
	return found
}
