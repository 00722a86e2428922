package bash

import (
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// wordText is a word with its quotes resolved, and Unknown for what is not literal.
func wordText(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	if lit := w.Lit(); lit == "[" {
		return lit // the command: no pattern
	}
	var b strings.Builder
	for i, p := range w.Parts {
		part(&b, p, i == 0)
	}
	return b.String()
}

func part(b *strings.Builder, p syntax.WordPart, first bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		unquoted(b, p.Value, first)
	case *syntax.SglQuoted:
		switch {
		case !p.Dollar:
			b.WriteString(known(p.Value))
		default:
			text, err := expand.Literal(nil, &syntax.Word{Parts: []syntax.WordPart{p}})
			if err != nil {
				b.WriteByte(Unknown)
			} else {
				b.WriteString(known(text))
			}
		}
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			if lit, is := q.(*syntax.Lit); is {
				b.WriteString(known(escapes(lit.Value, "\\\"$`")))
			} else {
				b.WriteByte(Unknown)
			}
		}
	default:
		b.WriteByte(Unknown)
	}
}

// known keeps the characters of runs apart from those of words.
func known(text string) string { return strings.ReplaceAll(text, string(Between), string(Unknown)) }

// unquoted resolves what stands outside of quotes. What the shell makes file names or several words of is Unknown.
func unquoted(b *strings.Builder, text string, first bool) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			if i++; text[i] != '\n' {
				b.WriteByte(text[i])
			}
		case strings.HasPrefix(text[i:], "{}"): // what find and xargs replace: no list
			b.WriteString("{}")
			i++
		case c == '*', c == '?', c == '[', c == '{', c == '$', c == '~' && first && i == 0, c == '=' && first && i == 0:
			b.WriteByte(Unknown)
		default:
			b.WriteByte(c)
		}
	}
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
