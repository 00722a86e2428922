package terminal

import "strings"

// Style colours text, or leaves it as it is. Everything it is given must be cleaned and cut before.
type Style struct{ Colour bool }

const reset = "\x1b[0m"

func (s Style) wrap(code, text string) string {
	if !s.Colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + reset
}

// Plain is a line without its colours.
func Plain(line string) string {
	if !strings.Contains(line, "\x1b[") {
		return line
	}
	var b strings.Builder
	for {
		text, rest, is := strings.Cut(line, "\x1b[")
		b.WriteString(text)
		if !is {
			return b.String()
		}
		_, line, _ = strings.Cut(rest, "m")
	}
}

// Bold is for what the user said and for headings.
func (s Style) Bold(text string) string { return s.wrap("1", text) }

// Dim is for what matters less: thinking, output of tools, figures.
func (s Style) Dim(text string) string { return s.wrap("2", text) }

// Good is for success.
func (s Style) Good(text string) string { return s.wrap("32", text) }

// Bad is for failure.
func (s Style) Bad(text string) string { return s.wrap("31", text) }

// Warn is for what waits for somebody, and for interruptions.
func (s Style) Warn(text string) string { return s.wrap("33", text) }

// Found is for what was looked for.
func (s Style) Found(text string) string { return s.wrap("7", text) }

// Accent is for names and marks.
func (s Style) Accent(text string) string { return s.wrap("36", text) }
