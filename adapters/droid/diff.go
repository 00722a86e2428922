package droid

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// diffLine is one line of the difference that a tool reports which changes a file.
type diffLine struct {
	Type    string `json:"type"` // unchanged, removed, added
	Content string `json:"content"`
	Number  struct {
		Old int `json:"old"`
		New int `json:"new"`
	} `json:"lineNumber"` // from 1; 0: not on that side
}

// diff makes a unified diff of a tool's result; empty: it reports no difference.
func diff(result string) string {
	var r struct {
		FilePath string     `json:"file_path"`
		Lines    []diffLine `json:"diffLines"`
	}
	if !strings.HasPrefix(result, "{") || native.Decode([]byte(result), &r) != nil || len(r.Lines) == 0 {
		return ""
	}
	var b strings.Builder
	path := strings.TrimPrefix(r.FilePath, "/")
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", path, path)
	for lines := r.Lines; len(lines) > 0; {
		n := hunk(lines)
		writeHunk(&b, lines[:n])
		lines = lines[n:]
	}
	return b.String()
}

// hunk is how many lines follow each other without a gap.
func hunk(lines []diffLine) int {
	wasOld, wasNew := 0, 0
	for i, l := range lines {
		if wasOld > 0 && l.Number.Old > wasOld+1 || wasNew > 0 && l.Number.New > wasNew+1 {
			return i
		}
		wasOld, wasNew = max(wasOld, l.Number.Old), max(wasNew, l.Number.New)
	}
	return len(lines)
}

func writeHunk(b *strings.Builder, lines []diffLine) {
	var fromOld, fromNew, olds, news int
	for _, l := range lines {
		if l.Type != "added" {
			olds++
			if fromOld == 0 {
				fromOld = l.Number.Old
			}
		}
		if l.Type != "removed" {
			news++
			if fromNew == 0 {
				fromNew = l.Number.New
			}
		}
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", fromOld, olds, fromNew, news)
	for _, l := range lines {
		sign := " "
		switch l.Type {
		case "added":
			sign = "+"
		case "removed":
			sign = "-"
		}
		b.WriteString(sign + l.Content + "\n")
	}
}
