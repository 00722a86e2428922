package console

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// Table prints rows in columns. What agents and users wrote is made harmless and cut; the last column is as wide as it
// wants to be.
type Table struct{ rows [][]string }

const maxColumn = 40

// Add adds a row.
func (t *Table) Add(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		limit := maxColumn
		if i == len(cells)-1 {
			limit = 0
		}
		row[i] = terminal.Cut(terminal.Visible(c), limit)
	}
	t.rows = append(t.rows, row)
}

// Wide adds a row whose columns are as wide as they want to be.
func (t *Table) Wide(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = terminal.Visible(c)
	}
	t.rows = append(t.rows, row)
}

// Len counts the rows.
func (t *Table) Len() int { return len(t.rows) }

// Print prints the rows, cut to the width of a terminal.
func (t *Table) Print(w io.Writer) error {
	widths := []int{}
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], terminal.Cells(c))
		}
	}
	columns, _ := Terminal(w)
	var b strings.Builder
	for _, r := range t.rows {
		line := ""
		for i, c := range r {
			if i < len(r)-1 {
				c += strings.Repeat(" ", widths[i]-terminal.Cells(c)+2)
			}
			line += c
		}
		b.WriteString(terminal.Cut(strings.TrimRight(line, " "), columns))
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// OneLine makes a foreign text harmless and short.
func OneLine(text string, columns int) string {
	return terminal.Cut(terminal.Visible(strings.TrimSpace(text)), columns)
}

// Ago is how long ago something was, for people.
func Ago(now, then time.Time) string {
	switch d := now.Sub(then); {
	case then.IsZero():
		return "-"
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d m", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	default:
		return fmt.Sprintf("%d d", int(d.Hours()/24))
	}
}

// ShortID is what a person reads and copies of a session's id. Should it ever be the beginning of two, it is refused.
func ShortID(id string) string { return id[:min(8, len(id))] }
