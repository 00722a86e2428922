package droid

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
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

// unified makes a unified diff of a tool's result; empty: it reports no difference. Whether the last line of the file has an end is not
// known: it gets one.
func unified(tool, result, cwd string) string {
	var r struct {
		FilePath string     `json:"file_path"`
		Lines    []diffLine `json:"diffLines"`
	}
	if !strings.HasPrefix(result, "{") || native.Decode([]byte(result), &r) != nil || len(r.Lines) == 0 {
		return ""
	}
	f := diff.File{Old: r.FilePath, New: r.FilePath}
	longer := 0 // by how much the new side is, so far
	for lines := r.Lines; len(lines) > 0; {
		n := hunk(lines)
		h, olds, news := hunkOf(lines[:n], longer)
		f.Hunks = append(f.Hunks, h)
		longer += news - olds
		lines = lines[n:]
	}
	if tool == createTool && longer == len(f.Hunks[0].Lines) && len(f.Hunks) == 1 {
		f.Old = ""
	}
	return diff.Format([]diff.File{f}, cwd)
}

// diff is what an edit would change; empty: it is none, or not all that it changes is told. A patch has a form of its own.
func (d *details) diff(in *toolInput, cwd string) string {
	if onePath(d.FilePath) == "" || in.FilePath != "" && in.FilePath != d.FilePath {
		return ""
	}
	var f diff.File
	switch {
	case d.Type == "create":
		f = diff.Written(d.FilePath, d.Content)
	case d.Type == "edit" && d.OldContent != nil && d.NewContent != nil:
		f = diff.Between(d.FilePath, *d.OldContent, *d.NewContent)
	}
	return diff.Format([]diff.File{f}, cwd)
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

// hunkOf makes a hunk of lines, behind hunks that have made the file longer. A side without lines stands behind the line before.
func hunkOf(lines []diffLine, longer int) (h diff.Hunk, olds, news int) {
	for _, l := range lines {
		sign := byte(' ')
		switch l.Type {
		case "added":
			sign = '+'
		case "removed":
			sign = '-'
		}
		for _, part := range strings.Split(strings.TrimSuffix(l.Content, "\n"), "\n") {
			h.Lines = append(h.Lines, diff.Line{Sign: sign, Text: part})
			if sign != '+' {
				olds++
			}
			if sign != '-' {
				news++
			}
		}
		if sign != '+' && h.OldStart == 0 {
			h.OldStart = l.Number.Old
		}
		if sign != '-' && h.NewStart == 0 {
			h.NewStart = l.Number.New
		}
	}
	switch {
	case olds == 0:
		h.OldStart = max(0, h.NewStart-1-longer)
	case news == 0:
		h.NewStart = max(0, h.OldStart-1+longer)
	}
	return h, olds, news
}
