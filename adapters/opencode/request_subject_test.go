package opencode_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
)

// TestSubjects: what a policy compares is all that the call does, from the session's folder; what cannot be told is no subject.
func TestSubjects(t *testing.T) {
	const files = `"metadata":{"filepath":"src/ok.txt, .git/hooks/pre-commit","diff":"+x","files":[`
	for _, c := range []struct{ name, permission, ask, tool, input, subject, cwd string }{
		{"edit", "edit", `"metadata":{"filepath":"/w/a/b"},"patterns":["b"]`, "edit", `{"filePath":"b"}`, "/w/a/b", ""},
		{"edit, from the worktree", "edit", `"metadata":{"filepath":"a/b"},"patterns":["a/b"]`, "apply_patch", `{}`, "", ""},
		{"no path", "edit", `"patterns":["b"]`, "edit", `{"filePath":"b"}`, "", ""},
		{"a path of two lines", "edit", `"metadata":{"filepath":"/w/a\n/w/b"}`, "edit", `{}`, "", ""},
		{
			"patch", "edit", files + `{"filePath":"/w/src/ok.txt","type":"update"},{"filePath":"/w/.git/hooks/pre-commit","type":"add"}]}`,
			"apply_patch", `{"patchText":""}`, "/w/src/ok.txt\n/w/.git/hooks/pre-commit", "",
		},
		{
			"move", "edit", files + `{"filePath":"/w/src/ok.txt","type":"move","movePath":"/w/.git/hooks/x"},{"filePath":"/w/b","type":"delete"}]}`,
			"apply_patch", `{}`, "/w/src/ok.txt\n/w/.git/hooks/x\n/w/b", "",
		},
		{"move to nowhere", "edit", files + `{"filePath":"/w/src/ok.txt","type":"move"}]}`, "apply_patch", `{}`, "", ""},
		{"a new kind of change", "edit", files + `{"filePath":"/w/src/ok.txt","type":"link"}]}`, "apply_patch", `{}`, "", ""},
		{"a file without a path", "edit", files + `{"filePath":"/w/src/ok.txt","type":"add"},{"type":"add"}]}`, "apply_patch", `{}`, "", ""},
		{"no files", "edit", files + `]}`, "apply_patch", `{}`, "", ""},

		{"command", "bash", `"metadata":{"command":"ls"}`, "bash", `{"command":"ls"}`, "ls", ""},
		{"command elsewhere", "bash", `"metadata":{"command":"ls"}`, "bash", `{"command":"ls","workdir":"../x"}`, "ls", "/w/a/../x"},
		{"command in /etc", "bash", `"metadata":{"command":"ls"}`, "bash", `{"command":"ls","workdir":"/etc"}`, "ls", "/etc"},
		{"command nowhere", "bash", `"metadata":{"command":"ls"}`, "bash", `{"command":"ls","workdir":7}`, "", ""},
		{"two commands", "bash", `"metadata":{"command":"ls"}`, "bash", `{"command":"rm"}`, "", ""},
		{"of another case", "bash", `"patterns":["ls"]`, "bash", `{"command":"rm","Command":"ls","workdir":"","WorkDir":"/etc"}`, "rm", ""},

		{"read", "read", `"patterns":["a/x"]`, "read", `{"filePath":"x"}`, "/w/a/x", ""},
		{"read, of another case", "read", `"patterns":["a/x"]`, "read", `{"filePath":"/etc/x","filepath":"x"}`, "/etc/x", ""},
		{"a server's resource", "read", `"patterns":["mcp:s:u"]`, "read_mcp_resource", `{"uri":"u"}`, "mcp:s:u", ""},
		{"glob", "glob", `"patterns":["*.go"]`, "glob", `{"pattern":"*.go"}`, "/w/a/", ""},
		{"grep", "grep", `"patterns":["x"]`, "grep", `{"pattern":"x","path":"/w/b"}`, "/w/b", ""},
		{"grep, with more", "grep", `"patterns":["x"]`, "grep", `{"pattern":"x","path":"/w/b","filePath":"/w/c"}`, "/w/b", ""},
		{"symbols", "lsp", `"patterns":["*"]`, "lsp", `{"operation":"hover","filePath":"/etc/x","path":"b"}`, "/etc/x", ""},
		{"symbols of nothing", "lsp", `"patterns":["*"]`, "lsp", `{"operation":"hover"}`, "", ""},
		{"glob above", "glob", `"patterns":["../*"]`, "glob", `{"pattern":"../*"}`, "", ""},
		{"fetch", "webfetch", `"metadata":{"url":"http://a"}`, "webfetch", `{}`, "http://a", ""},
		{"any", "x_y", `"patterns":["*"]`, "x_y", `{}`, "", ""},
	} {
		tr := opencode.Agent{}.Translator(adapters.Spec{NativeSessionID: "ses_1", Cwd: "/w/a"})
		var out adapters.Output
		tr.Start(&out)
		for _, l := range []string{
			`"session.updated","properties":{"sessionID":"ses_1","info":{"id":"ses_1"}}`,
			`"session.status","properties":{"sessionID":"ses_1","status":{"type":"busy"}}`,
			`"message.updated","properties":{"sessionID":"ses_1","info":{"id":"msg_a","sessionID":"ses_1","role":"assistant"}}`,
			`"message.part.updated","properties":{"sessionID":"ses_1","part":{"id":"prt_1","messageID":"msg_a","sessionID":"ses_1","type":"tool","tool":"` + c.tool +
				`","callID":"c1","state":{"status":"running","input":` + c.input + `}}}`,
			`"permission.asked","properties":{"id":"per_1","sessionID":"ses_1","permission":"` + c.permission + `",` + c.ask + `,"tool":{"messageID":"msg_a","callID":"c1"}}`,
		} {
			tr.Line([]byte(`{"id":"evt_1f736de42001AH8czB98rqcnwU","type":`+l+`}`), &out)
		}
		asked := false
		for _, d := range out.Drafts {
			if r, ok := d.(adapters.RequestOpened); ok {
				asked = true
				if r.Request.Subject != c.subject || r.Request.Cwd != c.cwd {
					t.Errorf("%s: %q in %q, want %q in %q", c.name, r.Request.Subject, r.Request.Cwd, c.subject, c.cwd)
				}
			}
		}
		if !asked {
			t.Errorf("%s: not asked: %v", c.name, out.Drafts)
		}
	}
}
