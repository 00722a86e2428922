package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const tabStop = 8

// cells is how many columns a rune takes: 0 for marks and joiners, 2 for wide ones, else 1.
func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r == 0x200b || r == 0x200c || r == 0x200d || r >= 0xfe00 && r <= 0xfe0f || unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	default:
		return 1
	}
}

// Cells is how many columns a text without control characters takes.
func Cells(s string) int {
	n := 0
	for _, r := range s {
		n += cells(r)
	}
	return n
}

// Cut shortens a line to a number of columns and shows that it did.
func Cut(s string, columns int) string {
	if columns <= 0 || len(s) <= columns || Cells(s) <= columns {
		return s
	}
	n := 0
	for i, r := range s {
		if n+cells(r) > columns-1 {
			return s[:i] + "…"
		}
		n += cells(r)
	}
	return s
}

// cutStyled is Cut for a line with colours of our own, which take no column; they are reset at its end.
func cutStyled(s string, columns int) string {
	if columns <= 0 || len(s) <= columns {
		return s
	}
	n, inside, coloured := 0, false, false
	cut := -1 // where the mark goes, should the line be too long
	for i, r := range s {
		switch {
		case inside:
			inside = r != 'm'
			continue
		case r == '\x1b':
			inside, coloured = true, true
			continue
		}
		c := cells(r)
		if cut < 0 && n+c > columns-1 {
			cut = i
		}
		if n += c; n > columns {
			if coloured {
				return s[:cut] + "…" + reset
			}
			return s[:cut] + "…"
		}
	}
	return s
}

// wrapper breaks text into lines of a number of columns, at spaces where it can. Complete lines are final: what comes
// later never changes them. The zero value for columns means no limit.
type wrapper struct {
	columns int
	line    []byte // the line being built
	used    int    // its columns
	space   int    // index after the last space in line; 0: none
}

// add takes more text, cleaned before, and returns the lines that it completed.
func (w *wrapper) add(text string) []string {
	var done []string
	for _, r := range text {
		switch r {
		case '\n':
			done = append(done, w.flush())
			continue
		case '\t':
			for n := tabStop - w.used%tabStop; n > 0; n-- {
				done = w.put(' ', done)
			}
		default:
			done = w.put(r, done)
		}
	}
	return done
}

func (w *wrapper) put(r rune, done []string) []string {
	c := cells(r)
	for w.columns > 0 && w.used > 0 && w.used+c > w.columns {
		if r == ' ' { // the line ends here anyway
			return append(done, w.flush())
		}
		rest := ""
		if w.space > 0 && w.space < len(w.line) {
			rest = string(w.line[w.space:])
			w.line = w.line[:w.space]
		}
		done = append(done, strings.TrimRight(w.flush(), " "))
		w.line = append(w.line, rest...)
		w.used = Cells(rest)
	}
	w.line = append(w.line, string(r)...)
	w.used += c
	if r == ' ' {
		w.space = len(w.line)
	}
	return done
}

// rest is the line that is not complete yet.
func (w *wrapper) rest() string { return string(w.line) }

// flush ends the line.
func (w *wrapper) flush() string {
	s := string(w.line)
	w.line, w.used, w.space = w.line[:0], 0, 0
	return s
}

// wrap breaks a whole text into lines.
func wrap(text string, columns int) []string {
	w := wrapper{columns: columns}
	lines := w.add(text)
	if len(w.line) > 0 {
		lines = append(lines, w.flush())
	}
	return lines
}

// Wrap breaks a cleaned text into lines of a number of columns, at spaces where it can.
func Wrap(text string, columns int) []string { return wrap(text, columns) }

// Fit makes a line exactly as wide as a row may be: cut where it is wider. A line of a row has no more bytes than a row can show, so that marks without
// a width do not make it long.
func Fit(line string, columns int) string {
	if most := columns*16 + 256; len(line) > most {
		for most > 0 && !utf8.RuneStart(line[most]) {
			most--
		}
		line = line[:most] + reset
	}
	return cutStyled(line, columns)
}
