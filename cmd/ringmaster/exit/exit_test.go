package exit

import (
	"errors"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{Usagef("x"), 2},
		{protocol.NewProblem(protocol.CodeSessionNotFound, "", ""), 1},
		{protocol.NewProblem(protocol.CodeAgentUnavailable, "", ""), 4},
		{protocol.NewProblem(protocol.CodeAgentNotFound, "", ""), 4},
		{errors.Join(&Error{Code: Interrupted}, nil), 3},
		{ErrStopped, 130},
	} {
		if got := CodeOf(c.err); got != c.code {
			t.Errorf("%v: %d, want %d", c.err, got, c.code)
		}
	}
}

// What an error says of others' texts does not reach the terminal raw.
func TestReportIsHarmless(t *testing.T) {
	p := protocol.NewProblem(protocol.CodeConflict, "bad \x1b[31m\u009btext\r", "a \ahint")
	p.By = "some\x1bbody"
	var b strings.Builder
	Report(&b, p)
	Report(&b, WithHint(errors.New("bad \x1b]0;x\a"), "hint\n\x1b"))
	want := `ringmaster: conflict: bad \x1b[31m\u009btext\r (answered by some\x1bbody)
  hint: a \x07hint
ringmaster: bad \x1b]0;x\x07
  hint: hint\n\x1b
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// What the daemon says in the words of HTTP is said in those of the command line.
func TestReportSpeaksTheCommandLine(t *testing.T) {
	var b strings.Builder
	Report(&b, protocol.NewProblem(protocol.CodeAgentNotFound, "no such agent", protocol.HTTPWords.Say(protocol.TermListAgents)+" has them."))
	if want := "ringmaster: agent_not_found: no such agent\n  hint: ringmaster agents has them.\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
