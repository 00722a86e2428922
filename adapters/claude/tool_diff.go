package claude

import (
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

// diff is what a call would change, as far as its arguments say it; "": nothing that they say whole. A cell of a notebook is no run of lines of its file.
func (in *input) diff(name, cwd string) string {
	var f diff.File
	switch name {
	case "Write":
		f = diff.Written(in.FilePath, in.Content)
	case "Edit":
		f = changed(in.FilePath, []edit{{in.Old, in.New, in.ReplaceAll}})
	case "MultiEdit":
		f = changed(in.FilePath, in.Edits)
	default:
		return ""
	}
	return diff.Format([]diff.File{f}, cwd)
}

func changed(path string, edits []edit) diff.File {
	list := make([]diff.Passage, len(edits))
	for i, e := range edits {
		list[i] = diff.Passage{Old: e.Old, New: e.New, Every: e.ReplaceAll}
	}
	return diff.Replaced(path, list)
}
