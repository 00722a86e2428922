package keys

import (
	"strings"
	"unicode/utf8"
)

// maxText bounds a text that somebody writes, in bytes; the daemon's own bound of a prompt is the same.
const maxText = 1 << 20

// Editor is a text that somebody writes, and where in it. The zero Editor is empty.
type Editor struct {
	Text string
	At   int // in bytes: what is typed comes here
}

// Set replaces the text; what is typed comes at its end.
func (e *Editor) Set(text string) { e.Text, e.At = text, len(text) }

// Key takes a key that writes or moves; false: it does neither.
func (e *Editor) Key(k Key) bool {
	switch {
	case k.Name == Paste:
		e.insert(tidy(k.Text))
	case k.Name == "" && k.Text != "":
		e.insert(k.Text)
	case k.Is("ctrl+j", "alt+enter"):
		e.insert("\n")
	case k.Is("backspace"):
		_, n := utf8.DecodeLastRuneInString(e.Text[:e.At])
		e.cut(e.At-n, e.At)
	case k.Is("delete"):
		_, n := utf8.DecodeRuneInString(e.Text[e.At:])
		e.cut(e.At, e.At+n)
	case k.Is("ctrl+w"):
		from := strings.TrimRight(e.Text[:e.At], " \n")
		e.cut(strings.LastIndexAny(from, " \n")+1, e.At)
	case k.Is("ctrl+u"):
		e.cut(e.line(), e.At)
	case k.Is("ctrl+k"):
		to := strings.IndexByte(e.Text[e.At:], '\n')
		if to < 0 {
			to = len(e.Text) - e.At
		}
		e.cut(e.At, e.At+to)
	case k.Is("left", "ctrl+b"):
		_, n := utf8.DecodeLastRuneInString(e.Text[:e.At])
		e.At -= n
	case k.Is("right", "ctrl+f"):
		_, n := utf8.DecodeRuneInString(e.Text[e.At:])
		e.At += n
	case k.Is("home", "ctrl+a"):
		e.At = e.line()
	case k.Is("end", "ctrl+e"):
		if to := strings.IndexByte(e.Text[e.At:], '\n'); to >= 0 {
			e.At += to
		} else {
			e.At = len(e.Text)
		}
	default:
		return false
	}
	return true
}

// line is where the line begins in which one writes.
func (e *Editor) line() int { return strings.LastIndexByte(e.Text[:e.At], '\n') + 1 }

func (e *Editor) insert(text string) {
	if len(e.Text)+len(text) > maxText {
		return
	}
	e.Text = e.Text[:e.At] + text + e.Text[e.At:]
	e.At += len(text)
}

func (e *Editor) cut(from, to int) {
	e.Text = e.Text[:from] + e.Text[to:]
	e.At = from
}

// tidy makes a pasted text one that could have been typed: with newlines and tabs, and no other control character.
func tidy(text string) string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return r
	}, text)
}
