package codex_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSubjects: what a policy compares is all that an answer allows.
func TestSubjects(t *testing.T) {
	ask := func(method, rest string) string {
		return `{"method":"item/` + method + `/requestApproval","id":0,"params":{"threadId":"A","turnId":"1"` + rest + `}}`
	}
	for _, c := range []struct {
		ask, want string
		kind      protocol.ToolKind
	}{
		{ask("commandExecution", `,"itemId":"x"`), "c", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"x","kind":"writeStdin"`), "", protocol.ToolExecute},
		{ask("fileChange", `,"itemId":"f"`), "/w/a\n/w/b", protocol.ToolEdit},
		{ask("fileChange", `,"itemId":"f","grantRoot":"/etc"`), "/w/a\n/w/b\n/etc", protocol.ToolEdit},
		{ask("fileChange", `,"itemId":"g","grantRoot":"/w"`), "", protocol.ToolEdit},
	} {
		tr := codex.Agent{}.Translator(adapters.Spec{NativeSessionID: "A", Child: true})
		var out adapters.Output
		tr.Start(&out)
		for _, l := range []string{
			started("A", "1"),
			item("started", "A", "1", `"type":"commandExecution","id":"x","command":"c","status":"inProgress"`),
			item("started", "A", "1", `"type":"fileChange","id":"f","status":"inProgress","changes":[`+
				`{"path":"/w/a","kind":{"type":"update","move_path":"/w/b"},"diff":""}]`),
			c.ask,
		} {
			tr.Line([]byte(l), &out)
		}
		asked := false
		for _, d := range out.Drafts {
			if r, ok := d.(adapters.RequestOpened); ok {
				asked = true
				if got := r.Request; got.Subject != c.want || got.ToolKind != c.kind {
					t.Errorf("%s: %s %q, want %s %q", c.ask, got.ToolKind, got.Subject, c.kind, c.want)
				}
			}
		}
		if !asked {
			t.Errorf("%s: not asked", c.ask)
		}
	}
}
