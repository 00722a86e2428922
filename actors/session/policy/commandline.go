package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters/bash"
)

// commandLine is a command for a shell. Rules that allow take one simple command of literal words, in the session's own folder; all others any
// command inside.
type commandLine struct {
	text string
	line bash.Line
	here bool
}

func newCommandLine(text string, here bool) commandLine {
	return commandLine{text, bash.Read(text), here}
}

func (c commandLine) matches(pattern string, strict bool) match {
	if strict {
		return matchIf(c.here && c.allowed(pattern))
	}
	return c.concerns(fold(pattern))
}

// allowed takes the line letter for letter where the pattern has no wildcard, and otherwise the plain command by its words. What runs another
// command has to be named up to that command's name, and a program that is called by its path by that path.
func (c commandLine) allowed(pattern string) bool {
	g := commandGlob(pattern)
	if !g.wild && newGlob(pattern, "").match(c.text, anything) && utf8.ValidString(c.text) {
		return true
	}
	words := c.line.Plain
	if words == nil || c.line.Inner < 0 {
		return false
	}
	if named := strings.Join(words[:c.line.Inner+1], string(bash.Between)); c.line.Inner > 0 || strings.Contains(named, "/") {
		said := g.prefix()
		if said != named && !strings.HasPrefix(said, named+string(bash.Between)) {
			return false
		}
	}
	return g.match(strings.Join(words, string(bash.Between)), anything)
}

// concerns looks for the pattern in every command inside, letter case aside.
func (c commandLine) concerns(pattern string) match {
	if newGlob(pattern, "").match(fold(c.text), anything) {
		return matches
	}
	g := commandGlob(pattern)
	found := differs
	if c.line.Blind {
		found = perhaps
	}
	for _, r := range c.line.Runs {
		run := fold(string(r))
		if g.match(run, anything) {
			return matches
		}
		if g.mayMatch(run) {
			found = perhaps
		}
	}
	for _, r := range c.line.Hints {
		if g.mayMatch(fold(string(r))) {
			found = perhaps
		}
	}
	return found
}
