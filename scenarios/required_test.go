package scenarios

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// section is one line of sections.txt.
type section struct {
	line  int
	id    string
	noRow string // why it has none; empty: it has
}

// requirement is one line of required.txt.
type requirement struct {
	line    int
	id      string
	section string // of which it is
	title   string
	proofs  []string // FOLDER/NAME of scenarios, "go FOLDER.TestName" of tests, "ts FOLDER/FILE.test.ts" of files with tests of TypeScript
	later   string   // "issue N": it is not built yet
}

// rows reads lines of so many columns, apart from comments.
func rows(name string, columns ...int) (list [][]string, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var errs []error
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, "|")
		if !slices.Contains(columns, len(parts)) {
			errs = append(errs, fmt.Errorf("%s line %d: %d columns", name, i+1, len(parts)))
			continue
		}
		for j := range parts {
			parts[j] = strings.TrimSpace(parts[j])
		}
		list = append(list, append([]string{fmt.Sprint(i + 1)}, parts...))
	}
	return list, errors.Join(errs...)
}

func readSections(name string) (list []section, err error) {
	table, err := rows(name, 2, 3)
	for _, row := range table {
		s := section{id: row[1]}
		_, _ = fmt.Sscan(row[0], &s.line)
		if len(row) == 4 {
			why, ok := strings.CutPrefix(row[3], "no row: ")
			if s.noRow = why; !ok || why == "" {
				err = errors.Join(err, fmt.Errorf("%s line %d: want no row: WHY", name, s.line))
			}
		}
		list = append(list, s)
	}
	return list, err
}

var laterForm = regexp.MustCompile(`^later: (issue \d+)$`)

func readRequired(name string) (list []requirement, err error) {
	table, err := rows(name, 3)
	for _, row := range table {
		r := requirement{id: row[1], title: row[2]}
		_, _ = fmt.Sscan(row[0], &r.line)
		r.section, _, _ = strings.Cut(r.id, "/")
		if m := laterForm.FindStringSubmatch(row[3]); m != nil {
			r.later = m[1]
		} else {
			r.proofs = words(row[3])
		}
		if r.later == "" && len(r.proofs) == 0 {
			err = errors.Join(err, fmt.Errorf("%s line %d: %s has no proof", name, r.line, r.id))
		}
		list = append(list, r)
	}
	return list, err
}

// words takes a list apart at its commas.
func words(list string) (all []string) {
	for w := range strings.SplitSeq(list, ",") {
		if w = strings.Join(strings.Fields(w), " "); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// TestRequired holds requirements and proofs together, both ways: every section of the documents has rows or says why not, every row has
// proofs, every proof is there and names the row, and what a proof names is a row that names it. The log of this test is the coverage.
func TestRequired(t *testing.T) {
	sections, err := readSections("sections.txt")
	if err != nil {
		t.Fatal(err)
	}
	required, err := readRequired("required.txt")
	if err != nil {
		t.Fatal(err)
	}
	proofs := provers(t)
	for _, problem := range disagreements(sections, required, proofs) {
		t.Error(problem)
	}
	later, scenarios, tests := 0, 0, 0
	for _, r := range required {
		if r.later != "" {
			later++
		}
	}
	for name, ids := range proofs {
		switch {
		case !strings.HasPrefix(name, "go ") && !strings.HasPrefix(name, "ts "):
			scenarios++
		case len(ids) > 0:
			tests++
		}
	}
	t.Logf("%d requirements of %d sections: %d shown, by %d scenarios and %d tests; %d later",
		len(required), len(sections), len(required)-later, scenarios, tests, later)
}

// disagreements says what is wrong between the tables and the proofs, of which each has the ids that it names.
func disagreements(sections []section, required []requirement, proofs map[string][]string) (problems []string) {
	bad := func(line int, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("line %d: ", line)+fmt.Sprintf(format, args...))
	}
	of := map[string]int{} // rows by section
	known := map[string]*section{}
	for i := range sections {
		s := &sections[i]
		if known[s.id] != nil {
			bad(s.line, "sections.txt has %s twice", s.id)
		}
		known[s.id] = s
	}
	byID := map[string]*requirement{}
	for i := range required {
		r := &required[i]
		if byID[r.id] != nil {
			bad(r.line, "required.txt has %s twice", r.id)
		}
		byID[r.id] = r
		of[r.section]++
		if known[r.section] == nil {
			bad(r.line, "%s is of no section of sections.txt", r.id)
		}
		for _, p := range r.proofs {
			ids, there := proofs[p]
			switch {
			case !there:
				bad(r.line, "%s: there is no proof %s", r.id, p)
			case !slices.Contains(ids, r.id):
				bad(r.line, "%s: %s does not say that it proves it: add %s to its Proves", r.id, p, r.id)
			}
		}
	}
	for i := range sections {
		switch s := &sections[i]; {
		case s.noRow == "" && of[s.id] == 0:
			bad(s.line, "section %s has no row in required.txt", s.id)
		case s.noRow != "" && of[s.id] > 0:
			bad(s.line, "section %s has rows and says that it has none: %s", s.id, s.noRow)
		}
	}
	for name, ids := range proofs {
		if len(ids) == 0 && !strings.HasPrefix(name, "go ") && !strings.HasPrefix(name, "ts ") {
			problems = append(problems, name+" proves nothing: add Proves to its head, and the scenario to that row of required.txt")
		}
		for _, id := range ids {
			switch r := byID[id]; {
			case r == nil:
				problems = append(problems, name+" proves "+id+", which is no row of required.txt")
			case !slices.Contains(r.proofs, name):
				problems = append(problems, fmt.Sprintf("%s proves %s, and the row does not name it (required.txt line %d)", name, id, r.line))
			}
		}
	}
	slices.Sort(problems)
	return problems
}

// typeScriptProves is a line of a file with tests of TypeScript that names what they show.
var typeScriptProves = regexp.MustCompile(`(?m)^// Proves: (.+)$`)

// provers are all scenarios and all tests of the tree, as required.txt names them, and the ids that each says it proves.
func provers(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, path := range scenarioFiles(t) {
		if f, err := readFile(path); err == nil { // else TestBubble complains
			all[f.name()] = words(f.head.proves)
		}
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "clienttest" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".."):
			return fs.SkipDir
		case strings.HasSuffix(path, ".test.ts"):
			text, err := os.ReadFile(path)
			name := strings.TrimPrefix(filepath.ToSlash(path), "../")
			all["ts "+name] = nil
			for _, m := range typeScriptProves.FindAllSubmatch(text, -1) {
				all["ts "+name] = append(all["ts "+name], words(string(m[1]))...)
			}
			return err
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel("..", filepath.Dir(path))
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				all["go "+filepath.ToSlash(folder)+"."+f.Name.Name] = proves(f.Doc.Text())
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// proves reads the ids at the end of a doc comment.
func proves(doc string) []string {
	_, list, _ := strings.Cut("\n"+doc, "\nProves:")
	return words(list)
}

// TestDisagreements breaks tables that agree in every way that TestRequired must notice.
func TestDisagreements(t *testing.T) {
	type tables struct {
		sections []section
		required []requirement
		proofs   map[string][]string
	}
	good := func() *tables {
		return &tables{
			[]section{{1, "A1", ""}, {2, "A2", "a reason"}, {3, "A3", ""}},
			[]requirement{
				{line: 1, id: "A1/x", section: "A1", proofs: []string{"f/one", "go p.TestOne"}}, {line: 2, id: "A3", section: "A3", later: "issue 9"},
			},
			map[string][]string{"f/one": {"A1/x"}, "go p.TestOne": {"A1/x"}, "go p.TestTwo": nil},
		}
	}
	for name, c := range map[string]struct {
		spoil func(x *tables)
		want  string
	}{
		"they agree":                {func(*tables) {}, ""},
		"section without a row":     {func(x *tables) { x.sections[1].noRow = "" }, "section A2 has no row"},
		"section with too many":     {func(x *tables) { x.sections[2].noRow = "none" }, "says that it has none"},
		"section twice":             {func(x *tables) { x.sections[1].id = "A1" }, "A1 twice"},
		"row of no section":         {func(x *tables) { x.sections = x.sections[1:] }, "of no section"},
		"row twice":                 {func(x *tables) { x.required = append(x.required, x.required[1]) }, "A3 twice"},
		"no such scenario":          {func(x *tables) { delete(x.proofs, "f/one") }, "no proof f/one"},
		"no such test":              {func(x *tables) { delete(x.proofs, "go p.TestOne") }, "no proof go p.TestOne"},
		"proof does not name it":    {func(x *tables) { x.proofs["go p.TestOne"] = nil }, "does not say that it proves it"},
		"proof of another":          {func(x *tables) { x.proofs["go p.TestTwo"] = []string{"A1/x"} }, "the row does not name it"},
		"proof of nothing there":    {func(x *tables) { x.proofs["go p.TestTwo"] = []string{"A9"} }, "which is no row"},
		"scenario proves nothing":   {func(x *tables) { x.proofs["f/two"] = nil }, "f/two proves nothing"},
		"built, and said not to be": {func(x *tables) { x.proofs["go p.TestTwo"] = []string{"A3"} }, "the row does not name it"},
	} {
		x := good()
		c.spoil(x)
		got := strings.Join(disagreements(x.sections, x.required, x.proofs), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for text, want := range map[string]int{"TestX is good.\nProves: A, B,\nC\n": 3, "Proves: A\n": 1, "It proves: A\n": 0, "": 0} {
		if got := proves(text); len(got) != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestFolders keeps the tree readable: scenarios lie in folders, and their names are words.
func TestFolders(t *testing.T) {
	for _, path := range scenarioFiles(t) {
		if !regexp.MustCompile(`^[a-z0-9_]+/[a-z0-9_]+\.txtar$`).MatchString(filepath.ToSlash(path)) {
			t.Errorf("%s: want folder/scenario_in_snake_case.txtar", path)
		}
	}
}

// TestTitles: what shows a scenario of seed 003 has its title.
func TestTitles(t *testing.T) {
	required, err := readRequired("required.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range required {
		if !strings.HasPrefix(r.id, "003.") {
			continue
		}
		n++
		for _, p := range r.proofs {
			f, err := readFile(p + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			if title := f.head.requirement + ": " + f.head.scenario; title != r.title {
				t.Errorf("required.txt line %d: %s calls itself %q", r.line, p, title)
			}
		}
	}
	if n != 17 {
		t.Errorf("%d scenarios of seed 003, which has 17", n)
	}
}

func readDoc() (string, error) {
	b, err := os.ReadFile("doc.go")
	return string(b), err
}
