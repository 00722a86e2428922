package policy

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/bash"
)

// glob is a pattern of a policy: "?" is one character, "*" any number of them, "\" makes the next character mean itself. With
// bounds, "?" and "*" stop at them and "**" does not; "**/" at the beginning of a part may also be nothing.
type glob struct {
	tokens []token
	bounds string
	wild   bool // there is a wildcard
}

type token struct {
	kind    tokenKind
	literal rune
}

type tokenKind int

const (
	literally tokenKind = iota
	oneInside           // ?
	runInside           // *
	run                 // ** ; * where there are no bounds
)

func newGlob(pattern, bounds string) *glob {
	g := &glob{bounds: bounds}
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			escaped = false
			g.add(literally, r)
		case r == '\\':
			escaped = true
		case r == '?':
			g.add(oneInside, r)
		case r == '*' && (bounds == "" || g.ends(runInside)):
			g.add(run, r)
		case r == '*':
			g.add(runInside, r)
		default:
			g.add(literally, r)
		}
	}
	if escaped { // at the end it means itself
		g.add(literally, '\\')
	}
	return g
}

// commandGlob is a pattern of a command, whose words have bash.Between between them: a blank stands for one, and quotes hold a word
// together. "*" and "**" stand for anything, in quotes for anything in that word.
func commandGlob(pattern string) *glob {
	g := &glob{bounds: string(bash.Between)}
	quote, escaped := rune(0), false
	pattern = strings.Trim(pattern, " \t")
	for i, r := range pattern {
		switch {
		case escaped:
			escaped = false
			g.add(literally, r)
		case r == '\\':
			escaped = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"') && strings.ContainsRune(pattern[i+1:], r):
			quote = r
		case r == '?':
			g.add(oneInside, r)
		case r == '*' && quote != 0:
			g.add(runInside, r)
		case r == '*':
			g.add(run, r)
		case quote == 0 && (r == ' ' || r == '\t'):
			if n := len(g.tokens); n == 0 || g.tokens[n-1] != (token{literally, bash.Between}) {
				g.add(literally, bash.Between)
			}
		default:
			g.add(literally, r)
		}
	}
	if escaped {
		g.add(literally, '\\')
	}
	return g
}

// ends says that the pattern so far ends in a wildcard of a kind, or of one that stands for more.
func (g *glob) ends(kind tokenKind) bool {
	n := len(g.tokens)
	return n > 0 && g.tokens[n-1].kind >= kind
}

// add goes on with the pattern. Runs behind each other are one, of the kind that stands for more.
func (g *glob) add(kind tokenKind, r rune) {
	g.wild = g.wild || kind != literally
	if kind >= runInside && g.ends(runInside) {
		last := &g.tokens[len(g.tokens)-1]
		last.kind = max(last.kind, kind)
		return
	}
	g.tokens = append(g.tokens, token{kind, r})
}

// prefix is what the pattern says before its first wildcard.
func (g *glob) prefix() string {
	var b strings.Builder
	for _, t := range g.tokens {
		if t.kind != literally {
			break
		}
		b.WriteRune(t.literal)
	}
	return b.String()
}

// mayMatch says that a subject matches when each bash.Unknown in it is put for some text.
func (g *glob) mayMatch(subject string) bool { return g.through(subject, anything, true) }

// span says whether a wildcard may stand for a character before another one; 0 is after the last.
type span func(r, after rune) bool

func anything(rune, rune) bool { return true }

// match goes through the subject once, with all places of the pattern where it may be: its cost is bounded by the product of
// the two lengths, whatever the pattern.
func (g *glob) match(subject string, may span) bool { return g.through(subject, may, false) }

// through is match. A bash.Unknown is matched by "**" alone, or where hopeful by whatever is left of the pattern.
func (g *glob) through(subject string, may span, hopeful bool) bool {
	n := len(g.tokens)
	at, next := make([]bool, n+1), make([]bool, n+1)
	g.enter(at, 0)
	chars := []rune(subject)
	for i, r := range chars {
		clear(next)
		inside := !strings.ContainsRune(g.bounds, r)
		after := rune(0)
		if i+1 < len(chars) {
			after = chars[i+1]
		}
		allowed := may(r, after)
		alive := false
		if r == bash.Unknown && hopeful && at[n] {
			g.enter(next, n)
			alive = true
		}
		for s := range n {
			if !at[s] {
				continue
			}
			if r == bash.Unknown && hopeful {
				for later := s; later <= n; later++ {
					g.enter(next, later)
				}
				alive = true
				break
			}
			switch t := g.tokens[s]; t.kind {
			case literally:
				if t.literal == r {
					g.enter(next, s+1)
					alive = true
				}
			case oneInside:
				if allowed && inside && r != bash.Unknown {
					g.enter(next, s+1)
					alive = true
				}
			case runInside, run:
				if allowed && (inside && r != bash.Unknown || t.kind == run) {
					g.enter(next, s)
					alive = true
				}
			}
		}
		if !alive {
			return false
		}
		at, next = next, at
	}
	return at[n]
}

// enter marks a place, and those that are reached from it without a character.
func (g *glob) enter(at []bool, s int) {
	for !at[s] {
		at[s] = true
		if s == len(g.tokens) || g.tokens[s].kind < runInside {
			return
		}
		if g.tokens[s].kind == run && strings.Contains(g.bounds, "/") && s+1 < len(g.tokens) && g.tokens[s+1] == (token{literally, '/'}) &&
			(s == 0 || g.tokens[s-1] == token{literally, '/'}) {
			g.enter(at, s+2)
		}
		s++
	}
}
