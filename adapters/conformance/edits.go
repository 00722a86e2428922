package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// texts before and after an edit.
var edited = [][2]string{
	{"hello\nworld\n", "hello\nplanet\n"},
	{"one\ntwo\nthree\n", "one\nthree\n"},
	{"one\nthree\n", "one\ntwo\nthree\n"},
	{"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n", "A\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\nn\n"},
	{"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\nm\n", "a\nc\nd\ne\nf\ng\nh\ni\nj\nk\nll\nmm\n"},
	{"-- a\n++ b\n@@ c\n\\ d\n\n \n", "-- a\n--- b\n@@ c\n+++ d\n\n\t\n"},
	{"no end", "no end\n"},
	{"an end\n", "an end"},
	{"first\nno end", "second\nno end"},
	{"all of it\n", ""},
	{"", "all of it\n"},
}

// edits says whether what the agent tells of a changed file becomes a diff that, applied to the file as it was, gives the file as it is.
func (w *witness) edits(t testing.TB) {
	tell := w.suite.Edits
	if tell == nil {
		return
	}
	told := 0
	for _, pair := range edited {
		before, after := pair[0], pair[1]
		const cwd, path = "/work/space", "src/file.txt"
		lines := tell(cwd+"/"+path, before, after, Compare(before, after))
		if lines == nil {
			continue
		}
		told++
		tr := w.suite.Agent.Translator(adapters.Spec{SessionID: "00000000-0000-4000-8000-000000000001", Program: "agent", Cwd: cwd})
		var out adapters.Output
		tr.Start(&out)
		for _, line := range lines {
			tr.Line([]byte(line), &out)
		}
		var closed []*protocol.ToolCallData
		for _, d := range out.Drafts {
			if e, ok := d.(adapters.EntryClosed); ok {
				if call, ok := e.Data.(*protocol.ToolCallData); ok {
					closed = append(closed, call)
				}
			}
		}
		if len(closed) != 1 {
			t.Errorf("diff: an edit made %d tool calls", len(closed))
			continue
		}
		files, ok := diff.Read(closed[0].Diff)
		if !ok || len(files) != 1 || files[0].Old != path && files[0].Old != "" || files[0].New != path && files[0].New != "" {
			t.Errorf("diff: of %q and %q: %s", before, after, closed[0].Diff)
			continue
		}
		if got, err := Patched(before, files[0].Hunks); err != nil || got != after {
			t.Errorf("diff: applied to %q it gives %q, %v, want %q:\n%s", before, got, err, after, closed[0].Diff)
		}
	}
	if told == 0 {
		t.Error("diff: the suite tells of no edit")
	}
}

// Patched applies hunks to a text.
func Patched(text string, hunks []diff.Hunk) (string, error) {
	old := diff.Lines(' ', text)
	var list []diff.Line
	at := 0
	for _, h := range hunks {
		olds, news := 0, 0
		for _, l := range h.Lines {
			if l.Sign != '+' {
				olds++
			}
			if l.Sign != '-' {
				news++
			}
		}
		start, to := h.OldStart, h.NewStart // behind which line
		if olds > 0 {
			start--
		}
		if news > 0 {
			to--
		}
		if start < at || start > len(old) {
			return "", fmt.Errorf("a hunk at line %d", h.OldStart)
		}
		list = append(list, old[at:start]...)
		if len(list) != to {
			return "", fmt.Errorf("a hunk at line %d of the new file, which has %d by then", h.NewStart, len(list))
		}
		at = start
		for _, l := range h.Lines {
			if l.Sign != '+' {
				if at >= len(old) || old[at].Text != l.Text || old[at].Open != l.Open {
					return "", fmt.Errorf("line %d is not %q", at+1, l.Text)
				}
				at++
			}
			if l.Sign != '-' {
				list = append(list, l)
			}
		}
	}
	var b strings.Builder
	for _, l := range append(list, old[at:]...) {
		b.WriteString(l.Text)
		if !l.Open {
			b.WriteByte('\n')
		}
	}
	return b.String(), nil
}

// Compare gives the hunks by which two texts differ, with three lines around each.
func Compare(before, after string) (list []diff.Hunk) {
	const around = 3
	steps := align(diff.Lines(' ', before), diff.Lines(' ', after))
	for at := 0; at < len(steps); at++ {
		if steps[at].line.Sign == ' ' {
			continue
		}
		from, to := max(0, at-around), at+1
		for i := to; i < min(len(steps), to+2*around+1); i++ { // changes that are near are of one hunk
			if steps[i].line.Sign != ' ' {
				to = i + 1
			}
		}
		at, to = to-1, min(len(steps), to+around)
		h := diff.Hunk{OldStart: steps[from].old, NewStart: steps[from].new}
		for _, s := range steps[from:to] {
			h.Lines = append(h.Lines, s.line)
		}
		if slices.ContainsFunc(h.Lines, func(l diff.Line) bool { return l.Sign != '+' }) {
			h.OldStart++
		}
		if slices.ContainsFunc(h.Lines, func(l diff.Line) bool { return l.Sign != '-' }) {
			h.NewStart++
		}
		list = append(list, h)
	}
	return list
}

// step is a line of either text, and how many lines of each come before it.
type step struct {
	line     diff.Line
	old, new int
}

// align puts two texts side by side, by their longest common subsequence.
func align(a, b []diff.Line) (steps []step) {
	long := make([][]int, len(a)+1)
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if long[i][j] = max(long[i+1][j], long[i][j+1]); a[i] == b[j] {
				long[i][j] = long[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			steps = append(steps, step{a[i], i, j})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && long[i+1][j] >= long[i][j+1]:
			steps = append(steps, step{diff.Line{Sign: '-', Text: a[i].Text, Open: a[i].Open}, i, j})
			i++
		default:
			steps = append(steps, step{diff.Line{Sign: '+', Text: b[j].Text, Open: b[j].Open}, i, j})
			j++
		}
	}
	return steps
}
