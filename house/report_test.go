package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// report is the file that `task report` writes: what each lane found when it ran last.
const report = "scenarios/figures/report.json"

const (
	reportBegin = "<!-- figures, written by: task report -->\n"
	reportEnd   = "<!-- end of the figures -->\n"
)

// The figures that SECURITY.md shows are those of the report. With -update and figures.Env set, what the lanes wrote to that
// folder is taken into the report first; a lane that did not run keeps its figures and their date.
func TestReport(t *testing.T) {
	lanes := lanesOf(t)
	if dir := os.Getenv(figures.Env); *update && dir != "" {
		lanes = merge(t, lanes, dir)
		b, err := json.MarshalIndent(lanes, "", "  ")
		if err == nil {
			err = os.WriteFile(report, append(b, '\n'), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text := string(read(t, "SECURITY.md"))
	before, rest, begins := strings.Cut(text, reportBegin)
	_, after, ends := strings.Cut(rest, reportEnd)
	if !begins || !ends {
		t.Fatalf("SECURITY.md: no place for the figures, between %q and %q", reportBegin, reportEnd)
	}
	want := before + reportBegin + reportTable(lanes) + reportEnd + after
	switch {
	case text == want:
	case !*update:
		t.Fatal("SECURITY.md: the figures are not those of " + report + "; write them with -update")
	default:
		if err := os.WriteFile("SECURITY.md", []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Every figure that is claimed has a lane that makes it: a task of that name, and code that records the lane and the figure.
func TestFiguresHaveLanes(t *testing.T) {
	taskfile := string(read(t, "Taskfile.yml"))
	var packages []string
	for _, dir := range packagesWith(t, `"github.com/ringmaster-agents/ringmaster/scenarios/figures"`) {
		packages = append(packages, packageText(t, dir))
	}
	scripts := glob(t, "tools/*.sh")
	for _, l := range lanesOf(t) {
		task, ok := strings.CutPrefix(l.Command, "task ")
		task, _, _ = strings.Cut(task, " ")
		if !ok || !strings.Contains(taskfile, "\n  "+task+":\n") && !strings.Contains(taskfile, "\n  \""+task+"\":\n") {
			t.Errorf("lane %s: no task makes it: %q", l.Name, l.Command)
		}
		source := ""
		for _, text := range packages {
			if strings.Contains(text, `"`+l.Name+`"`) {
				source += text
			}
		}
		for _, file := range scripts { // that record with a command
			if _, text, ok := strings.Cut(string(read(t, file)), "figures/record "+l.Name+" "); ok {
				source += strings.ReplaceAll(text, "=", `"`)
			}
		}
		for _, file := range glob(t, "api/"+l.Name+"/perf/support/*.ts") { // that the command of a script records
			source += strings.ReplaceAll(string(read(t, file)), "'", `"`)
		}
		if source == "" {
			t.Errorf("lane %s: no code records it", l.Name)
			continue
		}
		for _, f := range l.Figures {
			if !strings.Contains(source, `"`+f.Name+`"`) && !made(source, f.Name) {
				t.Errorf("lane %s: no code makes the figure %q", l.Name, f.Name)
			}
			if f.Missed && f.Goal == "" {
				t.Errorf("lane %s: %q misses a goal that it does not have", l.Name, f.Name)
			}
		}
	}
}

// made says that a figure's name is put together of parts that stand in the code, such as "ingest, " + mode.
func made(source, name string) bool {
	i := max(strings.LastIndex(name, ", "), strings.LastIndex(name, ": "))
	return i > 0 && strings.Contains(source, `"`+name[:i+2]) && strings.Contains(source, `"`+name[i+2:]+`"`)
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func lanesOf(t *testing.T) (lanes []figures.Lane) {
	t.Helper()
	if err := json.Unmarshal(read(t, report), &lanes); err != nil {
		t.Fatal(err)
	}
	return lanes
}

// merge takes the lanes of a folder in place of earlier ones of their names.
func merge(t *testing.T, lanes []figures.Lane, dir string) []figures.Lane {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		var l figures.Lane
		if err == nil {
			err = json.Unmarshal(b, &l)
		}
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		lanes = slices.DeleteFunc(lanes, func(old figures.Lane) bool { return old.Name == l.Name })
		lanes = append(lanes, l)
	}
	slices.SortFunc(lanes, func(a, b figures.Lane) int { return strings.Compare(a.Name, b.Name) })
	return lanes
}

func reportTable(lanes []figures.Lane) string {
	var b strings.Builder
	b.WriteString("| lane | figure | value | goal | promise |\n|---|---|---|---|---|\n")
	for _, l := range lanes {
		where := fmt.Sprintf("`%s`, %s, %d × %s/%s", l.Command, l.Time.Format("2006-01-02"), l.Machine.CPUs, l.Machine.OS, l.Machine.Arch)
		for _, f := range l.Figures {
			goal := f.Goal
			if f.Missed {
				goal += " (missed)"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", where, f.Name, strings.TrimSpace(number(f.Value)+" "+f.Unit), goal, f.Promise)
			where = ""
		}
	}
	return b.String()
}

// number writes a value with three digits that count, thousands apart.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if v != float64(int64(v)) {
		digits := 2
		if v >= 100 || v <= -100 {
			digits = 0
		} else if v < 0.1 && v > -0.1 {
			digits = 4
		}
		s = strconv.FormatFloat(v, 'f', digits, 64)
	}
	whole, part, has := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if has {
		return whole + "." + part
	}
	return whole
}

// packagesWith lists the folders that have Go files with a text.
func packagesWith(t *testing.T, text string) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || filepath.Dir(path) == "house" {
			return err
		}
		b, err := os.ReadFile(path)
		if dir := filepath.Dir(path); err == nil && bytes.Contains(b, []byte(text)) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

func packageText(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		all.Write(read(t, f))
	}
	return all.String()
}
