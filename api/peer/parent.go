package peer

import "bytes"

// parent is the session that a new one is to work for; "": none, or the body is not as it should be. A body with pictures is large: nothing of it is kept but
// the word that is read. Where a client writes this name or an id with escapes, it is told at this node that the session is on another one.
func (b *body) parent() string {
	var s scan
	for _, piece := range b.pieces {
		s.take(piece)
	}
	if s.depth != 0 || s.inWord || s.isBroken {
		return ""
	}
	return s.parent
}

// scan goes through the text of a JSON object.
type scan struct {
	parent    string
	depth     int
	inWord    bool // between quotation marks
	isEscaped bool
	isParents bool   // the parent's value comes
	isBroken  bool   // it is no object
	word      []byte // the last one, as it is written; what is longer than longest is not the whole
}

const longest = 64

func (s *scan) take(text []byte) {
	for len(text) > 0 {
		if s.inWord && !s.isEscaped {
			n := bytes.IndexAny(text, `"\`)
			if n < 0 {
				n = len(text)
			}
			s.write(text[:n])
			if text = text[n:]; len(text) > 0 {
				s.mark(text[0])
				text = text[1:]
			}
			continue
		}
		s.mark(text[0])
		text = text[1:]
	}
}

func (s *scan) write(text []byte) {
	s.word = append(s.word, text[:min(len(text), longest-len(s.word))]...)
}

// mark takes what is not simply written in a word.
func (s *scan) mark(c byte) {
	switch {
	case s.isEscaped:
		s.isEscaped = false
		s.write([]byte{c})
	case s.inWord && c == '\\':
		s.isEscaped = true
		s.write([]byte{c})
	case s.inWord: // it ends
		if s.inWord = false; s.depth == 1 && s.isParents {
			s.parent = string(s.word)
		}
	case c == '"':
		s.inWord, s.word, s.isBroken = true, s.word[:0], s.isBroken || s.depth == 0
	case c == '{', c == '[':
		s.isBroken = s.isBroken || s.depth == 0 && c == '['
		s.depth++
	case c == '}', c == ']':
		s.depth--
	case s.depth == 1 && c == ':':
		s.isParents = string(s.word) == "parentSessionId"
	case s.depth == 1 && c == ',':
		s.isParents = false
	}
}
