package protocol

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"
)

// checker checks JSON by the letter of RFC 8259, and beyond it what makes a text mean the same to every reader: no
// duplicate keys, valid UTF-8, no unpaired surrogates, limits of depth and of members. It looks at each byte once; its
// memory is the keys of the objects that are open at one time.
type checker struct {
	b    []byte
	i    int
	deep int
	keys [][]byte // of the open objects, unescaped
}

// check checks that b is one JSON value and nothing more, at most depth levels deep.
func check(b []byte, depth int) *SyntaxError {
	s := checkers.Get().(*checker)
	defer s.release()
	s.b, s.i, s.deep = b, 0, depth
	s.space()
	if err := s.value(); err != nil {
		return err
	}
	if s.space(); s.i != len(b) {
		return s.fail("more after the value")
	}
	return nil
}

var checkers = sync.Pool{New: func() any { return &checker{keys: make([][]byte, 0, 32)} }}

// release gives the checker back; it keeps no part of b.
func (s *checker) release() {
	keys := s.keys[:cap(s.keys)]
	if len(keys) > 256 {
		return
	}
	clear(keys)
	*s = checker{keys: keys[:0]}
	checkers.Put(s)
}

func (s *checker) fail(problem string) *SyntaxError {
	return &SyntaxError{Offset: s.i, Problem: problem}
}

func (s *checker) space() {
	for s.i < len(s.b) && blank(s.b[s.i]) {
		s.i++
	}
}

func blank(ch byte) bool { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r' }

func (s *checker) eat(ch byte) bool {
	if s.i < len(s.b) && s.b[s.i] == ch {
		s.i++
		return true
	}
	return false
}

func (s *checker) value() *SyntaxError {
	if s.i >= len(s.b) {
		return s.fail("unexpected end")
	}
	switch ch := s.b[s.i]; {
	case ch == '"':
		return s.str()
	case ch == '{' || ch == '[':
		if s.deep == 0 {
			return s.fail("nested too deep")
		}
		s.deep--
		s.i++
		var err *SyntaxError
		if ch == '{' {
			err = s.object()
		} else {
			err = s.array()
		}
		s.deep++
		return err
	case ch == '-' || ch >= '0' && ch <= '9':
		return s.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.b[s.i:], []byte(word)) {
			s.i += len(word)
			return nil
		}
	}
	return s.fail("want a value")
}

// object checks the members of an object whose "{" was read.
func (s *checker) object() *SyntaxError {
	first := len(s.keys)
	if s.space(); s.eat('}') {
		return nil
	}
	for {
		s.space()
		from := s.i
		if err := s.str(); err != nil {
			return err
		}
		if len(s.keys) == MaxMembers {
			return s.fail("too many members")
		}
		s.keys = append(s.keys, unescaped(s.b[from+1:s.i-1]))
		if s.space(); !s.eat(':') {
			return s.fail("want a colon")
		}
		s.space()
		if err := s.value(); err != nil {
			return err
		}
		if s.space(); s.eat('}') {
			break
		}
		if !s.eat(',') {
			return s.fail("want a comma or the end of the object")
		}
	}
	if duplicate(s.keys[first:]) {
		return s.fail("duplicate key")
	}
	s.keys = s.keys[:first]
	return nil
}

// duplicate may change the order of keys.
func duplicate(keys [][]byte) bool {
	if len(keys) > 16 {
		slices.SortFunc(keys, bytes.Compare)
		for i := range keys[1:] {
			if bytes.Equal(keys[i], keys[i+1]) {
				return true
			}
		}
		return false
	}
	for i := range keys {
		for j := range i {
			if bytes.Equal(keys[i], keys[j]) {
				return true
			}
		}
	}
	return false
}

// array checks the elements of an array whose "[" was read.
func (s *checker) array() *SyntaxError {
	if s.space(); s.eat(']') {
		return nil
	}
	for {
		s.space()
		if err := s.value(); err != nil {
			return err
		}
		if s.space(); s.eat(']') {
			return nil
		}
		if !s.eat(',') {
			return s.fail("want a comma or the end of the array")
		}
	}
}

func (s *checker) str() *SyntaxError {
	if !s.eat('"') {
		return s.fail("want a string")
	}
	from := s.i
	ascii := true
	for s.i < len(s.b) {
		ch := s.b[s.i]
		s.i++
		switch {
		case ch == '"':
			if !ascii && !utf8.Valid(s.b[from:s.i-1]) {
				return s.fail("invalid UTF-8")
			}
			return nil
		case ch < 0x20:
			return s.fail("control character in a string")
		case ch >= utf8.RuneSelf:
			ascii = false
		case ch == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		}
	}
	return s.fail("unexpected end of a string")
}

// escape checks what follows a backslash. A high surrogate must be followed by a low one, and no low one may stand alone.
func (s *checker) escape() *SyntaxError {
	if s.i >= len(s.b) {
		return s.fail("unexpected end of a string")
	}
	ch := s.b[s.i]
	s.i++
	switch ch {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
	default:
		return s.fail("unknown escape")
	}
	r, ok := hex4(s.b[s.i:])
	if !ok {
		return s.fail("want four hexadecimal digits")
	}
	s.i += 4
	if r < 0xd800 || r > 0xdfff {
		return nil
	}
	if r < 0xdc00 && bytes.HasPrefix(s.b[s.i:], []byte(`\u`)) {
		if low, ok := hex4(s.b[s.i+2:]); ok && low >= 0xdc00 && low <= 0xdfff {
			s.i += 6
			return nil
		}
	}
	return s.fail("unpaired surrogate")
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, ch := range b[:4] {
		switch {
		case ch >= '0' && ch <= '9':
			r = r<<4 | rune(ch-'0')
		case ch >= 'a' && ch <= 'f':
			r = r<<4 | rune(ch-'a'+10)
		case ch >= 'A' && ch <= 'F':
			r = r<<4 | rune(ch-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

func (s *checker) number() *SyntaxError {
	s.eat('-')
	if !s.eat('0') && s.digits() == 0 {
		return s.fail("want a digit")
	}
	if s.eat('.') && s.digits() == 0 {
		return s.fail("want a digit")
	}
	if s.eat('e') || s.eat('E') {
		if !s.eat('+') {
			s.eat('-')
		}
		if s.digits() == 0 {
			return s.fail("want a digit")
		}
	}
	return nil
}

func (s *checker) digits() int {
	from := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i - from
}
