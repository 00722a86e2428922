package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// table prints rows in columns. What agents and users wrote is made harmless and cut; the last column is as wide as it
// wants to be.
type table struct{ rows [][]string }

const maxColumn = 40

func (t *table) add(cells ...string) {
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

// wide adds a row whose columns are as wide as they want to be.
func (t *table) wide(cells ...string) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = terminal.Visible(c)
	}
	t.rows = append(t.rows, row)
}

func (t *table) print(w io.Writer) error {
	widths := []int{}
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], terminal.Cells(c))
		}
	}
	columns, _ := terminalOf(w)
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

// oneLine makes a foreign text harmless and short.
func oneLine(text string, columns int) string {
	return terminal.Cut(terminal.Visible(strings.TrimSpace(text)), columns)
}

// printJSON prints an answer of the daemon. Its strings are escaped again, so that no control character of a text gets
// through raw.
func printJSON(w io.Writer, raw json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return fmt.Errorf("the daemon's answer is no JSON: %w", err)
	}
	_, err := io.WriteString(w, escapeControls(strings.TrimRight(b.String(), "\n"))+"\n")
	return err
}

// escapeControls escapes the control characters and bidi controls that JSON leaves as they are. They can only be inside of strings.
func escapeControls(text string) string {
	if !strings.ContainsFunc(text, isSteering) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isSteering(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isSteering(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0x061c || r >= 0x200e && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// ago is how long ago something was, for people.
func ago(now, then time.Time) string {
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
