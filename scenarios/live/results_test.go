package live

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// results collects what became of each row with each agent.
var results board

type board struct {
	mu      sync.Mutex
	columns []column
}

type column struct {
	agent   *agent
	title   string
	began   time.Time
	seconds float64
	cells   map[string]cell
}

// cell is a row's result: pass, fail, or skipped with the reason.
type cell struct{ result, why string }

func (b *board) column(a *agent, version string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.columns = append(b.columns, column{agent: a, title: a.name + " " + version, began: time.Now(), cells: map[string]cell{}})
}

// note is called when a row is over, also by a failure or a skip.
func (b *board) note(w *world) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := cell{result: "pass"}
	switch {
	case w.Failed():
		c.result = "fail"
	case w.Skipped():
		c = cell{"skipped", w.why}
	case w.figure != "":
		c.result += ", " + w.figure
	}
	for i := range b.columns {
		if col := &b.columns[i]; col.agent == w.agent {
			col.cells[w.row.name] = c
			col.seconds = time.Since(col.began).Seconds()
		}
	}
}

// publish prints the table, and writes it to a file where one is named.
func (b *board) publish(out io.Writer, file string) error {
	if len(b.columns) == 0 {
		return nil
	}
	text := b.markdown()
	fmt.Fprintf(out, "\n%s\n", text)
	if file == "" {
		return nil
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// markdown is the table: rows down, agents across, the reasons of what was skipped below.
func (b *board) markdown() string {
	var s strings.Builder
	var reasons []string
	number := map[string]int{}
	line := func(cells ...string) { fmt.Fprintf(&s, "| %s |\n", strings.Join(cells, " | ")) }
	head, rule, foot := []string{fmt.Sprintf("%-42s", "scenario")}, []string{"---"}, []string{"seconds"}
	for _, c := range b.columns {
		head, rule = append(head, c.title), append(rule, "---")
		foot = append(foot, fmt.Sprintf("%.0f", c.seconds))
	}
	line(head...)
	line(rule...)
	for _, r := range rows {
		cells := []string{fmt.Sprintf("%-42s", r.name)}
		for _, c := range b.columns {
			got, ran := c.cells[r.name]
			switch {
			case !ran:
				cells = append(cells, "not run")
				continue
			case got.why != "" && number[got.why] == 0:
				reasons = append(reasons, got.why)
				number[got.why] = len(reasons)
			}
			if got.why != "" {
				got.result += fmt.Sprintf(" (%d)", number[got.why])
			}
			cells = append(cells, got.result)
		}
		line(cells...)
	}
	line(foot...)
	s.WriteByte('\n')
	for i, why := range reasons {
		fmt.Fprintf(&s, "%d. skipped: %s\n", i+1, why)
	}
	return s.String()
}

// The table says what ran, what failed, and why what was skipped was skipped, each reason once.
func TestBoard(t *testing.T) {
	a, b := &agent{name: "a"}, &agent{name: "b"}
	all := board{}
	all.column(a, "1.0")
	all.column(b, "2.0")
	name := rows[0].name
	all.columns[0].cells[name] = cell{result: "fail"}
	all.columns[1].cells[name] = cell{"skipped", "it is deaf"}
	all.columns[1].cells[rows[1].name] = cell{"skipped", "it is deaf"}
	all.columns[0].cells[rows[1].name] = cell{result: "pass"}
	got := all.markdown()
	for _, want := range []string{
		"| a 1.0 | b 2.0 |", "| fail | skipped (1) |", "| pass | skipped (1) |", "| not run | not run |", "\n1. skipped: it is deaf\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if strings.Count(got, "it is deaf") != 1 {
		t.Errorf("a reason is given twice:\n%s", got)
	}
}
