package secret

import (
	"bytes"
	"strings"
)

// maxStreams bounds how many texts are known to have stopped within what may be a token.
const maxStreams = 256

// sure is how many characters are looked for wherever they are in a line; fewer ones only where a text of it begins.
const sure = 6

// Streams follows texts that come in pieces, and takes tokens out of them that lie in several: what is secret of a token is taken out as it
// comes, before it is known whether it is one. It must not be used concurrently.
type Streams struct {
	tokens *Tokens
	ends   map[uint64]string // of the texts that end within what may be a token: that
}

// Streams follows new texts.
func (t *Tokens) Streams() *Streams { return &Streams{tokens: t, ends: map[uint64]string{}} }

// Next is the next piece of a text without tokens, as long as it was.
func (s *Streams) Next(text uint64, piece string) (clean string) {
	before := s.ends[text]
	joined := before + piece
	end := s.tokens.end(joined)
	if before == "" && end == "" {
		return s.tokens.Text(piece)
	}
	if end == "" {
		delete(s.ends, text)
	} else if before != "" || len(s.ends) < maxStreams {
		s.ends[text] = strings.Clone(end)
	}
	masked := []byte(joined)
	s.tokens.Mask(masked)
	from := len(joined) - len(end) + open
	if first := s.tokens.known(); first != "" && strings.HasPrefix(first, end) {
		from = len(joined) - len(end) + shown
	}
	if from < len(joined) && end != "" {
		for at := from; at < len(joined); at++ {
			masked[at] = '*'
		}
	}
	return string(masked[len(before):])
}

// Also takes out of a line, in place, what Next has taken out of a piece of text that the line brought.
func Also(line []byte, piece, clean string) {
	from, to := 0, len(piece)
	for from < to && piece[from] == clean[from] {
		from++
	}
	for to > from && piece[to-1] == clean[to-1] {
		to--
	}
	for from > 0 && fits(open, piece[from-1]) { // a mask may have a character of what it hides
		from--
	}
	for to < len(piece) && fits(open, piece[to]) {
		to++
	}
	if from == to {
		return
	}
	word := []byte(piece[from:to])
	for at := 0; ; at += len(word) {
		i := bytes.Index(line[at:], word)
		if i < 0 {
			return
		}
		if at += i; len(word) >= sure || at > 0 && line[at-1] == '"' {
			copy(line[at:], clean[from:to])
		}
	}
}

// Over forgets a text.
func (s *Streams) Over(text uint64) { delete(s.ends, text) }

// end is the end of a text that may be the beginning of a token, without being one.
func (t *Tokens) end(text string) string {
	first := t.known()
	from := len(text)
	for least := max(0, len(text)-max(whole, len(first))+1); from > least && fits(open, text[from-1]); from-- {
	}
	for i := from; i < len(text); i++ {
		switch rest := text[i:]; {
		case rest[0] == 'r' && len(rest) < whole && length(rest) == len(rest),
			first != "" && rest[0] == first[0] && len(rest) < len(first) && strings.HasPrefix(first, rest):
			return rest
		}
	}
	return ""
}
