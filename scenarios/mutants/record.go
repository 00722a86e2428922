package mutants

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutant is one record.
type Mutant struct {
	Name  string
	At    string // FILE:LINE of its record
	File  string // that is edited, from the module's root
	Dir   string // folder of the test's package, from the root
	Test  string // the test's function; of a page's, its name
	Page  string // the file of the test in the folder, where the test is one of a TypeScript package; empty: it is one of Go
	Sub   string // the subtest, with slashes; empty: all of the test
	Why   string
	Short bool // tried by .ci/run
	Old   []string
	New   []string
}

// Read gives the records of all files *.txt of a folder, in order.
func Read(dir string) ([]Mutant, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	var errs []error
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list, err := Parse(filepath.Base(path), string(text))
		all = append(all, list...)
		errs = append(errs, err)
	}
	return all, errors.Join(errs...)
}

// Parse reads the records of one file; name is for messages.
func Parse(name, text string) ([]Mutant, error) {
	var all []Mutant
	var errs []error
	var m *Mutant
	end := func() {
		if m == nil {
			return
		}
		if err := m.check(); err != nil {
			errs = append(errs, fmt.Errorf("%s: mutant %q: %w", m.At, m.Name, err))
		}
		all, m = append(all, *m), nil
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \t\n")
		switch {
		case line == "":
			end()
			continue
		case line[0] == '#':
			continue
		case m == nil:
			m = &Mutant{At: fmt.Sprintf("%s:%d", name, n)}
		}
		if err := m.line(line); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, n, err))
		}
	}
	end()
	return all, errors.Join(errs...)
}

func (m *Mutant) line(line string) error {
	switch rest := strings.TrimSpace(line[1:]); line[0] {
	case ' ':
		m.Old, m.New = append(m.Old, rest), append(m.New, rest)
		return nil
	case '-':
		m.Old = append(m.Old, rest)
		return nil
	case '+':
		m.New = append(m.New, rest)
		return nil
	}
	key, value, _ := strings.Cut(line, " ")
	value = strings.TrimSpace(value)
	switch key {
	case "mutant":
		m.Name = value
	case "file":
		m.File = value
	case "why":
		m.Why = strings.TrimSpace(m.Why + " " + value)
	case "short":
		m.Short = true
	case "test":
		if file, name, is := strings.Cut(value, ".test.ts/"); is {
			folder, base, ok := strings.Cut(file, "/test/")
			if !ok || name == "" {
				return fmt.Errorf("%q is no FOLDER/test/FILE.test.ts/NAME", value)
			}
			m.Dir, m.Page, m.Test = folder, "test/"+base+".test.ts", name
			return nil
		}
		folder, rest, ok := strings.Cut(value, ".Test")
		test, sub, _ := strings.Cut(rest, "/")
		if !ok || folder == "" || test == "" {
			return fmt.Errorf("%q is no FOLDER.TestName", value)
		}
		m.Dir, m.Test, m.Sub = folder, "Test"+test, sub
	default:
		return fmt.Errorf("unknown key %q; the keys are mutant, file, test, why, short, and lines of the edit begin with a blank, - or +", key)
	}
	return nil
}

func (m *Mutant) check() error {
	switch {
	case m.Name == "" || m.File == "" || m.Test == "" || m.Why == "":
		return errors.New("mutant, file, test and why are needed")
	case len(m.Old) == 0:
		return errors.New("there is no edit")
	case strings.Join(m.Old, "\n") == strings.Join(m.New, "\n"):
		return errors.New("the edit changes nothing")
	}
	return nil
}

// Apply makes the edit in the text of the mutant's file.
func (m *Mutant) Apply(text string) (string, error) {
	lines := strings.Split(text, "\n")
	at := -1
	for i := 0; i+len(m.Old) <= len(lines); i++ {
		if !m.stands(lines[i:]) {
			continue
		}
		if at >= 0 {
			return "", fmt.Errorf("%s: mutant %s: its old text stands in %s more than once, in lines %d and %d", m.At, m.Name, m.File, at+1, i+1)
		}
		at = i
	}
	if at < 0 {
		return "", fmt.Errorf("%s: mutant %s: its old text is not in %s any more", m.At, m.Name, m.File)
	}
	edited := append(append(append([]string(nil), lines[:at]...), m.New...), lines[at+len(m.Old):]...)
	return strings.Join(edited, "\n"), nil
}

func (m *Mutant) stands(lines []string) bool {
	for i, want := range m.Old {
		if strings.TrimSpace(lines[i]) != want {
			return false
		}
	}
	return true
}
