package bash

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// MaxLine is the longest command line that is read, in bytes. A longer one is Blind.
const MaxLine = 64 << 10

// Limits of what is followed inside one line. What lies beyond them makes it Blind.
const (
	maxNesting = 64  // brackets inside each other, so that the parser's own recursion stays small
	maxDepth   = 8   // command lines inside command lines: bash -c "bash -c …"
	maxRuns    = 512 // commands
	maxBytes   = 2 * MaxLine
)

// Of a Run: the characters that stand between two words, and for a part that only the shell knows when it runs.
const (
	Between = '\x00'
	Unknown = '\x01' // any text, also none, also of several words
)

// Run is a command with its arguments, quotes resolved: words with Between between them, and Unknown in them.
type Run string

// Line is what a command line would run.
type Line struct {
	// Plain are the words of the one simple command that the line is: literal, without expansion, substitution, redirection, assignment,
	// negation or list. nil: it is something else.
	Plain []string
	// Inner is the last word of Plain that says which command the first one runs in its turn: where that begins (env, sudo, timeout 5 …), or the
	// text of it (git -c core.pager=…, python -c …); 0: none; -1: it may run more than its words tell (eval, bash -c …).
	Inner int
	// Runs are the commands inside, those that wrappers run included: in lists, pipes, functions, substitutions.
	Runs []Run
	// Hints are texts that a program may take for a command line of its own, such as PAGER="…".
	Hints []Run
	// Blind says that it may run what is in none of these.
	Blind bool
}

// Read reads a command line as a shell of the Bourne family does. It never fails: what it cannot read is Blind.
func Read(text string) Line {
	var r reader
	r.read(text, 0)
	l := r.line
	if l.Plain = plain(text); l.Plain != nil {
		l.Inner = inner(l.Plain)
	}
	return l
}

// reader gathers what a line runs.
type reader struct {
	line   Line
	hinted bool // what is found now is only a hint
	bytes  int  // of the commands found
}

func (r *reader) blind() { r.line.Blind = true }

// read takes a command line that lies in others to some depth.
func (r *reader) read(text string, depth int) {
	if strings.TrimSpace(text) == "" {
		return
	}
	f := parse(text)
	if f == nil || depth >= maxDepth {
		r.blind()
		return
	}
	w := walker{reader: r, depth: depth}
	syntax.Walk(f, w.visit)
}

// parse reads bash; nil: it is none, or more than is read.
func parse(text string) *syntax.File {
	if len(text) > MaxLine || !utf8.ValidString(text) || strings.ContainsRune(text, Between) || nested(text) {
		return nil
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil
	}
	return f
}

// nested says that brackets lie in each other deeper than is read. Words that open a command count as brackets.
func nested(text string) bool {
	depth, quotes := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth = max(0, depth-1)
		case '`':
			quotes++
		}
		if depth > maxNesting || quotes > maxNesting {
			return true
		}
	}
	for _, word := range []string{"if", "while", "until", "for", "case", "select", "function", "time", "coproc", "!"} {
		if strings.Count(text, word) > 8*maxNesting {
			return true
		}
	}
	return false
}
