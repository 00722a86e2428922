package codex_test

import (
	"strings"
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
		{ask("fileChange", `,"itemId":"f","grantRoot":"/etc"`), "", protocol.ToolEdit},
		{ask("fileChange", `,"itemId":"h"`), "", protocol.ToolEdit},
		{ask("fileChange", `,"itemId":"i"`), "", protocol.ToolEdit},
		{ask("commandExecution", `,"itemId":"y","command":"/bin/bash -lc 'touch \"a b\" && ls'","cwd":"/w"`), `touch "a b" && ls`, protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"/usr/bin/zsh -c ls","cwd":"/etc"`), "ls", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"/tmp/bash -lc ls"`), "/tmp/bash -lc ls", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"/bin/bash -lc ls x"`), "/bin/bash -lc ls x", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"/bin/bash -xc ls"`), "/bin/bash -xc ls", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"git log"`), "git log", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"'C:\\\\Windows\\\\powershell.exe' -Command ls"`), "", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"pwsh -c ls"`), "", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"ls","additionalPermissions":{"network":{"enabled":true}}`), "", protocol.ToolExecute},
		{ask("commandExecution", `,"itemId":"y","command":"ls","environmentId":"far"`), "", protocol.ToolExecute},
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
			item("started", "A", "1", `"type":"fileChange","id":"h","status":"inProgress","changes":[{"path":"/w/a","kind":{"type":"link"},"diff":""}]`),
			item("started", "A", "1", `"type":"fileChange","id":"i","status":"inProgress","changes":[{"path":"a","kind":{"type":"add"},"diff":""}]`),
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
				if _, cwd, _ := strings.Cut(c.ask, `"cwd":`); cwd != "" && !strings.HasPrefix(cwd, `"`+r.Request.Cwd+`"`) {
					t.Errorf("%s: in %q", c.ask, r.Request.Cwd)
				}
				if _, cwd, _ := strings.Cut(c.ask, `"cwd":`); cwd != "" && !strings.HasPrefix(cwd, `"`+r.Request.Cwd+`"`) {
					t.Errorf("%s: in %q", c.ask, r.Request.Cwd)
				}
			}
		}
		if !asked {
			t.Errorf("%s: not asked", c.ask)
		}
	}
}
