package ttytest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Screen is a terminal of so many columns and rows, as far as the program needs one. What it does not know is a problem, so that nothing else gets through.
// It wraps lines that are too long, unless it is told not to, as terminals do. It is not safe for concurrent use.
type Screen struct {
	Columns, Rows int
	Title         string
	Bells         int
	Notices       []string        // of OSC 9
	Pictures      int             // synchronized updates
	Modes         map[string]bool // such as 1049
	Problems      []string

	cells    [][]rune // 0: the right half of a wide character
	x, y     int
	hanging  bool // a character was written in the last column
	rest     []byte
	scrolled int
}

// NewScreen makes an empty screen.
func NewScreen(columns, rows int) *Screen {
	s := &Screen{Modes: map[string]bool{"7": true, "25": true}}
	s.Resize(columns, rows)
	return s
}

// Resize gives it another size, and empties it.
func (s *Screen) Resize(columns, rows int) {
	s.Columns, s.Rows, s.x, s.y, s.hanging = columns, rows, 0, 0, false
	s.cells = make([][]rune, rows)
	for y := range s.cells {
		s.cells[y] = blank(columns)
	}
}

func blank(n int) []rune {
	row := make([]rune, n)
	for i := range row {
		row[i] = ' '
	}
	return row
}

// Lines are the rows, without the spaces at their ends.
func (s *Screen) Lines() []string {
	out := make([]string, s.Rows)
	for y, row := range s.cells {
		text := strings.ReplaceAll(string(row), "\x00", "")
		out[y] = strings.TrimRight(text, " ")
	}
	return out
}

// Text is all that is on the screen.
func (s *Screen) Text() string { return strings.Join(s.Lines(), "\n") }

// Scrolled is how many rows have left it at the top.
func (s *Screen) Scrolled() int { return s.scrolled }

// Cursor is where it is, from 0.
func (s *Screen) Cursor() (x, y int) { return s.x, s.y }

// Write takes what a program writes. It never fails.
func (s *Screen) Write(b []byte) (int, error) {
	s.rest = append(s.rest, b...)
	for len(s.rest) > 0 {
		n := s.next(s.rest)
		if n == 0 {
			break
		}
		s.rest = s.rest[n:]
	}
	return len(b), nil
}

func (s *Screen) problem(format string, args ...any) {
	if len(s.Problems) < 20 {
		s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
	}
}

// next takes one character or sequence; 0: it is not whole.
func (s *Screen) next(b []byte) int {
	switch c := b[0]; c {
	case '\r':
		s.x, s.hanging = 0, false
		return 1
	case '\n':
		s.down()
		return 1
	case '\a':
		s.Bells++
		return 1
	case 0x1b:
		return s.escape(b)
	}
	if !utf8.FullRune(b) {
		return 0
	}
	r, n := utf8.DecodeRune(b)
	if r < 0x20 || r >= 0x7f && r <= 0x9f {
		s.problem("control character %U", r)
		return n
	}
	if r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c {
		s.problem("direction %U", r)
	}
	s.put(r)
	return n
}

func (s *Screen) down() {
	s.hanging = false
	if s.y < s.Rows-1 {
		s.y++
		return
	}
	s.cells = append(s.cells[1:], blank(s.Columns))
	s.scrolled++
}

func cells(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) || r == 0x200b || r == 0x200c || r == 0x200d || r >= 0xfe00 && r <= 0xfe0f {
		return 0
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

func (s *Screen) put(r rune) {
	n := cells(r)
	if n == 0 {
		return
	}
	if s.hanging || s.x+n > s.Columns {
		if s.Modes["7"] {
			s.x = 0
			s.down()
		} else {
			s.x = max(0, s.Columns-n)
		}
		s.hanging = false
	}
	if n > s.Columns {
		return
	}
	s.cells[s.y][s.x] = r
	if n == 2 {
		s.cells[s.y][s.x+1] = 0
	}
	s.x += n
	if s.x >= s.Columns {
		s.x, s.hanging = s.Columns-1, true
	}
}

func (s *Screen) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				s.control(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	case ']':
		for i := 2; i < len(b); i++ {
			if b[i] == '\a' {
				s.command(string(b[2:i]))
				return i + 1
			}
			if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
				s.command(string(b[2:i]))
				return i + 2
			}
		}
		return 0
	}
	s.problem("escape %q", b[1])
	return 2
}

// command takes an operating system command.
func (s *Screen) command(text string) {
	number, rest, _ := strings.Cut(text, ";")
	switch number {
	case "2":
		s.Title = rest
	case "9":
		s.Notices = append(s.Notices, rest)
	default:
		s.problem("OSC %.40q", text)
	}
}

func (s *Screen) control(args string, final byte) {
	if mode, private := strings.CutPrefix(args, "?"); private && (final == 'h' || final == 'l') {
		s.Modes[mode] = final == 'h'
		if mode == "2026" && final == 'h' {
			s.Pictures++
		}
		return
	}
	n := func(i, or int) int {
		parts := strings.Split(args, ";")
		if i >= len(parts) || parts[i] == "" {
			return or
		}
		v, err := strconv.Atoi(parts[i])
		if err != nil {
			s.problem("argument %q", args)
		}
		return v
	}
	switch final {
	case 'm':
	case 't':
		if args != "22;2" && args != "23;2" {
			s.problem("window %q", args)
		}
	case 'H':
		s.y, s.x, s.hanging = min(max(n(0, 1), 1), s.Rows)-1, min(max(n(1, 1), 1), s.Columns)-1, false
	case 'A':
		s.y, s.hanging = max(0, s.y-n(0, 1)), false
	case 'J', 'K':
		s.erase(n(0, 0), final)
	default:
		s.problem("sequence %q", args+string(final))
	}
}

func (s *Screen) erase(how int, final byte) {
	switch {
	case how == 0:
		copy(s.cells[s.y][s.x:], blank(s.Columns-s.x))
	case how == 2 && final == 'J':
		s.cells[s.y] = blank(s.Columns)
	default:
		s.problem("erase %d%c", how, final)
	}
	if final == 'K' {
		return
	}
	for y := range s.cells {
		if y > s.y || how == 2 {
			s.cells[y] = blank(s.Columns)
		}
	}
}
