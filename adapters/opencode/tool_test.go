package opencode_test

import (
	"testing"
)

// TestTools: a call's states, its output that is repeated, its exit, and the name that OpenCode takes from it.
// Proves: 001.types/tool, C41
func TestTools(t *testing.T) {
	x := begun(t)
	x.run()
	tool := func(name, state string, want ...string) {
		t.Helper()
		x.part("msg_a", "prt_1", `"type":"tool","tool":"`+name+`","callID":"c1","state":{`+state+`}`, want...)
	}
	tool("bash", `"status":"pending","input":{},"raw":""`, `entry 1 opened: tool_call*"status":"pending"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"time":{"start":5}`, `entry 1 changed: {"op":"arguments_append","text":"{\"command\":\"ls\"}"}`,
		`entry 1 changed: {"op":"status_change","status":"running"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"metadata":{"output":"a\n"}`, `entry 1 changed: *_append","text":"a\n"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"metadata":{"output":"a\nb\n"}`, `entry 1 changed: *_append","text":"b\n"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"metadata":{"output":"other"}`, `entry 1 changed: *_set","text":"other"}`)
	tool("bash", `"status":"completed","input":{"command":"ls"},"output":"all","metadata":{"exit":3,"diff":"--- x\n+++ x\n@@ -0,0 +1 @@\n+x\n"},"time":{"start":5,"end":9}`,
		`entry 1 closed:*"arguments":"{\"command\":\"ls\"}","command":"ls","status":"completed","output":"all","exitCode":3,"durationMs":4,"diff":"--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+x\n"}`)
	tool("bash", `"status":"running","input":{}`)
	x.part("msg_a", "prt_2", `"type":"tool","tool":"teleport","callID":"c2","state":{"status":"pending"}`, "entry 2 opened:*")
	x.part("msg_a", "prt_2", `"type":"tool","tool":"invalid","callID":"c2","state":{"status":"completed","input":{"tool":"teleport"},"output":"no such tool","metadata":{"exit":null}}`,
		"entry 2 changed:*arguments_append*", `entry 2 closed:*"toolName":"teleport"*"status":"error","output":"no such tool"}`)
	x.part("msg_a", "prt_3", `"type":"tool","tool":"invalid","callID":"c3","state":{"status":"completed","input":{"tool":"fly"},"output":"no"}`,
		`entry 3 opened:*"toolName":"fly"*`, `entry 3 closed:*"toolName":"fly"*`)
	x.part("msg_a", "prt_4", `"type":"tool","tool":"task","callID":"c4","state":{"status":"running","input":{"description":"Do it"},"metadata":{"sessionId":"ses_c"}}`,
		"entry 4 opened:*", `child began: ses_c entry 4 "Do it"`)
	x.part("msg_a", "prt_4", `"type":"tool","tool":"task","callID":"c4","state":{"status":"running","input":{"description":"Do it"},"metadata":{"sessionId":"ses_c"}}`)
}
