package scenarios

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// file is one scenario: its head, its steps and the files that the steps name.
type file struct {
	path    string
	archive *txtar.Archive
	head    head
	steps   []step
	golden  map[string]bool // names whose contents checks have compared or rewritten
	dirty   bool            // -update has changed a golden
}

// head is what stands before the first file of the archive.
type head struct {
	requirement string
	scenario    string
	spec        string
	proves      string // ids of required.txt
	process     bool   // also run against the built binary
	errors      string // why the daemon may log errors here; empty: it may not
}

const stepsFile = "steps"

// readFile parses one scenario.
func readFile(path string) (*file, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, archive: txtar.Parse(data), golden: map[string]bool{}}
	if f.head, err = parseHead(string(f.archive.Comment)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	text, ok := f.content(stepsFile)
	if !ok {
		return nil, fmt.Errorf("%s: there is no file %q", path, stepsFile)
	}
	if f.steps, err = parseSteps(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, f.checkNames()
}

func parseHead(text string) (head, error) {
	var h head
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !ok || value == "" {
			return h, fmt.Errorf("head: want KEY: VALUE, have %q", line)
		}
		switch key {
		case "Requirement":
			h.requirement = value
		case "Scenario":
			h.scenario = value
		case "Spec":
			h.spec = value
		case "Proves":
			h.proves = value
		case "process":
			h.process = value == "yes"
		case "errors":
			h.errors = value
		default:
			return h, fmt.Errorf("head: unknown key %q; the keys are Requirement, Scenario, Spec, Proves, process, errors", key)
		}
	}
	if h.requirement == "" || h.scenario == "" || h.spec == "" {
		return h, fmt.Errorf("head: Requirement, Scenario and Spec are needed")
	}
	return h, nil
}

// checkNames finds files that no step names: a golden that nothing is compared with proves nothing.
func (f *file) checkNames() error {
	used := map[string]bool{stepsFile: true}
	for _, s := range f.steps {
		for _, w := range s.words {
			used[w.text] = true
		}
	}
	for _, a := range f.archive.Files {
		if !used[strings.TrimPrefix(a.Name, newEra+"/")] {
			return fmt.Errorf("%s: no step names the file %q", f.path, a.Name)
		}
	}
	return nil
}

func (f *file) content(name string) ([]byte, bool) {
	for _, a := range f.archive.Files {
		if a.Name == name {
			return a.Data, true
		}
	}
	return nil, false
}

// eras are the MCP revisions that a scenario is played at: both, where a client's step leaves it open.
func (f *file) eras() []string {
	for _, s := range f.steps {
		v, a, err := find(vocabulary(), s)
		if err == nil && (strings.HasPrefix(v.form, "poller ") || strings.HasPrefix(v.form, "mcp ") && a["REVISION"] == "") {
			return []string{oldEra, newEra}
		}
	}
	return []string{oldEra}
}

// want is what an era is expected to show.
func (f *file) want(name, era string) []byte {
	want, own := f.content(era + "/" + name)
	if !own {
		want, _ = f.content(name)
	}
	return want
}

// compare holds what was seen against a golden; with update it becomes the golden. What the new era shows otherwise is in a
// file of its own.
func (f *file) compare(name, era string, got []byte, update bool, normal func([]byte) []byte) error {
	want, ok := f.want(name, era), true
	if _, own := f.content(era + "/" + name); own {
		name = era + "/" + name
	} else if _, ok = f.content(name); era == newEra && ok && update {
		name, ok = era+"/"+name, false
	}
	f.golden[name] = true
	if normal == nil {
		normal = func(b []byte) []byte { return b }
	}
	got = bytes.TrimRight(got, "\n")
	if len(got) > 0 {
		got = append(got, '\n')
	}
	if bytes.Equal(normal(got), normal(want)) {
		return nil
	}
	if !update {
		return fmt.Errorf("%s differs (-update rewrites it):\n%s", name, difference(string(normal(want)), string(normal(got))))
	}
	if f.dirty = true; ok {
		for i := range f.archive.Files {
			if f.archive.Files[i].Name == name {
				f.archive.Files[i].Data = got
			}
		}
		return nil
	}
	f.archive.Files = append(f.archive.Files, txtar.File{Name: name, Data: got})
	return nil
}

// save writes the file back when -update has changed it.
func (f *file) save() error {
	if !f.dirty {
		return nil
	}
	return os.WriteFile(f.path, txtar.Format(f.archive), 0o644)
}

// name is the scenario's path below this folder, without its ending: the name of its test.
func (f *file) name() string {
	return strings.TrimSuffix(filepath.ToSlash(f.path), ".txtar")
}

// difference shows two texts line by line around what differs.
func difference(want, got string) string {
	w, g := strings.Split(strings.TrimRight(want, "\n"), "\n"), strings.Split(strings.TrimRight(got, "\n"), "\n")
	same := 0
	for same < len(w) && same < len(g) && w[same] == g[same] {
		same++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  first difference in line %d\n", same+1)
	part := func(sign string, lines []string) {
		for i := max(0, same-2); i < len(lines) && i < same+12; i++ {
			mark := sign
			if i < same {
				mark = " "
			}
			fmt.Fprintf(&b, "%s %s\n", mark, lines[i])
		}
	}
	part("-", w)
	part("+", g)
	return b.String()
}
