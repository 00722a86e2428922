package bash

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// wordText is a word with its quotes resolved, and Unknown for what is not literal.
func wordText(w *syntax.Word) string {
	return strings.Map(func(r rune) rune {
		if r == Many || r == One {
			return Unknown
		}
		return r
	}, speller{}.word(w))
}

// speller spells words, and knows the values of some variables.
type speller struct {
	value func(name string) string // nil: of none
}

// known is the value of a variable; Unknown, where there is none.
func (s speller) known(name string) string {
	if s.value != nil {
		if text := s.value(name); text != "" {
			return text
		}
	}
	return string(Unknown)
}

func (s speller) word(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	if lit := w.Lit(); lit == "[" {
		return lit // the command: no pattern
	}
	var b strings.Builder
	for i, p := range w.Parts {
		s.part(&b, p, i == 0)
	}
	return b.String()
}

func (s speller) part(b *strings.Builder, p syntax.WordPart, first bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		s.unquoted(b, p.Value, first)
	case *syntax.SglQuoted:
		switch {
		case !p.Dollar:
			b.WriteString(apart(p.Value))
		default:
			text, err := expand.Literal(nil, &syntax.Word{Parts: []syntax.WordPart{p}})
			if err != nil {
				b.WriteByte(Unknown)
			} else {
				b.WriteString(apart(text))
			}
		}
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if lit, is := q.(*syntax.Lit); is {
				b.WriteString(apart(escapes(lit.Value, "\\\"$`")))
			} else {
				s.part(b, q, false)
			}
		}
	case *syntax.ParamExp:
		if p.Param == nil || p.Excl || p.Length || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Exp != nil {
			b.WriteByte(Unknown)
			return
		}
		b.WriteString(s.known(p.Param.Value))
	default:
		b.WriteByte(Unknown)
	}
}

// apart keeps the characters of runs apart from those of words.
func apart(text string) string { return strings.ReplaceAll(text, string(Between), string(Unknown)) }

// unquoted resolves what stands outside of quotes. What the shell makes several words of is Unknown, unless that was done before, where values are known.
func (s speller) unquoted(b *strings.Builder, text string, first bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if i++; text[i] != '\n' {
				b.WriteByte(text[i])
			}
		case strings.HasPrefix(text[i:], "{}"): // what find and xargs replace: no list
			b.WriteString("{}")
			i++
		case c == '*':
			b.WriteByte(Many)
		case c == '?':
			b.WriteByte(One)
		case c == '[' && characters(text[i+1:]) > 0:
			b.WriteByte(One)
			i += 1 + characters(text[i+1:])
		case c == '~' && (first && i == 0 || i > 0 && (text[i-1] == '=' || text[i-1] == ':')):
			n := i + 1
			for n < len(text) && isName(text[n]) {
				n++
			}
			switch {
			case n > i+1:
				b.WriteByte(Unknown) // somebody's home: also this user's own
			case strings.HasPrefix(text[n:], "+"):
				b.WriteString(s.known("PWD"))
				n++
			default:
				b.WriteString(s.known("HOME"))
			}
			i = n - 1
		case c == '[', c == '{' && s.value == nil, c == '$', c == '=' && first && i == 0:
			b.WriteByte(Unknown)
		default:
			b.WriteByte(c)
		}
	}
}

// characters is how long the list of characters is that a bracket closes; 0: it is more than letters, or no list.
func characters(text string) int {
	n := 0
	if strings.HasPrefix(text, "!") || strings.HasPrefix(text, "^") {
		n++
	}
	from := n
	for n < len(text) && isName(text[n]) {
		n++
	}
	if n == from || n == len(text) || text[n] != ']' {
		return 0
	}
	return n
}

func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '.'
}

// escapes takes away the backslashes before some characters, and those that continue a line.
func escapes(text, before string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			switch {
			case text[i+1] == '\n':
				i++
				continue
			case strings.IndexByte(before, text[i+1]) >= 0:
				i++
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// dynamic says that a text is not known to its end.
func dynamic(text string) bool { return strings.ContainsRune(text, Unknown) }
