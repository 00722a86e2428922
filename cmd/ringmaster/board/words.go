package board

import (
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

func itoa(n int) string { return strconv.Itoa(n) }

func short(id string) string { return terminal.Cut(id[:min(8, len(id))], 8) }

func blank(text string) bool { return strings.TrimSpace(text) == "" }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}

// one is a foreign text in one line.
func one(text string, columns int) string {
	text = text[:min(len(text), columns*16+256)] // no more of it can be shown
	return terminal.Cut(terminal.Visible(strings.TrimSpace(text)), columns)
}

// padded is one in exactly so many columns.
func padded(text string, columns int) string {
	text = one(text, columns)
	return text + strings.Repeat(" ", max(0, columns-terminal.Cells(text)))
}
