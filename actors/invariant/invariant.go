// Package invariant is told of what must never be the case and was found to be. The daemon goes on, counts it and logs it. A test in which
// it happened has failed, whatever else it looked at: package leaks asks at the end of all tests of a package, and those who run the daemon
// as a process give what it logs to Logged.
package invariant

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
)

// kept is how many cases are kept with their words.
const kept = 20

var found struct {
	sync.Mutex
	cases []string
}

// Broken notes a case. It must not hold what an agent or a user said.
func Broken(what string) {
	found.Lock()
	defer found.Unlock()
	if len(found.cases) < kept {
		found.cases = append(found.cases, what)
	}
}

// Transition is the message with which the daemon logs that a status has changed in a way that its table does not have.
const Transition = "illegal transition"

// Logged notes what the log of a daemon that ran as another process tells of.
func Logged(log []byte) {
	for line := range bytes.Lines(log) {
		if bytes.Contains(line, []byte(`"`+Transition+`"`)) {
			Broken("in a daemon: " + string(bytes.TrimSpace(line)))
		}
	}
}

// Found gives the first cases since the process began, or since Forget.
func Found() []string {
	found.Lock()
	defer found.Unlock()
	return slices.Clone(found.cases)
}

// Code is the exit code of tests that ended with one: it is not 0 where there are cases, which are told.
func Code(code int, told io.Writer) int {
	for _, what := range Found() {
		fmt.Fprintln(told, "what must never be the case was:", what)
		code = max(code, 1)
	}
	return code
}

// Forget is for tests that break one on purpose.
func Forget() {
	found.Lock()
	defer found.Unlock()
	found.cases = nil
}
