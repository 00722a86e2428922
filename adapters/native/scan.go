package native

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Members walks through the members of a JSON object without decoding their values. It finds the ends of values by
// brackets and quotes only: whoever decodes a value finds its other faults.
type Members struct {
	b    []byte
	i    int
	open bool
	// Bad says that the object was broken.
	Bad bool
}

// Scan begins to walk through the object in b.
func Scan(b []byte) Members {
	m := Members{b: b}
	m.space()
	if m.open = m.eat('{'); !m.open {
		m.Bad = true
	}
	return m
}

// ScanBehind walks on in the object in b whose beginning, up to i, is known: i is behind the comma of a member.
func ScanBehind(b []byte, i int) Members { return Members{b: b, i: i, open: true} }

// Object walks into the value of the member whose key was read, which should be an object. m itself has not moved.
func (m *Members) Object() Members {
	in := Members{b: m.b, i: m.i}
	in.open = in.eat('{')
	return in
}

// Next gives the next member: its key without quotes, its value with them. After the last one ok is false; Bad says then
// whether the object was broken.
func (m *Members) Next() (key, value []byte, ok bool) {
	if key, ok = m.Key(); !ok {
		return nil, nil, false
	}
	value, ok = m.Rest()
	return key, value, ok
}

// Key gives the key of the next member and stops before its value, so that a value which is itself an object can be
// walked into without walking over it first.
func (m *Members) Key() (key []byte, ok bool) {
	if !m.open || m.Bad {
		return nil, false
	}
	m.space()
	if m.eat('}') {
		m.end()
		return nil, false
	}
	from := m.i
	if !m.str() {
		return nil, false
	}
	key = m.b[from+1 : m.i-1]
	m.space()
	if !m.eat(':') {
		m.Bad = true
		return nil, false
	}
	m.space()
	return key, true
}

// Rest gives the value of the member whose key was read.
func (m *Members) Rest() (value []byte, ok bool) {
	from := m.i
	if !m.value() {
		m.Bad = true
		return nil, false
	}
	value = m.b[from:m.i]
	m.space()
	if !m.eat(',') && (m.i >= len(m.b) || m.b[m.i] != '}') {
		m.Bad = true
		return nil, false
	}
	return value, true
}

// end notes whether anything follows the object.
func (m *Members) end() {
	m.open = false
	m.space()
	m.Bad = m.i != len(m.b)
}

func (m *Members) space() {
	for m.i < len(m.b) && (m.b[m.i] == ' ' || m.b[m.i] == '\t' || m.b[m.i] == '\r' || m.b[m.i] == '\n') {
		m.i++
	}
}

func (m *Members) eat(ch byte) bool {
	if m.i < len(m.b) && m.b[m.i] == ch {
		m.i++
		return true
	}
	return false
}

// str walks over a string.
func (m *Members) str() bool {
	if !m.eat('"') {
		m.Bad = true
		return false
	}
	for {
		n := bytes.IndexByte(m.b[m.i:], '"')
		if n < 0 {
			m.Bad = true
			return false
		}
		end := m.i + n
		back := end
		for back > m.i && m.b[back-1] == '\\' {
			back--
		}
		m.i = end + 1
		if (end-back)%2 == 0 {
			return true
		}
	}
}

// value walks over any value.
func (m *Members) value() bool {
	if m.i >= len(m.b) {
		return false
	}
	switch m.b[m.i] {
	case '"':
		return m.str()
	case '{', '[':
		return m.nested()
	}
	from := m.i
	for m.i < len(m.b) {
		switch m.b[m.i] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return m.i > from
		}
		m.i++
	}
	return m.i > from
}

// nested walks over an object or array, to the bracket that closes the first one.
func (m *Members) nested() bool {
	depth := 0
	for m.i < len(m.b) {
		switch m.b[m.i] {
		case '"':
			if !m.str() {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		m.i++
		if depth == 0 {
			return true
		}
	}
	return false
}

// Text reads a string value; anything else is "".
func Text(v []byte) string {
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return string(v[1 : len(v)-1])
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// Number reads a small non-negative integer; anything else is -1.
func Number(v []byte) int {
	n, err := strconv.ParseUint(string(v), 10, 31)
	if err != nil {
		return -1
	}
	return int(n)
}
