package protocol

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions of this file take JSON apart that check has found good; they look for nothing but structure.

// field is one member of an object: parts of the line, the key unescaped.
type field struct{ key, value []byte }

// split appends the members of an object to fields.
func split(fields []field, object []byte) []field {
	i := skipBlank(object, 1)
	for object[i] != '}' {
		end := skipString(object, i)
		key := unescaped(object[i+1 : end-1])
		i = skipBlank(object, skipBlank(object, end)+1)
		end = skipValue(object, i)
		fields = append(fields, field{key, object[i:end]})
		if i = skipBlank(object, end); object[i] == ',' {
			i = skipBlank(object, i+1)
		}
	}
	return fields
}

// elements splits an array of at most so many elements.
func elements(v []byte, most int) ([][]byte, bool) {
	if v[0] != '[' {
		return nil, false
	}
	var items [][]byte
	i := skipBlank(v, 1)
	for v[i] != ']' {
		if len(items) == most {
			return nil, false
		}
		end := skipValue(v, i)
		items = append(items, v[i:end])
		if i = skipBlank(v, end); v[i] == ',' {
			i = skipBlank(v, i+1)
		}
	}
	return items, true
}

func skipBlank(b []byte, i int) int {
	for blank(b[i]) {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at i.
func skipString(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// skipValue returns the index after the value that begins at i and is not the last byte of b.
func skipValue(b []byte, i int) int {
	if b[i] == '"' {
		return skipString(b, i)
	}
	for depth := 0; ; i++ {
		switch b[i] {
		case '"':
			i = skipString(b, i) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		}
	}
}

// unescaped is the text of a string without its quotes; a part of b where that has no escapes.
func unescaped(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			out = append(out, b[i])
			continue
		}
		i++
		switch b[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, _ := hex4(b[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				low, _ := hex4(b[i+3:])
				r = utf16.DecodeRune(r, low)
				i += 6
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, b[i])
		}
	}
	return out
}

// unquote reads a string.
func unquote(v []byte) (string, bool) {
	if v[0] != '"' {
		return "", false
	}
	return string(unescaped(v[1 : len(v)-1])), true
}

func unquoteAll(v []byte, most int) ([]string, bool) {
	items, ok := elements(v, most)
	if !ok {
		return nil, false
	}
	l := make([]string, len(items))
	for i := 0; ok && i < len(items); i++ {
		l[i], ok = unquote(items[i])
	}
	return l, ok
}

// integer reads a whole number that every client can hold: at most MaxSeq either way.
func integer(v []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil && n <= MaxSeq && n >= -MaxSeq
}

// compact copies a value without its insignificant white space; its strings get the escapes that appendString writes
// for characters that are not safe in a line.
func compact(v []byte) []byte {
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if blank(v[i]) {
			continue
		}
		if v[i] != '"' {
			out = append(out, v[i])
			continue
		}
		end := skipString(v, i)
		out = appendSafe(append(out, '"'), string(v[i+1:end-1]), false)
		out = append(out, '"')
		i = end - 1
	}
	return out
}
