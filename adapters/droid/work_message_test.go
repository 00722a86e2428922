package droid_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// A block that the final message has at another place is found; one that it has not is left.
// Proves: 002.7.3/end
func TestFinalMessageDiffers(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	c.textDelta("m1", 0, "one")
	c.textDelta("m1", 2, "two")
	c.textDelta("m1", 3, "three")
	c.text.Reset()
	c.assistant("m1", `{"type":"text","text":"ONE"},{"type":"text","text":"two"},{"type":"text","text":"THREE"},{"type":"redacted_thinking","data":"x"},{"type":"thinking","thinking":"new"}`)
	c.want(
		`notice: warning text_differs "The agent has kept the text before, which had ended, as: ONE"`,
		`entry 4 closed: {"role":"assistant","text":"THREE"}`,
		`entry 5 opened: thinking round 1 id m1 {"text":"new"}`,
		`entry 5 closed: {"text":"new"}`,
	)
	c.textDelta("m2", 0, "three")
	c.text.Reset()
	c.assistant("m2", `{"type":"tool_use","id":"x1","name":"Read","input":{}}`)
	c.want(
		`entry 6 closed: {"role":"assistant","text":"three"}`,
		`entry 7 opened: tool_call round 2 {"toolName":"Read","callId":"x1","status":"pending"}`,
		`entry 7 changed: {"op":"arguments_append","text":"{}"}`,
		`entry 7 bound: id m2`,
	)
	c.textDelta("m3", 0, "three")
	c.text.Reset()
	c.assistant("m3", "")
	c.want(`entry 8 left (superseded): {"role":"assistant","text":"three"}`)
}

// A text ends when the agent says so, and at the latest when a call begins, which may take its time: not with its message.
func TestTextBeforeCall(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	c.text.Reset()
	c.textDelta("m1", 0, "one")
	c.event(`{"type":"assistant_text_complete","messageId":"m1","blockIndex":0}`)
	c.textDelta("m1", 0, "late")
	c.want(
		`entry 2 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}`,
		`entry 2 changed: {"op":"text_append","text":"one"}`,
		`entry 2 closed: {"role":"assistant","text":"one"}`,
	)
	c.textDelta("m1", 1, "two")
	c.text.Reset()
	c.tool("x1", "Read", `{"file_path":"/a"}`)
	c.want(
		`entry 3 closed: {"role":"assistant","text":"two"}`,
		`entry 4 opened: tool_call round 1 {"toolName":"Read","callId":"x1","status":"pending"}`,
		`entry 4 changed: {"op":"arguments_append","text":"{\"file_path\":\"/a\"}"}`,
	)
	c.assistant("m1", `{"type":"text","text":"one"},{"type":"text","text":"two"},{"type":"tool_use","id":"x1","name":"Read","input":{"file_path":"/a"}}`)
	c.want(`entry 4 bound: id m1`)
}

// A message that is taken back leaves its entries; the same id is another message then.
func TestRetraction(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	c.textDelta("m1", 0, "bad")
	c.tool("x1", "Read", `{"file_path":"/a"}`)
	c.event(`{"type":"llm_retry","attempt":1,"reason":"timeout"}`)
	c.text.Reset()
	c.event(`{"type":"assistant_message_retracted","messageId":"m1"}`)
	c.event(`{"type":"assistant_message_retracted","messageId":"m1"}`)
	c.want(
		`notice: info retracted "The agent writes its message anew: what it had written of it before does not count."`,
		`entry 3 left (retracted): {"toolName":"Read","callId":"x1","arguments":"{\"file_path\":\"/a\"}","status":"error"}`,
	)
	c.textDelta("m1", 0, "good")
	c.tool("x1", "Read", `{"file_path":"/a"}`)
	c.want(
		"phase: responding",
		`entry 4 opened: assistant_message round 2 id m1 {"role":"assistant","text":""}`,
		`entry 4 changed: {"op":"text_append","text":"good"}`,
		`entry 4 closed: {"role":"assistant","text":"good"}`,
		`entry 5 opened: tool_call round 2 {"toolName":"Read","callId":"x1","status":"pending"}`,
		`entry 5 changed: {"op":"arguments_append","text":"{\"file_path\":\"/a\"}"}`,
	)
}
