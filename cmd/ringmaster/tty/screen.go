package tty

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// Screen draws frames on a terminal, of each what has changed. The zero Screen with a writer is one of which nothing is known.
type Screen struct {
	Out   io.Writer
	shown terminal.Frame
	rows  int
	known bool
}

// Forget has the next frame drawn as a whole: something else has written there.
func (s *Screen) Forget() { s.known = false }

// Draw shows a frame in rows lines, with one write. Control characters are not drawn, whoever made the line: but for colours nothing of a line steers
// the terminal.
func (s *Screen) Draw(f terminal.Frame, rows int) error {
	var b strings.Builder
	whole := !s.known || rows != s.rows
	for y := range rows {
		line := lineOf(&f, y)
		if whole || line != lineOf(&s.shown, y) {
			b.WriteString("\x1b[" + strconv.Itoa(y+1) + ";1H\x1b[K")
			b.WriteString(harmless(line))
		}
	}
	if f.Title != s.shown.Title || whole {
		if titled() && f.Title != "" {
			b.WriteString("\x1b]2;" + only(f.Title) + "\x1b\\")
		}
	}
	moved := b.Len() > 0 || f.X != s.shown.X || f.Y != s.shown.Y
	if !moved {
		return nil
	}
	text := "\x1b[?2026h\x1b[?25l" + b.String() // one picture, where the terminal can hold back until it is whole
	if f.Y >= 0 {
		text += "\x1b[" + strconv.Itoa(f.Y+1) + ";" + strconv.Itoa(f.X+1) + "H\x1b[?25h"
	}
	s.shown, s.rows, s.known = f, rows, true
	_, err := io.WriteString(s.Out, text+"\x1b[?2026l")
	return err
}

func lineOf(f *terminal.Frame, y int) string {
	if y < len(f.Lines) {
		return f.Lines[y]
	}
	return ""
}

// harmless leaves of a line what is drawn, and colours.
func harmless(line string) string {
	if !strings.ContainsFunc(line, steers) {
		return line
	}
	var b strings.Builder
	for len(line) > 0 {
		if n := colour(line); n > 0 {
			b.WriteString(line[:n])
			line = line[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(line)
		if steers(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		line = line[n:]
	}
	return b.String()
}

// colour is how long the colour is that a line begins with; 0: it begins with none.
func colour(line string) int {
	if !strings.HasPrefix(line, "\x1b[") {
		return 0
	}
	for i := 2; i < len(line); i++ {
		switch c := line[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// only leaves of words what is drawn.
func only(words string) string {
	return strings.Map(func(r rune) rune {
		if steers(r) {
			return -1
		}
		return r
	}, words)
}

// steers says that a terminal may take a character as more than one to draw.
func steers(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f }
