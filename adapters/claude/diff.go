package claude

import (
	"fmt"
	"strings"
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
func (s *structured) diff() string {
	switch {
	case s.FilePath == "":
		return ""
	case len(s.Patch) > 0:
		b := diffHead(s.FilePath, s.FilePath)
		for _, h := range s.Patch {
			fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
			for _, l := range h.Lines {
				b.WriteString(l + "\n")
			}
		}
		return b.String()
	case s.Type == "create" && s.Content != "":
		return written("/dev/null", s.FilePath, s.Content)
	}
	return ""
}

func diffHead(old, path string) *strings.Builder {
	b := new(strings.Builder)
	fmt.Fprintf(b, "--- %s\n+++ %s\n", old, path)
	return b
}

// written is the diff of a whole new content.
func written(old, path, text string) string {
	b := diffHead(old, path)
	lines := linesOf(text)
	fmt.Fprintf(b, "@@ -0,0 +1,%d @@\n", len(lines))
	writeLines(b, "+", lines)
	return b.String()
}

// changed is the diff of replacements whose places in the file are not known: each hunk counts its lines from the first one
// of the passage.
func changed(path string, edits []edit) string {
	b := diffHead(path, path)
	for _, e := range edits {
		before, after := linesOf(e.Old), linesOf(e.New)
		head, tail := common(before, after)
		where := ""
		if e.ReplaceAll {
			where = " every occurrence"
		}
		fmt.Fprintf(b, "@@ -%s +%s @@%s\n", span(before), span(after), where)
		writeLines(b, " ", before[:head])
		writeLines(b, "-", before[head:len(before)-tail])
		writeLines(b, "+", after[head:len(after)-tail])
		writeLines(b, " ", before[len(before)-tail:])
	}
	return b.String()
}

// common counts the lines that both begin and end with.
func common(a, b []string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

func span(lines []string) string {
	if len(lines) == 0 {
		return "0,0"
	}
	return fmt.Sprintf("1,%d", len(lines))
}

func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func writeLines(b *strings.Builder, mark string, lines []string) {
	for _, l := range lines {
		b.WriteString(mark + l + "\n")
	}
}
