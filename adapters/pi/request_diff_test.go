package pi

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A call of Pi's own tools is shown as a diff where that says all of the call; else as it is.
func TestChanged(t *testing.T) {
	const head = "--- a/a.go\n+++ b/a.go\n"
	for _, c := range []struct{ name, tool, input, want string }{
		{"edit", "edit", `{"path":"a.go","edits":[{"oldText":"a\nb","newText":"a\nc"}]}`, head + "@@ -1,2 +1,2 @@ of a passage\n a\n-b\n+c\n"},
		{"two edits", "edit", `{"path":"/w/a.go","edits":[{"oldText":"a\n","newText":""},{"oldText":"b","newText":"c"}]}`, head + "@@ -1 +0,0 @@ of a passage\n-a\n@@ -1 +1 @@ of a passage\n-b\n+c\n"},
		{"write", "write", `{"path":"a.go","content":"x\n"}`, head + "@@ -0,0 +1 @@ the whole file\n+x\n"},
		{"an edit with more", "edit", `{"path":"a.go","edits":[{"oldText":"a","newText":"c"}],"also":"rm"}`, ""},
		{"an edit with more in it", "edit", `{"path":"a.go","edits":[{"oldText":"a","newText":"c","also":"rm"}]}`, ""},
		{"an edit of other words", "edit", `{"path":"a.go","edits":[{"oldText":"a","NewText":"c"}]}`, ""},
		{"an edit that is no text", "edit", `{"path":"a.go","edits":[{"oldText":"a","newText":null}]}`, ""},
		{"no edits", "edit", `{"path":"a.go","edits":[]}`, ""},
		{"a path that means another", "edit", `{"path":"~/a.go","edits":[{"oldText":"a","newText":"c"}]}`, ""},
		{"no path", "write", `{"content":"x","mode":"w"}`, ""},
		{"no text", "write", `{"path":"a.go","content":["x"]}`, ""},
		{"another tool", "rewrite", `{"path":"a.go","content":"x"}`, ""},
		{"no object", "write", `"a.go"`, ""},
	} {
		q := requests{limit: 1000, cwd: "/w", open: map[string]*dialog{}, native: map[adapters.RequestKey]string{}}
		r := q.approval(&uiRequest{Method: "confirm", Title: "approve:c", Message: `{"toolName":` + strconv.Quote(c.tool) + `,"input":` + c.input + `}`}, nil)
		if r.Diff != c.want || c.want != "" && r.Text != c.want || c.want == "" && r.Text != c.input {
			t.Errorf("%s: %q, and the text %q", c.name, r.Diff, r.Text)
		}
	}
}

// A long diff is cut after a line, and says so.
func TestChangedCut(t *testing.T) {
	q := requests{limit: 100, cwd: "/w"}
	input, err := json.Marshal(map[string]any{"toolName": "write", "input": map[string]string{"path": "a", "content": strings.Repeat("line\n", 100)}})
	if err != nil {
		t.Fatal(err)
	}
	r := q.approval(&uiRequest{Method: "confirm", Title: "approve:c", Message: string(input)}, nil)
	if len(r.Diff) > 100 || len(r.Diff) < 90 || !strings.HasSuffix(r.Diff, "+line\n") || !r.DiffTruncated || r.DiffBytes < 600 || len(r.Text) != 100 || r.Said() != "" {
		t.Errorf("%+v", r)
	}
	if q.limit = protocol.BriefOutput; q.approval(&uiRequest{Method: "confirm", Title: "approve:c", Message: string(input)}, nil).DiffTruncated {
		t.Error("cut, although there is room")
	}
}
