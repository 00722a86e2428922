package conformance

import (
	"testing"
)

// rules checks the grammar of what was said.
func rules(t testing.TB, said []Said) {
	t.Helper()
	check(t, said, Ledger{})
}

func check(t testing.TB, said []Said, empty Ledger) {
	t.Helper()
	for i := range said {
		l := empty
		for _, d := range said[i].Drafts {
			if problem := l.Take(d); problem != "" {
				t.Fatalf("%s: %s: %s", said[i].place(), Describe(d), problem)
			}
		}
		for _, line := range said[i].Lines {
			if problem := lineProblem(line); problem != "" {
				t.Fatalf("%s: line %q: %s", said[i].place(), line, problem)
			}
		}
	}
}
