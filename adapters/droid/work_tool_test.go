package droid_test

import (
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Proves: C32
func TestTools(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	c.text.Reset()
	c.tool("x1", "Execute", `{}`)
	c.tool("x1", "Execute", `{"command": "echo a"}`)
	c.assistant("m1", `{"type":"tool_use","id":"x1","name":"Execute","input":{"command":"echo a","summary":"s"}}`)
	c.event(`{"type":"tool_execution_phase_changed","toolUseId":"x1","toolName":"Execute","phase":"queued"}`)
	c.event(`{"type":"tool_progress_update","toolUseId":"x1","toolName":"Execute","update":{"type":"status","text":""}}`)
	c.want(
		`entry 2 opened: tool_call round 1 {"toolName":"Execute","callId":"x1","status":"pending"}`,
		`entry 2 changed: {"op":"arguments_append","text":"{\"command\":\"echo a\"}"}`,
		"entry 2 bound: id m1",
	)
	for _, full := range []string{"a\n", "a\nb\n", "a\nb\n", "other\n"} {
		c.event(fmt.Sprintf(`{"type":"tool_progress_update","toolUseId":"x1","toolName":"Execute","update":{"type":"status","text":"…","fullOutput":%q}}`, full))
	}
	c.want(
		`entry 2 changed: {"op":"status_change","status":"running"}`,
		`entry 2 changed: {"op":"text_append","text":"a\n"}`,
		`entry 2 changed: {"op":"text_append","text":"b\n"}`,
		`entry 2 changed: {"op":"text_set","text":"other\n"}`,
	)
	c.event(`{"type":"tool_result","toolUseId":"x1","content":[{"type":"text","text":"a\nb\n\n\n[Process exited with code -1]"},{"type":"image"}],"isError":false}`)
	c.result("x1", "again", true)
	c.want(`entry 2 closed: {"toolName":"Execute","callId":"x1","arguments":"{\"command\":\"echo a\",\"summary\":\"s\"}","command":"echo a",` +
		`"status":"completed","output":"a\nb\n\n\n[Process exited with code -1]","exitCode":-1}`)
	// The model's ids repeat: the same one again is another call.
	c.tool("x1", "Read", `{}`)
	c.assistant("m2", `{"type":"tool_use","id":"x1","name":"Read","input":{}}`)
	c.result("x1", "text [Process exited with code 0]", false)
	c.result("lost", "whose?", false)
	c.want(
		`entry 3 opened: tool_call round 2 {"toolName":"Read","callId":"x1","status":"pending"}`,
		`entry 3 changed: {"op":"arguments_append","text":"{}"}`,
		"entry 3 bound: id m2",
		`entry 3 closed: {"toolName":"Read","callId":"x1","arguments":"{}","status":"completed","output":"text [Process exited with code 0]"}`,
		`entry 4 opened: tool_call round 3 {"toolName":"unknown","callId":"lost","status":"running"}`,
		`entry 4 closed: {"toolName":"unknown","callId":"lost","status":"completed","output":"whose?"}`,
	)
	c.done("completed")
	c.text.Reset()
	c.result("x1", "late", false)
	c.event(`{"type":"tool_execution_phase_changed","toolUseId":"x9","toolName":"Read","phase":"executing"}`)
	c.want("")
}
