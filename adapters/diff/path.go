package diff

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const none = "/dev/null"

// relative is a path as it stands in a diff: relative to cwd where it lies below, else as it is. What would be left of "/w//etc/passwd" looks
// like another file.
func relative(path, cwd string) string {
	if below, ok := strings.CutPrefix(path, strings.TrimSuffix(cwd, "/")+"/"); ok && cwd != "" && below != "" && below[0] != '/' {
		return below
	}
	return path
}

// side is a path behind --- or +++. One with white space ends with a tab, as git has it: programs take a blank for its end otherwise.
func side(prefix, path string) string {
	if path == "" {
		return none
	}
	name := quoted(prefix, path)
	if name[0] != '"' && strings.ContainsRune(name, ' ') {
		return name + "\t"
	}
	return name
}

// Quoted is a path, or a word, that stands in a line of its own for people: as git writes it.
func Quoted(path string) string { return quoted("", path) }

// quoted is a path as git writes it: in quotes, with escapes, where it has quotes, backslashes or characters that are not seen as they are: controls, ends of
// lines and paragraphs, and those that turn the text around them or take no room.
func quoted(prefix, path string) string {
	path = prefix + path
	if !strings.ContainsFunc(path, escaped) {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for len(path) > 0 {
		r, n := utf8.DecodeRuneInString(path)
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteByte(path[0])
		case escaped(r):
			for _, c := range []byte(path[:n]) {
				fmt.Fprintf(&b, "\\%03o", c)
			}
		default:
			b.WriteString(path[:n])
		}
		path = path[n:]
	}
	b.WriteByte('"')
	return b.String()
}

func escaped(r rune) bool {
	return r == '"' || r == '\\' || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// named reads a path behind --- or +++, or of a rename: up to a tab, or in quotes. The empty path is /dev/null.
func named(text string) string {
	if !strings.HasPrefix(text, `"`) {
		text, _, _ = strings.Cut(text, "\t")
		text = strings.TrimSuffix(text, "\r")
		if text == none {
			return ""
		}
		return text
	}
	var b strings.Builder
	for i := 1; i < len(text) && text[i] != '"'; i++ {
		if text[i] != '\\' || i+1 >= len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if at := strings.IndexByte(`abtnvfr"\`, text[i]); at >= 0 {
			b.WriteByte("\a\b\t\n\v\f\r\"\\"[at])
			continue
		}
		if i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i:i+3], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// bare takes away the a/ and b/ of a pair of paths that git has written.
func bare(from, to string) (string, string) {
	a, isA := strings.CutPrefix(from, "a/")
	b, isB := strings.CutPrefix(to, "b/")
	if (isA || from == "") && (isB || to == "") {
		return a, b
	}
	return from, to
}
