package keys

import (
	"bytes"
	"unicode/utf8"
)

// Bounds of what is kept of an input that does not end, in bytes.
const (
	maxSequence = 64      // a longer one is no key
	MaxPaste    = 1 << 20 // what is pasted beyond it is left out: a prompt takes no more
)

var (
	pasteBegin = []byte("\x1b[200~")
	pasteEnd   = []byte("\x1b[201~")
)

// Decoder makes keys of bytes that come in pieces. The zero Decoder is ready.
type Decoder struct {
	rest    []byte // of a key that is not whole yet
	pasting bool
	pasted  []byte
}

// Feed takes the next bytes and returns the keys that are whole now.
func (d *Decoder) Feed(more []byte) []Key {
	d.rest = append(d.rest, more...)
	var list []Key
	for len(d.rest) > 0 {
		if d.pasting {
			key, over := d.paste()
			if !over {
				break
			}
			list = append(list, key)
			continue
		}
		if bytes.HasPrefix(d.rest, pasteBegin) {
			d.pasting, d.rest = true, d.rest[len(pasteBegin):]
			continue
		}
		key, n := next(d.rest)
		if n == 0 {
			break
		}
		d.rest = d.rest[n:]
		if key != (Key{}) {
			list = append(list, key)
		}
	}
	return list
}

// Waits says that something is begun that more bytes would end: after a moment without any, Flush says what it was.
func (d *Decoder) Waits() bool { return len(d.rest) > 0 && !d.pasting }

// Flush ends what is begun: an escape that nothing followed is the key of that name.
func (d *Decoder) Flush() []Key {
	if !d.Waits() {
		return nil
	}
	rest := d.rest
	d.rest = nil
	if rest[0] != 0x1b {
		return nil // a part of a character
	}
	list := []Key{{Name: "esc"}}
	if len(rest) > 1 {
		list = append(list, d.Feed(rest[1:])...)
		d.rest = nil
	}
	return list
}

// paste takes what is pasted up to its end.
func (d *Decoder) paste() (Key, bool) {
	at := bytes.Index(d.rest, pasteEnd)
	take := at
	if at < 0 { // the end may have begun
		take = max(0, len(d.rest)-len(pasteEnd)+1)
	}
	room := MaxPaste - len(d.pasted)
	d.pasted = append(d.pasted, d.rest[:min(take, room)]...)
	d.rest = d.rest[take:]
	if at < 0 {
		return Key{}, false
	}
	key := Key{Name: Paste, Text: string(bytes.ToValidUTF8(d.pasted, []byte("\ufffd")))}
	d.rest, d.pasting, d.pasted = d.rest[len(pasteEnd):], false, nil
	return key, true
}

// next reads one key; n is 0 where it is not whole. A key that nobody knows is the zero Key.
func next(b []byte) (key Key, n int) {
	switch c := b[0]; {
	case c == 0x1b:
		return escaped(b)
	case c < 0x20 || c == 0x7f:
		return Key{Name: control(c)}, 1
	case c < utf8.RuneSelf:
		return Key{Text: string(rune(c))}, 1
	}
	if !utf8.FullRune(b) {
		return Key{}, 0
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError || r >= 0x80 && r <= 0x9f {
		return Key{}, n
	}
	return Key{Text: string(r)}, n
}

func control(c byte) string {
	switch c {
	case '\r', '\n':
		if c == '\n' {
			return "ctrl+j"
		}
		return "enter"
	case '\t':
		return "tab"
	case 0x7f, 0x08:
		return "backspace"
	case 0:
		return "ctrl+space"
	}
	if c <= 26 {
		return "ctrl+" + string(rune('a'+c-1))
	}
	return "ctrl"
}

// escaped reads what begins with an escape: a key of the terminal, or one that was pressed with Alt.
func escaped(b []byte) (Key, int) {
	if len(b) == 1 {
		return Key{}, 0
	}
	switch b[1] {
	case '[':
		return sequence(b)
	case 'O':
		if len(b) < 3 {
			return Key{}, 0
		}
		return Key{Name: finals[b[2]]}, 3
	case 0x1b: // the second one may begin a key
		return Key{Name: "esc"}, 1
	case '\r':
		return Key{Name: "alt+enter"}, 2
	}
	key, n := next(b[1:])
	if n == 0 {
		return Key{}, 0
	}
	if key.Name == "" && key.Text != "" {
		key = Key{Name: "alt+" + key.Text}
	}
	return key, n + 1
}

var finals = map[byte]string{
	'A': "up", 'B': "down", 'C': "right", 'D': "left", 'H': "home", 'F': "end", 'Z': "shift+tab", 'M': "enter",
}

var numbers = map[string]string{
	"1": "home", "2": "insert", "3": "delete", "4": "end", "5": "pgup", "6": "pgdown", "7": "home", "8": "end",
}

// sequence reads a control sequence (ECMA-48): parameters, intermediates, and one final byte.
func sequence(b []byte) (Key, int) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c >= 0x40 && c <= 0x7e:
			first, _, _ := bytes.Cut(b[2:i], []byte(";"))                         // what follows are Shift, Alt and Ctrl
			if len(first) > 0 && (first[0] < '0' || first[0] > '9') || c == 'M' { // what the terminal says of itself, and a mouse
				return Key{}, i + 1
			}
			if c == '~' {
				return Key{Name: numbers[string(first)]}, i + 1
			}
			return Key{Name: finals[c]}, i + 1
		case c < 0x20 || c > 0x3f: // no sequence after all
			return Key{}, i
		}
		if i > maxSequence {
			return Key{}, i
		}
	}
	return Key{}, 0
}
