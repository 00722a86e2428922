package diff

import (
	"strconv"
	"strings"
)

// Read reads a unified diff of any hand: with or without the lines of git, with prefixes or without. What stands between the files is
// skipped. ok is false where it has no file, or a hunk that does not have the lines that it says.
func Read(text string) (files []File, ok bool) {
	r := reader{rest: text}
	for r.rest != "" {
		line := r.next()
		switch {
		case strings.HasPrefix(line, gitHead):
			r.git(line[len(gitHead):], &files)
		case strings.HasPrefix(line, "--- ") && strings.HasPrefix(r.rest, "+++ "):
			f := File{Unknown: true}
			f.Old, f.New = bare(named(line[4:]), named(r.next()[4:]))
			if f.Hunks, ok = r.hunks(); !ok || len(f.Hunks) > 0 && r.more() {
				return nil, false
			}
			f.Unknown = len(f.Hunks) == 0
			files = append(files, f)
		case strings.HasPrefix(line, "@@ "):
			return nil, false // of no file
		}
	}
	return files, len(files) > 0
}

// Hunks reads the hunks of one file, which stand alone.
func Hunks(text string) (list []Hunk, ok bool) {
	r := reader{rest: text}
	list, ok = r.hunks()
	return list, ok && r.rest == "" && len(list) > 0
}

type reader struct{ rest string }

// next takes a line, without its end.
func (r *reader) next() string {
	line, rest, _ := strings.Cut(r.rest, "\n")
	r.rest = rest
	return line
}

const gitHead = "diff --git "

// git takes what git says of a file before its --- and +++, which may be missing, and so may the hunks behind them: of a move, and of a
// file that is empty when it begins or ends.
func (r *reader) git(names string, files *[]File) {
	var f File
	begun, gone := false, false
	for r.rest != "" && !strings.HasPrefix(r.rest, gitHead) {
		if strings.HasPrefix(r.rest, "--- ") {
			before := r.rest
			r.next()
			if strings.HasPrefix(r.rest, "+++ ") {
				if r.next(); strings.HasPrefix(r.rest, "@@ ") {
					r.rest = before // a file like any other
					return
				}
			}
			break
		}
		line := r.next()
		if from, is := strings.CutPrefix(line, "rename from "); is {
			f.Old = named(from)
		} else if to, is := strings.CutPrefix(line, "rename to "); is {
			f.New = named(to)
		}
		begun, gone = begun || strings.HasPrefix(line, "new file mode "), gone || strings.HasPrefix(line, "deleted file mode ")
	}
	switch path := twice(names); {
	case f.Old != "" && f.New != "":
		*files = append(*files, f)
	case begun && path != "":
		*files = append(*files, File{New: path})
	case gone && path != "":
		*files = append(*files, File{Old: path})
	}
}

// twice is the path that stands twice behind "diff --git"; empty: there are two.
func twice(names string) string {
	half := names[:max(0, len(names)-1)/2]
	if names != half+" "+names[min(len(names), len(half)+1):] {
		return ""
	}
	from, to := bare(named(half), named(names[len(half)+1:]))
	if from != to {
		return ""
	}
	return from
}

// more says that lines follow the last hunk which look like its own, beyond those that it says. What ends a mail of git's looks so too.
func (r *reader) more() bool {
	return r.rest != "" && strings.IndexByte(" +-", r.rest[0]) >= 0 && !strings.HasPrefix(r.rest, "--- ") && !strings.HasPrefix(r.rest, "-- \n")
}

// hunks takes the hunks that follow; ok is false where one of them lacks lines.
func (r *reader) hunks() (list []Hunk, ok bool) {
	for strings.HasPrefix(r.rest, "@@ ") {
		h, olds, news, ok := header(r.next())
		if !ok {
			return nil, false
		}
		for olds > 0 || news > 0 {
			if r.rest == "" {
				return nil, false
			}
			l, ok := lineOf(r.next())
			if !ok {
				return nil, false
			}
			if l.Sign != '+' {
				olds--
			}
			if l.Sign != '-' {
				news--
			}
			h.Lines = append(h.Lines, l)
			if strings.HasPrefix(r.rest, `\`) {
				r.next()
				h.Lines[len(h.Lines)-1].Open = true
			}
		}
		if olds < 0 || news < 0 {
			return nil, false
		}
		if len(h.Lines) > 0 {
			list = append(list, h)
		}
	}
	return list, true
}

// lineOf reads a line of a hunk. Some hands take the blank from a line that has nothing else.
func lineOf(line string) (Line, bool) {
	if line == "" || line == "\r" {
		return Line{Sign: ' ', Text: line}, true
	}
	switch line[0] {
	case ' ', '+', '-':
		return Line{Sign: line[0], Text: line[1:]}, true
	}
	return Line{}, false
}

// header reads "@@ -1,2 +3,4 @@ note".
func header(line string) (h Hunk, olds, news int, ok bool) {
	spans, note, ok := strings.Cut(strings.TrimPrefix(line, "@@ "), " @@")
	from, to, two := strings.Cut(spans, " ")
	if !ok || !two || !strings.HasPrefix(from, "-") || !strings.HasPrefix(to, "+") {
		return h, 0, 0, false
	}
	h.Note = strings.TrimSpace(note)
	h.OldStart, olds, ok = spanOf(from[1:])
	if !ok {
		return h, 0, 0, false
	}
	h.NewStart, news, ok = spanOf(to[1:])
	return h, olds, news, ok
}

func spanOf(text string) (start, n int, ok bool) {
	first, count, more := strings.Cut(text, ",")
	n = 1
	start, err := strconv.Atoi(first)
	if err == nil && more {
		n, err = strconv.Atoi(count)
	}
	return start, n, err == nil && start >= 0 && n >= 0
}
