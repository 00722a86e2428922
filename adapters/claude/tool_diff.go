package claude

import (
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
)

// structured is a tool_use_result, as far as it says more than the result that the model gets.
type structured struct {
	Stdout        string `json:"stdout"`
	Stderr        string `json:"stderr"`
	PersistedSize int64  `json:"persistedOutputSize"` // bytes of output that the program cut
	Type          string `json:"type"`                // of Write: create or update
	FilePath      string `json:"filePath"`
	Content       string `json:"content"` // of Write
	Patch         []hunk `json:"structuredPatch"`
}

// hunk is one part of a structuredPatch. Its lines begin as those of a unified diff.
type hunk struct {
	OldStart int      `json:"oldStart"`
	OldLines int      `json:"oldLines"`
	NewStart int      `json:"newStart"`
	NewLines int      `json:"newLines"`
	Lines    []string `json:"lines"`
}

// streams is the output of a command.
func (s *structured) streams() string {
	if s.Stderr == "" {
		return s.Stdout
	}
	return strings.TrimPrefix(s.Stdout+"\n"+s.Stderr, "\n")
}

// diff is the change of a file as a unified diff; "": the result is none of a change.
func (s *structured) diff(cwd string) string {
	switch {
	case s.FilePath == "":
		return ""
	case len(s.Patch) > 0:
		f := diff.File{Old: s.FilePath, New: s.FilePath}
		for _, h := range s.Patch {
			f.Hunks = append(f.Hunks, diff.Hunk{OldStart: h.OldStart, NewStart: h.NewStart, Lines: h.lines()})
		}
		return diff.Format([]diff.File{f}, cwd)
	case s.Type == "create":
		return diff.Format([]diff.File{diff.Begun(s.FilePath, s.Content)}, cwd)
	}
	return ""
}

func (h *hunk) lines() (list []diff.Line) {
	for _, l := range h.Lines {
		switch {
		case l == "":
		case l[0] == '\\' && len(list) > 0: // No newline at end of file
			list[len(list)-1].Open = true
		case strings.IndexByte(" +-", l[0]) >= 0:
			list = append(list, diff.Line{Sign: l[0], Text: l[1:]})
		}
	}
	return list
}

// written shows a whole new content, of a file that may be there.
func written(path, text, cwd string) string {
	return diff.Format([]diff.File{{Old: path, New: path, Hunks: []diff.Hunk{{NewStart: 1, Lines: passage('+', text)}}}}, cwd)
}

// changed shows replacements whose places in the file are not known: each hunk counts its lines from the first one of the passage.
func changed(path string, edits []edit, cwd string) string {
	f := diff.File{Old: path, New: path}
	for _, e := range edits {
		before, after := passage('-', e.Old), passage('+', e.New)
		head, tail := common(before, after)
		h := diff.Hunk{OldStart: min(1, len(before)), NewStart: min(1, len(after))}
		if e.ReplaceAll {
			h.Note = "every occurrence"
		}
		around := passage(' ', e.Old)
		h.Lines = slices.Concat(around[:head], before[head:len(before)-tail], after[head:len(after)-tail], around[len(around)-tail:])
		f.Hunks = append(f.Hunks, h)
	}
	return diff.Format([]diff.File{f}, cwd)
}

// passage are the lines of a part of a file, which may end anywhere.
func passage(sign byte, text string) []diff.Line {
	lines := diff.Lines(sign, text)
	for i := range lines {
		lines[i].Open = false
	}
	return lines
}

// common counts the lines that both begin and end with.
func common(a, b []diff.Line) (head, tail int) {
	for head < min(len(a), len(b)) && a[head].Text == b[head].Text {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail].Text == b[len(b)-1-tail].Text {
		tail++
	}
	return head, tail
}
