package droid_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestDiff(t *testing.T) {
	c := standing(t, adapters.Spec{Cwd: "/w"})
	c.user("u1", "Hi")
	c.tool("x1", "Edit", `{"file_path":"/w/a.txt"}`)
	c.result("x1", `{"success":true,"file_path":"/w/a.txt","diffLines":[`+
		`{"type":"unchanged","content":"a","lineNumber":{"old":1,"new":1}},{"type":"removed","content":"b","lineNumber":{"old":2}},`+
		`{"type":"added","content":"B","lineNumber":{"new":2}},{"type":"added","content":"C","lineNumber":{"new":3}},`+
		`{"type":"unchanged","content":"x","lineNumber":{"old":9,"new":10}},{"type":"removed","content":"y","lineNumber":{"old":10}}]}`, false)
	closed := of[adapters.EntryClosed](c.said)
	got := closed[len(closed)-1].Data.(*protocol.ToolCallData).Diff
	if want := "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n@@ -9,2 +10 @@\n x\n-y\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
