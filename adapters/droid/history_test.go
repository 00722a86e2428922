package droid_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What came while nobody listened is said, what the log has is not.
func TestResume(t *testing.T) {
	const loaded = `{"settings":{"modelId":"m"},"session":{"title":"T","messages":[
{"id":"c1","role":"user","visibility":"llm_only","content":[{"type":"text","text":"reminder"}]},
{"id":"u1","role":"user","content":[{"type":"text","text":"one"}]},
{"id":"a1","role":"assistant","content":[{"type":"text","text":"first"}]},
{"id":"u2","role":"user","content":[{"type":"text","text":"two"}]},
{"id":"a2","role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"second"},{"type":"tool_use","id":"x1","name":"Execute","input":{"command":"ls"}},{"type":"tool_use","id":"x2","name":"Read","input":{}}]},
{"id":"r2","role":"user","content":[{"type":"tool_result","toolUseId":"x1","content":"a\n\n[Process exited with code 2]","isError":true}]},
{"id":"s2","role":"system","visibility":"user_only","content":[{"type":"text","text":"hint"}]}]}}`
	head := []string{`meta: "title":"T"}`}
	tail := []string{
		`ready: session "N" version "" model "m" mode ""`,
		`offered: models [] modes ["normal"="Normal: ask before everything but reading" "auto-low"="Auto (low): edit files and run read-only commands" ` +
			`"auto-medium"="Auto (medium): run reversible commands" "auto-high"="Auto (high): run everything" "spec"="Spec: read and plan"]`,
	}
	news := []string{
		`entry 1 opened: user_message id u2 {"role":"user","text":"two"}`,
		`entry 1 closed: {"role":"user","text":"two"}`,
		`entry 2 opened: thinking id a2 {"text":"hm"}`,
		`entry 2 closed: {"text":"hm"}`,
		`entry 3 opened: assistant_message id a2 {"role":"assistant","text":"second"}`,
		`entry 3 closed: {"role":"assistant","text":"second"}`,
		`entry 4 opened: tool_call id a2 {"toolName":"Execute","callId":"x1","arguments":"{\"command\":\"ls\"}","command":"ls","status":"pending"}`,
		`entry 4 closed: {"toolName":"Execute","callId":"x1","arguments":"{\"command\":\"ls\"}","command":"ls","status":"error","output":"a\n\n[Process exited with code 2]","exitCode":2}`,
		`entry 5 opened: tool_call id a2 {"toolName":"Read","callId":"x2","arguments":"{}","status":"pending"}`,
		`entry 5 left (agent lost): {"toolName":"Read","callId":"x2","arguments":"{}","status":"error"}`,
	}
	for _, c := range []struct {
		name  string
		known []string
		want  []string
	}{
		{"nothing known", nil, nil},
		{"another session's", []string{"z"}, nil},
		{"the first turn", []string{"z", "u1", "a1"}, news},
		{"all", []string{"u1", "a1", "u2", "a2"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newTalk(t, adapters.Spec{Resume: true, NativeSessionID: "N", Known: c.known})
			k.text.Reset()
			k.line(response("rm-1", loaded))
			k.want(append(append(append([]string{}, head...), c.want...), tail...)...)
		})
	}
}

// What a call of the past has changed is told as that of a running turn is: its paths count from the session's folder.
func TestPastDiff(t *testing.T) {
	k := newTalk(t, adapters.Spec{Cwd: "/w", Resume: true, NativeSessionID: "N", Recall: true})
	k.line(response("rm-1", `{"session":{"messages":[
{"id":"a1","role":"assistant","content":[{"type":"tool_use","id":"x1","name":"Edit","input":{"file_path":"/w/a.txt"}}]},
{"id":"r1","role":"user","content":[{"type":"tool_result","toolUseId":"x1","content":"`+
		`{\"file_path\":\"/w/a.txt\",\"diffLines\":[{\"type\":\"added\",\"content\":\"b\",\"lineNumber\":{\"new\":1}}]}"}]}]}}`))
	closed := of[adapters.EntryClosed](k.said)
	got := closed[len(closed)-1].Data.(*protocol.ToolCallData).Diff
	if want := "--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1 @@\n+b\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
