package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// In the words of Words: what the shell puts the names of files for.
const (
	Many = '\x02' // *: any text within one name
	One  = '\x03' // ?, […]: one character
)

// maxChoices bounds what the braces of one word stand for: a{b,c}. More are Unknown.
const maxChoices = 256

// Words are the words of a line, each command's by themselves, wherever they stand in it: in substitutions and functions, in assignments and
// redirections, in here-documents and comments. Quotes are resolved; Many, One and Unknown stand for what the shell puts there. value gives
// what is known of variables ("HOME" also for a tilde, "PWD" for "~+"), and an empty text of the others.
//
// ok is false for a line that is not read: longer than MaxLine, too deep, or not bash.
func Words(text string, value func(name string) string) (commands [][]string, ok bool) {
	f := parse(strings.ReplaceAll(text, string(Between), string(Unknown)))
	if f == nil {
		return nil, false
	}
	l := list{speller: speller{value}, taken: map[*syntax.Word]bool{}}
	syntax.Walk(f, l.visit)
	return l.commands, true
}

// list gathers the words of commands.
type list struct {
	speller
	commands [][]string
	taken    map[*syntax.Word]bool // words of a command; all others stand alone
}

func (l *list) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CallExpr:
		l.command(nil, n.Args)
	case *syntax.DeclClause:
		var values []*syntax.Word
		for _, a := range n.Args {
			values = append(values, a.Value)
		}
		l.command([]string{n.Variant.Value}, values)
	case *syntax.TestClause:
		var operands []*syntax.Word
		syntax.Walk(n.X, func(n syntax.Node) bool {
			word, is := n.(*syntax.Word)
			if is {
				operands = append(operands, word)
			}
			return !is
		})
		l.command([]string{"[["}, operands)
	case *syntax.Word:
		if !l.taken[n] {
			l.command(nil, []*syntax.Word{n})
		}
	case *syntax.Comment:
		l.commands = append(l.commands, []string{n.Text})
	}
	return true
}

func (l *list) command(words []string, rest []*syntax.Word) {
	for _, w := range rest {
		if w != nil {
			l.taken[w] = true
			words = slices.AppendSeq(words, l.choices(w))
		}
	}
	if len(words) > 0 {
		l.commands = append(l.commands, words)
	}
}

// choices are the words that one stands for with its braces.
func (l *list) choices(w *syntax.Word) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		braces := &syntax.Word{Parts: w.Parts}
		if !syntax.SplitBraces(braces) {
			yield(l.word(w))
			return
		}
		n := 0
		for choice, err := range expand.BracesSeq(nil, braces) {
			if n++; err != nil || n > maxChoices {
				yield(l.word(braces))
				return
			}
			if !yield(l.word(choice)) {
				return
			}
		}
	}
}
