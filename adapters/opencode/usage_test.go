package opencode_test

import (
	"testing"
)

// TestTokens: 1.18 counts reasoning beside the output, 1.1 in it.
// Proves: 001.message, 002.7.3/usage
func TestTokens(t *testing.T) {
	x := begun(t)
	x.run()
	step := func(id, tokens, want string) {
		t.Helper()
		x.part("msg_a", id, `"type":"step-finish","cost":0.5,"tokens":`+tokens, want)
	}
	step("prt_1", `{"total":174,"input":60,"output":34,"reasoning":30,"cache":{"read":40,"write":10}}`,
		`used: "usage":{"inputTokens":110,"cachedInputTokens":40,"outputTokens":64,"reasoningOutputTokens":30,"totalTokens":174},"sessionTotal":{*"totalTokens":174},"cost":{*"total":0.5}}`)
	step("prt_2", `{"total":274,"input":210,"output":64,"reasoning":30,"cache":{"read":0,"write":0}}`,
		`used: "usage":{"inputTokens":210,"cachedInputTokens":0,"outputTokens":64,"reasoningOutputTokens":30,"totalTokens":274},"sessionTotal":{*"totalTokens":448},*`)
	x.part("msg_a", "prt_2", `"type":"step-finish","cost":0.5,"tokens":{"total":5,"input":5}`)
	x.part("msg_a", "prt_3", `"type":"step-finish","tokens":{"total":0,"input":-1e300,"output":0}`)
}
