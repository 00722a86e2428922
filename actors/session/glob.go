package session

import "strings"

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
		t := token{literally, r}
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
			continue
		case r == '?':
			t.kind = oneInside
		case r == '*':
			if t.kind = runInside; bounds == "" {
				t.kind = run
			}
			if n := len(g.tokens) - 1; n >= 0 && g.tokens[n].kind >= runInside {
				g.tokens[n].kind = run
				continue
			}
		}
		g.wild = g.wild || t.kind != literally
		g.tokens = append(g.tokens, t)
	}
	if escaped { // at the end it means itself
		g.tokens = append(g.tokens, token{literally, '\\'})
	}
	return g
}

// span says whether a wildcard may stand for a character before another one; 0 is after the last.
type span func(r, after rune) bool

func anything(rune, rune) bool { return true }

// match goes through the subject once, with all places of the pattern where it may be: its cost is bounded by the product of
// the two lengths, whatever the pattern.
func (g *glob) match(subject string, may span) bool {
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
		for s := range n {
			if !at[s] {
				continue
			}
			switch t := g.tokens[s]; t.kind {
			case literally:
				if t.literal == r {
					g.enter(next, s+1)
					alive = true
				}
			case oneInside:
				if allowed && inside {
					g.enter(next, s+1)
					alive = true
				}
			case runInside, run:
				if allowed && (inside || t.kind == run) {
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
		if g.tokens[s].kind == run && g.bounds != "" && s+1 < len(g.tokens) && g.tokens[s+1] == (token{literally, '/'}) &&
			(s == 0 || g.tokens[s-1] == token{literally, '/'}) {
			g.enter(at, s+2)
		}
		s++
	}
}
