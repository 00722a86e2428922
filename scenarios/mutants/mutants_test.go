package mutants

import (
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

const root = "../.."

func TestMain(m *testing.M) { leaks.Main(m) }

func records(t *testing.T) []Mutant {
	t.Helper()
	all, err := Read(".")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestMutants makes each edit and runs its test, which must then fail. RINGMASTER_MUTANTS says which: all, short, page, or names.
func TestMutants(t *testing.T) {
	wanted, on := os.LookupEnv("RINGMASTER_MUTANTS")
	if !on {
		t.Skip("run task mutants")
	}
	names := strings.FieldsFunc(wanted, func(r rune) bool { return r == ',' || r == ' ' })
	noPages := Pages(t.Context(), root)
	all := slices.DeleteFunc(records(t), func(m Mutant) bool {
		isPage := m.Page != "" && slices.Contains(names, "page")
		return !isPage && !slices.Contains(names, "all") && !slices.Contains(names, m.Name) && (!m.Short || !slices.Contains(names, "short"))
	})
	if len(all) == 0 {
		t.Fatalf("there is no mutant %q", wanted)
	}
	if isPage := func(m Mutant) bool { return m.Page != "" }; noPages != nil && slices.ContainsFunc(all, isPage) {
		t.Errorf("mutants of the page are left out: %v", noPages)
		all = slices.DeleteFunc(all, isPage)
	}
	var right atomic.Int64
	began := time.Now()
	b := &Bench{Root: root, Dir: t.TempDir()}
	healthy := sound(t, b, all)
	t.Run("with", func(t *testing.T) {
		for i := range all {
			m := &all[i]
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				switch program, err := b.Build(t.Context(), m.Dir, m); {
				case err != nil:
					t.Errorf("%s: %v", m.At, err)
				case !healthy[m.pattern()+m.Dir]:
					t.Errorf("%s: its test does not pass as it is", m.At)
				default:
					defer os.Remove(program)
					if caught(t, b, program, m) {
						right.Add(1)
					}
				}
			})
		}
	})
	if !slices.Contains(names, "all") {
		return
	}
	left := float64(int64(len(all)) - right.Load())
	if err := figures.Record("mutants", "task mutants",
		figures.Figure{Name: "mutants", Value: float64(len(all)), Goal: "≥ 60"},
		figures.Figure{Name: "mutants that no test caught", Value: left, Goal: "0", Missed: left > 0},
		figures.Figure{Name: "time for all of them", Value: math.Round(time.Since(began).Seconds()), Unit: "s"},
	); err != nil {
		t.Error(err)
	}
}

func caught(t *testing.T, b *Bench, program string, m *Mutant) bool {
	t.Helper()
	began := time.Now()
	passed, said, err := b.Run(t.Context(), program, m)
	switch {
	case err != nil:
		t.Errorf("%s: %v\n%s", m.At, err, tail(said))
	case passed:
		t.Errorf("%s: SURVIVED: %s.%s passes although %s", m.At, m.Dir, m.Test, m.Why)
	case testing.Verbose():
		t.Logf("%s: caught in %.1f s: %s", m.Name, time.Since(began).Seconds(), reason(said))
	}
	return err == nil && !passed
}

// sound runs the tests of the mutants without any edit: which of them pass, by pattern and folder.
func sound(t *testing.T, b *Bench, all []Mutant) map[string]bool {
	t.Helper()
	var mu sync.Mutex
	passes, dirs := map[string]bool{}, map[string]map[string]*Mutant{}
	for i := range all {
		m := &all[i]
		if dirs[m.Dir] == nil {
			dirs[m.Dir] = map[string]*Mutant{}
		}
		dirs[m.Dir][m.pattern()+m.Dir] = m
	}
	t.Run("without", func(t *testing.T) {
		for dir, tests := range dirs {
			t.Run(dir, func(t *testing.T) {
				t.Parallel()
				program := ""
				if slices.ContainsFunc(slices.Collect(maps.Values(tests)), func(m *Mutant) bool { return m.Page == "" }) {
					var err error
					if program, err = b.Build(t.Context(), dir, nil); err != nil {
						t.Fatal(err)
					}
					defer os.Remove(program)
				}
				for key, m := range tests {
					passed, said, err := b.Run(t.Context(), program, m)
					if !passed {
						t.Errorf("%s: mutant %s: without the edit: %v\n%s", m.At, m.Name, err, tail(said))
					}
					mu.Lock()
					passes[key] = passed
					mu.Unlock()
				}
			})
		}
	})
	return passes
}

// reason is the first line with which a test complains.
func reason(said string) string {
	isNext := false // TAP has the words behind the line that says of them
	for line := range strings.Lines(said) {
		if isNext && strings.TrimSpace(line) != "" {
			return strings.TrimSpace(line)
		}
		isNext = isNext || strings.TrimSpace(line) == "error: |-"
		if text := strings.TrimSpace(line); regexp.MustCompile(`^\w+\.go:\d+: |^panic: |^fatal error: |^what must never|^error: '`).MatchString(text) {
			return text[:min(len(text), 200)]
		}
	}
	return "without a word"
}

func tail(said string) string { return said[max(0, len(said)-4000):] }

func TestParse(t *testing.T) {
	good := "# a comment\nmutant a\nfile   f.go\ntest   x/y.TestZ/sub/name\nwhy    one\nwhy    two\nshort\n \tx := 1\n-\t\treturn x\n+\treturn 2\n"
	list, err := Parse("p.txt", good+"\n"+strings.Replace(good, "mutant a", "mutant b", 1))
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	m := list[0]
	if m.Dir != "x/y" || m.Test != "TestZ" || m.Sub != "sub/name" || m.Why != "one two" || !m.Short || m.At != "p.txt:2" {
		t.Errorf("%+v", m)
	}
	if got := m.pattern(); got != "^TestZ$/^sub$/^name$" {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"a\n  x := 1\n  return x\nb":               "a\nx := 1\nreturn 2\nb",
		"x := 1\nreturn 3":                         "not in f.go any more",
		"x := 1\nreturn x\nif y\nx := 1\nreturn x": "more than once, in lines 1 and 4",
	} {
		got, err := m.Apply(text)
		if err == nil && got != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"mutant a\nfile f\ntest x.TestY\n-b\n":          "why are needed",
		"mutant a\nfile f\ntest x.TestY\nwhy w\n":       "no edit",
		"mutant a\nfile f\ntest x.TestY\nwhy w\n b\n":   "changes nothing",
		"mutant a\nfile f\ntest TestY\nwhy w\n-b\n":     "no FOLDER.TestName",
		"mutant a\nfile f\ntest x.TestY\nwyh w\n-b\n+c": "unknown key",
	} {
		if _, err := Parse("p.txt", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
