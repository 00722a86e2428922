package pi

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What a policy compares is what the tool does, whatever else the model has put beside it.
func TestSubject(t *testing.T) {
	long := strings.Repeat("a", 9<<10) + "; rm -rf ."
	for _, c := range []struct {
		kind        protocol.ToolKind
		input, want string
	}{
		{protocol.ToolExecute, `{"command":"git log"}`, "git log"},
		{protocol.ToolExecute, `{"command":"` + long + `"}`, long},
		{protocol.ToolEdit, `{"path":"/etc/passwd","command":"src/a"}`, "/etc/passwd"},
		{protocol.ToolEdit, `{"path":"/etc/passwd","PATH":"src/a"}`, "/etc/passwd"},
		{protocol.ToolExecute, `{"comm\u0061nd":"rm -rf .","Command":"git log"}`, "rm -rf ."},
		{protocol.ToolExecute, `{"command":"git log","command":"rm -rf ."}`, "rm -rf ."},
		{protocol.ToolSearch, `{"pattern":"src/a"}`, ""},
		{protocol.ToolRead, `{"path":7}`, ""},
		{protocol.ToolEdit, `{"path":"@.git/hooks/x"}`, ""}, // Pi takes the @ away
		{protocol.ToolEdit, `{"path":"~/x"}`, ""},
		{protocol.ToolEdit, `{"path":"file:///etc/x"}`, ""},
		{protocol.ToolEdit, `{"path":"a\u00a0b"}`, ""},
		{protocol.ToolEdit, `{"path":"src/a\n.git/x"}`, ""},
		{protocol.ToolEdit, `{"path":"a b"}`, "a b"},
		{protocol.ToolOther, `{"url":"https://go.dev"}`, "https://go.dev"},
		{protocol.ToolOther, `{"path":"src/a","url":"https://go.dev"}`, ""},
		{protocol.ToolOther, `[]`, ""},
	} {
		if got := subject(c.kind, []byte(c.input)); got != c.want {
			t.Errorf("%s %.60s: %.60q, want %.60q", c.kind, c.input, got, c.want)
		}
	}
	if got := subject(protocol.ToolExecute, []byte(`{"command":"`+strings.Repeat("a", 2*adapters.MaxText)+`"}`)); len(got) < adapters.MaxText-4 {
		t.Errorf("a subject that was cut to %d bytes is taken for a whole one", len(got))
	}
}
