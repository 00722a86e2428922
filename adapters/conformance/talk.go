package conformance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Talk is a conversation with a translator, as text: the test writes what goes in, and compares what comes out. Drafts that break a rule of the
// Ledger fail the test.
type Talk struct {
	T          *testing.T
	Translator adapters.Translator

	rules Ledger
	said  strings.Builder
}

// Begin starts a translator.
func Begin(t *testing.T, tr adapters.Translator) *Talk {
	return (&Talk{T: t, Translator: tr}).Do(tr.Start)
}

// Do calls the translator and notes what it says: drafts, then lines to the agent.
func (c *Talk) Do(call func(out *adapters.Output)) *Talk {
	c.T.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := c.rules.Take(d); problem != "" {
			c.T.Fatalf("%s: %s", Describe(d), problem)
		}
		fmt.Fprintln(&c.said, Describe(d))
	}
	for _, line := range out.Lines {
		fmt.Fprintf(&c.said, "> %s\n", line)
	}
	return c
}

// Line is what the agent says.
func (c *Talk) Line(lines ...string) *Talk {
	c.T.Helper()
	for _, l := range lines {
		c.Do(func(out *adapters.Output) { c.Translator.Line([]byte(l), out) })
	}
	return c
}

// Sent is a line that somebody else sent to the agent.
func (c *Talk) Sent(l string) *Talk {
	c.T.Helper()
	return c.Do(func(out *adapters.Output) { c.Translator.Sent([]byte(l), out) })
}

// Command is the session's.
func (c *Talk) Command(cmd adapters.Command) *Talk {
	c.T.Helper()
	return c.Do(func(out *adapters.Output) { c.Translator.Command(cmd, out) })
}

// Said is what was said since the last comparison.
func (c *Talk) Said() string { return c.said.String() }

// Quiet forgets what was said so far.
func (c *Talk) Quiet() *Talk {
	c.said.Reset()
	return c
}

// Want compares what was said since the last comparison; want may begin with a line break.
func (c *Talk) Want(want string) *Talk {
	c.T.Helper()
	got := c.said.String()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		c.T.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return c.Quiet()
}

// Has wants only parts.
func (c *Talk) Has(parts ...string) *Talk {
	c.T.Helper()
	for _, part := range parts {
		if !strings.Contains(c.said.String(), part) {
			c.T.Errorf("no %s in\n%s", part, c.said.String())
		}
	}
	return c.Quiet()
}
