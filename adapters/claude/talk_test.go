package claude_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
)

// talk is a conversation with a translator, as text: what goes in is written by the test, what comes out is compared.
type talk struct {
	t  *testing.T
	tr adapters.Translator
	l  conformance.Ledger
	b  strings.Builder
}

func begin(t *testing.T, spec adapters.Spec) *talk {
	c := &talk{t: t, tr: claude.Agent{}.Translator(spec)}
	return c.do(c.tr.Start)
}

// ready is a conversation behind its handshake.
func ready(t *testing.T) *talk {
	return begin(t, adapters.Spec{SessionID: "s"}).
		line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-1","response":{"claude_code_version":"2.1.328"}}}`).quiet()
}

// do calls the translator and notes what it says: drafts, then lines to the agent.
func (c *talk) do(call func(out *adapters.Output)) *talk {
	c.t.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := c.l.Take(d); problem != "" {
			c.t.Fatalf("%s: %s", conformance.Describe(d), problem)
		}
		fmt.Fprintln(&c.b, conformance.Describe(d))
	}
	for _, line := range out.Lines {
		fmt.Fprintf(&c.b, "> %s\n", line)
	}
	return c
}

func (c *talk) line(lines ...string) *talk {
	c.t.Helper()
	for _, l := range lines {
		c.do(func(out *adapters.Output) { c.tr.Line([]byte(l), out) })
	}
	return c
}

func (c *talk) sent(l string) *talk {
	c.t.Helper()
	return c.do(func(out *adapters.Output) { c.tr.Sent([]byte(l), out) })
}

func (c *talk) command(cmd adapters.Command) *talk {
	c.t.Helper()
	return c.do(func(out *adapters.Output) { c.tr.Command(cmd, out) })
}

// quiet forgets what was said so far.
func (c *talk) quiet() *talk { c.b.Reset(); return c }

func (c *talk) want(want string) *talk {
	c.t.Helper()
	got := c.b.String()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		c.t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return c.quiet()
}

// has wants only a part.
func (c *talk) has(parts ...string) *talk {
	c.t.Helper()
	for _, part := range parts {
		if !strings.Contains(c.b.String(), part) {
			c.t.Errorf("no %s in\n%s", part, c.b.String())
		}
	}
	return c.quiet()
}

const (
	turnInit  = `{"type":"system","subtype":"init","session_id":"n","model":"m","permissionMode":"default"}`
	turnEnd   = `{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed"}`
	toolUse   = `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}`
	messageM1 = `{"type":"stream_event","event":{"type":"message_start","message":{"id":"m1"}}}`
)

func lifecycle(uuid, state string) string {
	return `{"type":"command_lifecycle","command_uuid":"` + uuid + `","state":"` + state + `"}`
}

func delta(index int, text string) string {
	return fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%q}},"parent_tool_use_id":null}`, index, text)
}

func says(id, text, more string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"content":[{"type":"text","text":%q}]}%s}`, id, text, more)
}

func result(id, content, more string) string {
	return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}%s}`, id, content, more)
}
