package protocol

import (
	"maps"
	"slices"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendString writes s as a JSON string. Control characters, DEL, C1 controls and the line separators U+2028/2029 are
// escaped, so that a line of the log can neither break a reader that splits lines nor steer a terminal; invalid UTF-8
// becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	b = appendSafe(b, s, true)
	return append(b, '"')
}

// plain are the ASCII characters that need no escape.
var plain = func() (p [utf8.RuneSelf]bool) {
	for ch := 0x20; ch < 0x7f; ch++ {
		p[ch] = ch != '"' && ch != '\\'
	}
	return p
}()

// appendSafe writes the inside of a string: quoting says that s is text, otherwise it is the inside of a JSON string
// already and its escapes stay.
func appendSafe(b []byte, s string, quoting bool) []byte {
	start := 0
	for i := 0; i < len(s); {
		ch := s[i]
		if ch < utf8.RuneSelf {
			if plain[ch] || !quoting && ch != 0x7f {
				i++
				continue
			}
			b = append(b, s[start:i]...)
			b = appendEscape(b, rune(ch))
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r <= 0x9f || r == '\u2028' || r == '\u2029' || r == utf8.RuneError && n == 1 {
			b = append(b, s[start:i]...)
			b = appendEscape(b, r)
			start = i + n
		}
		i += n
	}
	return append(b, s[start:]...)
}

func appendEscape(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}

func appendStrings(b []byte, l []string) []byte {
	b = append(b, '[')
	for i, s := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, s)
	}
	return append(b, ']')
}

func appendStringMap(b []byte, m map[string]string) []byte {
	b = append(b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, k)
		b = append(b, ':')
		b = appendString(b, m[k])
	}
	return append(b, '}')
}
