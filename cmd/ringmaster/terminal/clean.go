package terminal

import (
	"strings"
	"unicode/utf8"
)

// maxSequence bounds what one control sequence may swallow, in runes: an introducer without an end must not hide the rest
// of a text.
const maxSequence = 4096

// Cleaner takes control sequences out of text that comes in pieces: C0 and C1 controls, CSI, OSC, DCS, SOS, PM and APC go,
// also where two pieces share one. Newlines and tabs stay, a carriage return becomes a newline, and what changes the
// direction of text or hides in it (bidi controls, tag characters, line separators) is shown escaped. The zero Cleaner is
// ready.
type Cleaner struct {
	state   cleanState
	swallow int    // runes of the running sequence
	half    []byte // an incomplete UTF-8 sequence at the end of the last piece
}

type cleanState uint8

const (
	ground  cleanState = iota
	escape             // after ESC
	csi                // parameters and intermediates of a control sequence
	str                // the text of OSC, DCS, SOS, PM or APC
	strEsc             // after ESC inside of one
	carried            // after CR: a following LF belongs to it
)

// Clean returns the harmless part of the next piece.
func (c *Cleaner) Clean(piece string) string {
	if c.state == ground && len(c.half) == 0 && plain(piece) {
		return piece
	}
	if len(c.half) > 0 {
		piece = string(c.half) + piece
		c.half = nil
	}
	var b strings.Builder
	b.Grow(len(piece))
	for len(piece) > 0 {
		if !utf8.FullRuneInString(piece) {
			c.half = []byte(piece)
			break
		}
		r, n := utf8.DecodeRuneInString(piece)
		piece = piece[n:]
		c.rune(&b, r)
	}
	return b.String()
}

// End says that no piece follows: what was cut off in the middle of a character is shown as one that is not valid.
func (c *Cleaner) End() string {
	half := len(c.half) > 0
	*c = Cleaner{}
	if half {
		return string(utf8.RuneError)
	}
	return ""
}

func (c *Cleaner) rune(b *strings.Builder, r rune) {
	switch c.state {
	case escape:
		c.afterEscape(b, r)
		return
	case csi:
		switch c.swallow++; {
		case r >= 0x40 && r <= 0x7e:
			c.state = ground
			return
		case r >= 0x20 && r <= 0x3f && c.swallow < maxSequence:
			return
		}
	case str, strEsc:
		ended := r == 0x07 || r == 0x9c || c.state == strEsc && r == '\\'
		if c.swallow++; ended {
			c.state = ground
			return
		}
		if r != '\n' && c.swallow < maxSequence {
			c.state = str
			if r == 0x1b {
				c.state = strEsc
			}
			return
		}
	case carried:
		if r == '\n' {
			c.state = ground
			return
		}
	case ground:
	}
	c.state = ground
	c.onGround(b, r)
}

func (c *Cleaner) onGround(b *strings.Builder, r rune) {
	switch {
	case r == '\n' || r == '\t':
		b.WriteRune(r)
	case r == '\r':
		b.WriteByte('\n')
		c.state = carried
	case r == 0x1b:
		c.state = escape
	case r == 0x9b:
		c.state, c.swallow = csi, 0
	case r == 0x90 || r == 0x98 || r == 0x9d || r == 0x9e || r == 0x9f:
		c.state, c.swallow = str, 0
	case control(r):
	case deceptive(r):
		writeEscaped(b, r)
	default:
		b.WriteRune(r)
	}
}

// afterEscape takes the rune after ESC (ECMA-35): an introducer, an intermediate, or the final byte of a short sequence.
func (c *Cleaner) afterEscape(b *strings.Builder, r rune) {
	switch {
	case r == '[':
		c.state, c.swallow = csi, 0
	case r == ']' || r == 'P' || r == 'X' || r == '^' || r == '_':
		c.state, c.swallow = str, 0
	case r >= 0x20 && r <= 0x2f: // an intermediate: the final byte follows
	case r >= 0x30 && r <= 0x7e:
		c.state = ground
	default:
		c.state = ground
		c.onGround(b, r)
	}
}

// Strip cleans a whole text.
func Strip(text string) string {
	var c Cleaner
	return c.Clean(text) + c.End()
}

// Visible puts a text on one line and hides nothing of it: every control character is shown escaped. It is for what a
// person decides about, such as the command of an approval: a stripped sequence could take the essential part along.
func Visible(text string) string {
	if plain(text) && !strings.ContainsAny(text, "\n\t") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case control(r) || deceptive(r):
			writeEscaped(&b, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain says that a text has nothing to clean.
func plain(s string) bool {
	for i := range len(s) {
		if ch := s[i]; ch < 0x20 && ch != '\n' && ch != '\t' || ch >= 0x7f {
			return false
		}
	}
	return true
}

// control says that a rune is a C0 or C1 control or DEL.
func control(r rune) bool { return r < 0x20 || r >= 0x7f && r <= 0x9f }

// deceptive says that a rune is no control but makes a text look like another one: bidi controls, line and paragraph
// separators, interlinear annotations and tag characters.
func deceptive(r rune) bool {
	switch {
	case r == 0x061c, r == 0x200e, r == 0x200f,
		r >= 0x2028 && r <= 0x202e,
		r >= 0x2066 && r <= 0x2069,
		r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

func writeEscaped(b *strings.Builder, r rune) {
	const hex = "0123456789abcdef"
	switch {
	case r < 0x80:
		b.WriteString(`\x`)
		b.WriteByte(hex[r>>4])
		b.WriteByte(hex[r&15])
	case r <= 0xffff:
		b.WriteString(`\u`)
		for s := 12; s >= 0; s -= 4 {
			b.WriteByte(hex[r>>s&15])
		}
	default:
		b.WriteString(`\U`)
		for s := 28; s >= 0; s -= 4 {
			b.WriteByte(hex[r>>s&15])
		}
	}
}
