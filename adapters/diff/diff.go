package diff

import (
	"strconv"
	"strings"
)

// File is the change of one file.
type File struct {
	Old, New string // paths; empty where it begins, or ends
	Hunks    []Hunk
	// Unknown says that the agent has told of the change and of none of its lines.
	Unknown bool
}

// Hunk is a run of lines with those around it. How many there are on each side, the lines tell.
type Hunk struct {
	OldStart, NewStart int // from 1; before a side without lines, the number of the line behind which it would stand
	Lines              []Line
	Note               string // for people, behind the numbers

	all  string // the lines as one text, in place of Lines: of each line a value of its own takes many times the memory of a text
	sign byte   // that of each line of all
	open bool   // all ends without an end, and so does the file
}

// Line is one line of a hunk.
type Line struct {
	Sign byte   // ' ', '-' or '+'
	Text string // without its end
	Open bool   // it has no end: the file ends with it
}

// noEnd stands behind a line that has no end.
const noEnd = "\\ No newline at end of file\n"

// Lines are the lines of a text, all with one sign.
func Lines(sign byte, text string) (list []Line) {
	for line := range strings.Lines(text) {
		body, ended := strings.CutSuffix(line, "\n")
		list = append(list, Line{Sign: sign, Text: body, Open: !ended})
	}
	return list
}

// Begun is a file that did not exist before.
func Begun(path, text string) File { return File{New: path, Hunks: whole('+', text)} }

// Gone is a file that does not exist any more.
func Gone(path, text string) File { return File{Old: path, Hunks: whole('-', text)} }

func whole(sign byte, text string) []Hunk {
	if text == "" {
		return nil
	}
	h := Hunk{all: text, sign: sign, open: open(text)}
	if sign == '+' {
		h.NewStart = 1
	} else {
		h.OldStart = 1
	}
	return []Hunk{h}
}

// Format writes the changes of some files. Paths below cwd are written relative to it. Files in which nothing changes are left out. Those
// with a "diff --git" line come last: git takes all up to the next such line for the same file, where that has no hunks.
func Format(files []File, cwd string) string {
	var plain, headed strings.Builder
	for _, f := range files {
		f.Old, f.New = relative(f.Old, cwd), relative(f.New, cwd)
		switch {
		case f.Old == "" && f.New == "":
		case f.Unknown, f.Old == f.New && len(f.Hunks) > 0, (f.Old == "" || f.New == "") && len(f.Hunks) > 0:
			f.write(&plain)
		case f.Old != f.New:
			f.write(&headed)
		}
	}
	return plain.String() + headed.String()
}

func (f *File) write(b *strings.Builder) {
	from, to := f.Old, f.New
	switch {
	case f.Unknown:
	case from != "" && to != "" && from != to:
		head(b, from, to)
		b.WriteString("rename from " + quoted("", from) + "\nrename to " + quoted("", to) + "\n")
	case len(f.Hunks) == 0 && from == "":
		head(b, to, to)
		b.WriteString("new file mode 100644\n")
	case len(f.Hunks) == 0 && to == "":
		head(b, from, from)
		b.WriteString("deleted file mode 100644\n")
	}
	b.WriteString("--- " + side("a/", from) + "\n+++ " + side("b/", to) + "\n")
	if !f.Unknown {
		for i := range f.Hunks {
			f.Hunks[i].write(b)
		}
	}
}

func head(b *strings.Builder, from, to string) {
	b.WriteString("diff --git " + quoted("a/", from) + " " + quoted("b/", to) + "\n")
}

func (h *Hunk) write(b *strings.Builder) {
	olds, news := h.counts()
	b.WriteString("@@ -" + span(h.OldStart, olds) + " +" + span(h.NewStart, news) + " @@")
	if h.Note != "" {
		b.WriteString(" " + oneLine(h.Note))
	}
	b.WriteByte('\n')
	if h.all != "" {
		h.writeAll(b, olds+news)
	}
	for _, l := range h.Lines {
		b.WriteByte(l.Sign)
		b.WriteString(oneLine(l.Text))
		b.WriteByte('\n')
		if l.Open {
			b.WriteString(noEnd)
		}
	}
}

func (h *Hunk) writeAll(b *strings.Builder, n int) {
	b.Grow(len(h.all) + n + len(noEnd) + 1)
	for line := range strings.Lines(h.all) {
		b.WriteByte(h.sign)
		b.WriteString(line)
	}
	if open(h.all) {
		b.WriteByte('\n')
	}
	if h.open {
		b.WriteString(noEnd)
	}
}

func (h *Hunk) counts() (olds, news int) {
	if h.all != "" {
		n := strings.Count(h.all, "\n")
		if open(h.all) {
			n++
		}
		if h.sign == '+' {
			return 0, n
		}
		return n, 0
	}
	for _, l := range h.Lines {
		if l.Sign != '+' {
			olds++
		}
		if l.Sign != '-' {
			news++
		}
	}
	return olds, news
}

// span is where a side of a hunk begins and how many lines it has.
func span(start, n int) string {
	if n == 1 {
		return strconv.Itoa(start)
	}
	return strconv.Itoa(start) + "," + strconv.Itoa(n)
}

// oneLine keeps what is one line from becoming more.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }
