package claude_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
)

// TestSubjectByExactNames: what a policy compares is what the program reads: members by their exact names, the last of each, of this tool; and
// a path that is the same from everywhere.
func TestSubjectByExactNames(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"rm x","Command":"ls","COMMAND":"ls"}`, "rm x"},
		{"Bash", `{"command":"ls","command":"rm x"}`, "rm x"},
		{"Bash", `{"Command":"ls"}`, ""},
		{"Bash", `{"command":"ls","dangerouslyDisableSandbox":true}`, ""},
		{"PowerShell", `{"command":"ls"}`, ""},
		{"Write", `{"file_path":"/w/.git/x","File_path":"/w/src/x","path":"/w/src/x"}`, "/w/.git/x"},
		{"Edit", `{"file_path":"hooks/x"}`, ""},
		{"Edit", `{"file_path":"/w/src/a\n/w/b"}`, ""},
		{"MultiEdit", `{"file_path":"/w/a","edits":[]}`, "/w/a"},
		{"NotebookEdit", `{"notebook_path":"/w/a.ipynb","file_path":"/w/src/x"}`, "/w/a.ipynb"},
		{"Glob", `{"pattern":"*.go","path":"/w"}`, "/w/*.go"},
		{"Glob", `{"pattern":"*.go"}`, ""},
		{"Grep", `{"pattern":"x","path":"/w/a"}`, "/w/a"},
		{"WebFetch", `{"url":"https://a","URL":"https://b"}`, "https://a"},
	} {
		tr := claude.Agent{}.Translator(adapters.Spec{Cwd: "/w"})
		var out adapters.Output
		tr.Line([]byte(wants("r1", c.tool, c.input, "")), &out)
		asked := false
		for _, d := range out.Drafts {
			if r, is := d.(adapters.RequestOpened); is {
				asked = true
				if r.Request.Subject != c.want {
					t.Errorf("%s %s: %q, want %q", c.tool, c.input, r.Request.Subject, c.want)
				}
			}
		}
		if !asked {
			t.Errorf("%s %s: not asked", c.tool, c.input)
		}
	}
}
