package bash

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// plain are the words of a line that is one simple command of literal words for every shell of the family; nil: it is not. The line is read
// twice, by the parser and by splitting it at blanks and quotes, and both have to find the same.
func plain(text string) []string {
	words := split(text)
	f := parse(text)
	if words == nil || f == nil || len(f.Stmts) != 1 || len(f.Last) > 0 {
		return nil
	}
	s := f.Stmts[0]
	call, is := s.Cmd.(*syntax.CallExpr)
	if !is || s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 || len(s.Comments) > 0 || len(call.Assigns) > 0 {
		return nil
	}
	var parsed []string
	for _, w := range call.Args {
		parsed = append(parsed, wordText(w))
	}
	if !slices.Equal(words, parsed) {
		return nil
	}
	return words
}

// split takes a line apart at its blanks and resolves quotes; nil: something in it is more than a literal word, for one shell or another.
func split(text string) (words []string) {
	text = strings.Trim(text, " \t\n")
	var word strings.Builder
	open := false
	end := func() {
		if open {
			words = append(words, word.String())
			word.Reset()
			open = false
		}
	}
	for text != "" {
		c, size := utf8.DecodeRuneInString(text)
		switch {
		case c == ' ' || c == '\t':
			end()
		case c == '\'' || c == '"':
			quoted, n, ok := quotation(text, byte(c))
			if !ok {
				return nil
			}
			word.WriteString(quoted)
			open, size = true, n
		case c == '\\':
			if len(text) < 2 || !strings.ContainsRune("\\ '\"$`&|;<>()*?[]{}!#~=", rune(text[1])) {
				return nil
			}
			word.WriteByte(text[1])
			open, size = true, 2
		case literal(c):
			// zsh takes =word for a path, and the others name=word in the first place for an assignment; %1 is a job.
			if c == '=' && (!open || len(words) == 0) || c == '%' && len(words) == 0 {
				return nil
			}
			word.WriteRune(c)
			open = true
		default:
			return nil
		}
		text = text[size:]
	}
	end()
	if len(words) == 0 || words[0] == "" {
		return nil
	}
	return words
}

// literal says that an unquoted character means itself in every shell.
func literal(c rune) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	case c < utf8.RuneSelf:
		return strings.ContainsRune("_@%+=:,./-", c)
	}
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c))
}

// quotation resolves the quoted text at the beginning of another, and says how long it is there.
func quotation(text string, quote byte) (resolved string, n int, ok bool) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			return b.String(), i + 1, utf8.ValidString(b.String())
		case c < ' ' && c != '\n' && c != '\t', c == 0x7f:
			return "", 0, false
		case quote == '"' && (c == '$' || c == '`'):
			return "", 0, false
		case quote == '"' && c == '\\':
			if i++; i == len(text) || text[i] == '\n' {
				return "", 0, false
			}
			if !strings.ContainsRune("\\\"$`", rune(text[i])) {
				b.WriteByte('\\')
				i-- // it means itself, and so does what follows
				continue
			}
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, false
}
