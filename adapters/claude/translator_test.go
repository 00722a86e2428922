package claude_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestHandshake(t *testing.T) {
	c := begin(t, adapters.Spec{SessionID: "s", Resume: true, NativeSessionID: "n", Version: "2.1.0"})
	c.Want("> {\"type\":\"control_request\",\"request_id\":\"rm-1\",\"request\":{\"subtype\":\"initialize\",\"forwardSubagentText\":true}}\n")
	c.Line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-1","response":{"claude_code_version":"2.1.328",` +
		`"current_permission_mode":"plan","models":[{"value":"opus","displayName":"Opus"}]}}}`).Want(`
ready: session "n" version "2.1.328" model "" mode "plan"
offered: models ["opus"="Opus"] modes ["default"="Ask before dangerous operations" "acceptEdits"="Accept file edits" "plan"="Plan only" "dontAsk"="Deny what is not allowed already"]
`)
	// A program that does not know the handshake takes prompts all the same.
	begin(t, adapters.Spec{Version: "1.0.0"}).Quiet().
		Line(`{"type":"control_response","response":{"subtype":"error","request_id":"rm-1","error":"what?"}}`).Want(`
ready: session "" version "1.0.0" model "" mode ""
notice: warning command_failed "initialize: what?"
`)
}

// Somebody asked before this connection: the question is still open.
func TestPendingRequests(t *testing.T) {
	begin(t, adapters.Spec{}).Quiet().
		Line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-1","response":{},"pending_permission_requests":[` +
			`{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1"}}]}}`).
		Has(`request 1 opened: entry 0 {"kind":"approval","toolName":"Bash","toolKind":"execute","subject":"ls"`).
		Command(adapters.Answer{Key: 1, Outcome: "allowed"}).
		Want("> {\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"r1\",\"response\":{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"ls\"}}}}\n")
}

func TestPrompt(t *testing.T) {
	c := ready(t)
	c.Command(adapters.Prompt{ID: "p1", Text: "Hi", Images: []adapters.Image{{Ref: "sha256:1;image/png", MediaType: "image/png", Data: []byte("x")}}})
	line := c.Said()
	_, uuid, _ := strings.Cut(line, `"uuid":"`)
	uuid = uuid[:36]
	c.Want(`> {"type":"user","message":{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"eA=="}}]},"uuid":"` +
		uuid + `","parent_tool_use_id":null,"session_id":""}` + "\n")
	c.Line(lifecycle(uuid, "queued")).Want("")
	c.Line(lifecycle(uuid, "started")).Want(`
turn began: "Hi"
entry 1 opened: user_message id ` + uuid + ` {"role":"user","text":"Hi","images":["sha256:1;image/png"]}
entry 1 closed: {"role":"user","text":"Hi","images":["sha256:1;image/png"]}
prompt p1 started
phase: responding
`)
	c.Line(turnInit).Want("meta: \"model\":\"m\",\"mode\":\"default\",\"nativeSessionId\":\"n\"}\n")
	c.Line(turnEnd, lifecycle(uuid, "completed")).Want("turn ended: completed\n")

	// The same prompt has the same id, another one another.
	other := ready(t).Command(adapters.Prompt{ID: "p1", Text: "Hi"}).Said()
	if !strings.Contains(other, uuid) {
		t.Errorf("no %s in %s", uuid, other)
	}
	if other = ready(t).Command(adapters.Prompt{ID: "p2", Text: "Hi"}).Said(); strings.Contains(other, uuid) {
		t.Errorf("%s again in %s", uuid, other)
	}
}

// uuidOf is the id under which a prompt of session "s" goes to the agent.
func uuidOf(t *testing.T, id string) string {
	_, uuid, _ := strings.Cut(ready(t).Command(adapters.Prompt{ID: id, Text: "x"}).Said(), `"uuid":"`)
	return uuid[:36]
}

func TestSteer(t *testing.T) {
	a, b := uuidOf(t, "p1"), uuidOf(t, "p2")
	start := func(t *testing.T) *talk {
		return ready(t).Command(adapters.Prompt{ID: "p1", Text: "One"}).Line(lifecycle(a, "queued"), lifecycle(a, "started"), turnInit).
			Command(adapters.Prompt{ID: "p2", Text: "Two", Steer: true}).Quiet().Line(lifecycle(b, "queued")).Want("prompt p2 queued\n")
	}
	t.Run("joins the turn", func(t *testing.T) {
		start(t).Line(lifecycle(b, "started")).Want(`
prompt p2 handled
entry 2 opened: user_message id ` + b + ` {"role":"user","text":"Two"}
entry 2 closed: {"role":"user","text":"Two"}
`)
	})
	t.Run("becomes the next one", func(t *testing.T) {
		start(t).Line(turnEnd).Want("turn ended: completed\n").Line(lifecycle(b, "started")).Want(`
turn began: "Two"
entry 2 opened: user_message id ` + b + ` {"role":"user","text":"Two"}
entry 2 closed: {"role":"user","text":"Two"}
prompt p2 started
phase: responding
`)
	})
	t.Run("is taken back", func(t *testing.T) {
		c := start(t).Command(adapters.Interrupt{}).
			Want("> {\"type\":\"control_request\",\"request_id\":\"rm-2\",\"request\":{\"subtype\":\"interrupt\",\"cancel_queued\":true}}\n")
		c.Line(lifecycle(b, "cancelled")).Want("prompt p2 refused the agent has cancelled the prompt\n")
	})
	t.Run("is discarded", func(t *testing.T) {
		start(t).Line(lifecycle(b, "discarded"), lifecycle(b, "discarded")).Want("prompt p2 refused the agent has discarded the prompt\n")
	})
}

// An interrupt that overtakes the beginning of its turn makes a turn that was interrupted.
func TestInterruptBeforeTurn(t *testing.T) {
	uuid := uuidOf(t, "p1")
	ready(t).Command(adapters.Prompt{ID: "p1", Text: "One"}).Command(adapters.Interrupt{}).Quiet().
		Line(lifecycle(uuid, "queued"), lifecycle(uuid, "cancelled")).Want(`
turn began
entry 1 opened: user_message id ` + uuid + ` {"role":"user","text":"One"}
entry 1 closed: {"role":"user","text":"One"}
turn ended: interrupted
`)
}

// Prompts of others, who give no uuid: the next turn takes them, or the running one with its next request.
func TestPromptsOfOthers(t *testing.T) {
	prompt := func(text string) string { return `{"type":"user","message":{"role":"user","content":"` + text + `"}}` }
	requesting := `{"type":"system","subtype":"status","status":"requesting"}`
	c := ready(t).Sent(prompt("One")).Sent(prompt("Two")).Line(turnInit)
	c.Want(`
meta: "model":"m","mode":"default","nativeSessionId":"n"}
turn began: "One"
entry 1 opened: user_message {"role":"user","text":"One"}
entry 1 closed: {"role":"user","text":"One"}
phase: responding
`)
	c.Line(requesting).Want("").Line(says("m0", "x", ""), turnEnd, turnInit).Has(`turn began: "Two"`)
	c.Line(requesting, toolUse).Sent(prompt("Three")).Line(result("t1", `"ok"`, "")).Quiet()
	c.Line(requesting).Has(`entry 5 closed: {"role":"user","text":"Three"}`)
	// Those that wait begin the next turn together.
	c.Sent(prompt("Four")).Sent(prompt("Five")).Line(turnEnd).Quiet().Line(turnInit).
		Has(`turn began: "Four"`, `entry 6 closed: {"role":"user","text":"Four"}`, `entry 7 closed: {"role":"user","text":"Five"}`)
	// An echo is news only where the message was not seen. Those that were taken together have one echo, before it or after.
	echo := func(uuid, text string) string {
		return `{"type":"user","isReplay":true,"uuid":"` + uuid + `","message":{"content":"` + text + `"}}`
	}
	c.Line(echo("u5", `Four\nFive`), echo("u5", `Four\nFive`)).Want("")
	c.Sent(prompt("Eight")).Sent(prompt("Nine")).Line(echo("u9", `Eight\nNine`)).
		Has(`closed: {"role":"user","text":"Eight"}`, `closed: {"role":"user","text":"Nine"}`)
	c.Line(echo("u9", `Eight\nNine`)).Want("").Line(echo("u10", "Nine")).Has(`id u10 {"role":"user","text":"Nine"}`)
	c.Line(`{"type":"user","isReplay":true,"uuid":"u6","message":{"content":"Six"}}`).Has(`id u6 {"role":"user","text":"Six"}`)
	c.Line(`{"type":"user","isReplay":true,"uuid":"u6","message":{"content":"Six"}}`, `{"type":"user","isReplay":true,"message":{"content":"<local-command-stdout>x"}}`,
		`{"type":"user","isSynthetic":true,"message":{"content":"Go on"}}`).Want("")
}

// The agent takes prompts in their order: where it tells of one, those before it of which it tells nothing went before.
func TestOrderOfPrompts(t *testing.T) {
	ready(t).Sent(`{"type":"user","message":{"content":"One"}}`).Line(turnInit).Sent(`{"type":"user","message":{"content":"Two"}}`).
		Sent(`{"type":"user","uuid":"u3","message":{"content":"Three"}}`).Quiet().Line(lifecycle("u3", "started")).Want(`
entry 2 opened: user_message {"role":"user","text":"Two"}
entry 2 closed: {"role":"user","text":"Two"}
entry 3 opened: user_message id u3 {"role":"user","text":"Three"}
entry 3 closed: {"role":"user","text":"Three"}
`)
}

// An empty block has no final content, and does not take that of the next one.
func TestEmptyBlock(t *testing.T) {
	empty := `{"type":"stream_event","event":{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}}`
	stop := `{"type":"stream_event","event":{"type":"content_block_stop","index":0}}`
	ready(t).Line(turnInit).Quiet().Line(messageM1, empty, stop, delta(1, "b"), says("m1", "bc", "")).Want(`
entry 1 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}
entry 1 changed: {"op":"text_append","text":"b"}
entry 1 closed: {"role":"assistant","text":"bc"}
`)
}

// A text ends when another block begins. What its final content says then is told where it is not the same.
func TestTextBeforeCall(t *testing.T) {
	call := `{"type":"stream_event","event":{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"Bash","input":{}}}}`
	const begins = `
entry 1 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}
entry 1 changed: {"op":"text_append","text":"ab"}
entry 1 closed: {"role":"assistant","text":"ab"}
entry 2 opened: tool_call round 1 id t1 {"toolName":"Bash","callId":"t1","status":"pending"}
`
	ready(t).Line(turnInit).Quiet().Line(messageM1, delta(0, "ab"), call).Want(begins).Line(says("m1", "ab", "")).Want("")
	ready(t).Line(turnInit).Quiet().Line(messageM1, delta(0, "ab"), call).Want(begins).Line(says("m1", "abc", "")).Want(`
notice: warning text_differs "The agent has kept the text before, which had ended, as: abc"
`)
}

func TestBlocks(t *testing.T) {
	c := ready(t).Line(turnInit).Quiet()
	// Final content wins over the sum of the deltas.
	c.Line(messageM1, delta(0, "ab"), delta(0, "x"), says("m1", "abc", ""), delta(0, "late")).Want(`
entry 1 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}
entry 1 changed: {"op":"text_append","text":"ab"}
entry 1 changed: {"op":"text_append","text":"x"}
entry 1 closed: {"role":"assistant","text":"abc"}
`)
	// The provider's id comes again: another message all the same.
	c.Line(messageM1, delta(0, "b")).Quiet()
	// The second attempt is not streamed, and has another id.
	c.Line(says("m2", "whole", "")).Want(`
entry 2 left (superseded): {"role":"assistant","text":"b"}
entry 3 opened: assistant_message round 3 id m2 {"role":"assistant","text":""}
entry 3 closed: {"role":"assistant","text":"whole"}
`)
	c.Line(says("m2", "more", "")).Has("entry 4 opened: assistant_message round 3 id m2")
	// Blocks from an index on are abandoned; those before have their end. A text that another block followed has ended, and stays.
	c.Line(messageM1, delta(0, "kept"), says("m1", "kept", ""), delta(1, "lost")).Quiet().Line(
		`{"type":"stream_event","event":{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t9","name":"Bash","input":{}}}}`).Want(`
entry 6 closed: {"role":"assistant","text":"lost"}
entry 7 opened: tool_call round 4 id t9 {"toolName":"Bash","callId":"t9","status":"pending"}
`)
	c.Line(`{"type":"stream_event","event":{"type":"message_stop"},"abandoned_blocks":{"api_message_id":"m1","from_block_index":1}}`).Want(`
entry 7 left (abandoned): {"toolName":"Bash","callId":"t9","status":"error"}
notice: info retracted "The agent writes its message anew: what it had written of it before does not count."
`)
	// The beginning of a stream was lost.
	c.Line(turnEnd).Quiet().Line(delta(0, "tail"), says("m4", "head and tail", "")).Has(`entry 8 closed: {"role":"assistant","text":"head and tail"}`)
	// A line that comes twice says nothing new.
	c.Line(says("m5", "once", `,"uuid":"u1"`)).Quiet().Line(says("m5", "once", `,"uuid":"u1"`)).Want("")
}

func TestTools(t *testing.T) {
	c := ready(t).Line(turnInit, toolUse).Has(`{"toolName":"Bash","callId":"t1","arguments":"{\"command\":\"ls\"}","command":"ls","status":"running"}`)
	// The program cuts long output for the model, and says how much there was.
	c.Line(result("t1", `"<persisted-output>"`, `,"tool_use_result":{"stdout":"1\n2\n3\n4\n5\n6\n7\n8\n9\n","stderr":"e","persistedOutputSize":99}`)).
		Has(`"status":"completed","output":"1\n2\n3\n4\n5\n6\n7\n8\n9\n\ne","truncated":true,"bytes":99}`)
	c.Line(result("t1", `"again"`, ""), result("t7", `"of nobody"`, "")).Want("")
	// The same id in another message is another call.
	c.Line(strings.Replace(toolUse, "m1", "m2", 1)).Has("entry 2 opened: tool_call round 2 id t1")
	c.Line(strings.Replace(toolUse, "m1", "m3", 1)).Has("entry 2 left (superseded)", "entry 3 opened: tool_call round 3 id t1")
	c.Line(result("t1", `[{"type":"text","text":"Exit code 7"},{"type":"image","source":{}}]`, "")).Has(`"output":"Exit code 7\n[image]"}`)
	// A server-side search that failed.
	c.Line(`{"type":"assistant","message":{"id":"m4","content":[{"type":"server_tool_use","id":"w1","name":"web_search","input":{}},` +
		`{"type":"web_search_tool_result","tool_use_id":"w1","content":{"type":"web_search_tool_result_error","error_code":"unavailable"}}]}}`).
		Has(`entry 4 closed: {"toolName":"web_search","callId":"w1","arguments":"{}","status":"error","output":"unavailable"}`)
	// A list of things to do, which is written whole each time.
	c.Line(`{"type":"assistant","message":{"id":"m5","content":[{"type":"tool_use","id":"t2","name":"TodoWrite","input":{"todos":[{"content":"One","status":"completed"},{"content":"Two","status":"pending"}]}}]}}`).
		Has(`opened: plan round 5 {"steps":[{"text":"One","status":"completed"},{"text":"Two","status":"pending"}]}`)
	c.Line(`{"type":"assistant","message":{"id":"m6","content":[{"type":"hologram","x":1}]}}`).Has("native: assistant.hologram")
}

func TestLongTexts(t *testing.T) {
	c := begin(t, adapters.Spec{MaxText: 4}).Line(turnInit, messageM1).Quiet()
	c.Line(delta(0, "123"), delta(0, "456"), delta(0, "789"), says("m1", "123456789", "")).Want(`
entry 1 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}
entry 1 changed: {"op":"text_append","text":"123"}
entry 1 changed: {"op":"text_append","text":"4"}
entry 1 overflows at 4: {"op":"text_append","text":"56"}
entry 1 overflows at 6: {"op":"text_append","text":"789"}
entry 1 closed: {"role":"assistant","text":"1234","truncated":true,"bytes":9}
`)
	c.Line(toolUse).Quiet().Line(result("t1", `"long output"`, "")).Has(`"command":"ls","status":"completed","output":"long","truncated":true,"bytes":11,"argumentsTruncated":true,"argumentsBytes":16}`)
}

// What decides is is_error and terminal_reason, never the subtype.
// Proves: 002.7.3/status
func TestResults(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"success", turnEnd, "completed"},
		{"refused by the provider", `{"type":"result","subtype":"success","is_error":true,"terminal_reason":"api_error","result":"No"}`, "error No"},
		{"interrupted in text", `{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_streaming","errors":["x"]}`, "interrupted"},
		{"interrupted in a tool", `{"type":"result","subtype":"success","is_error":false,"terminal_reason":"aborted_tools"}`, "interrupted"},
		{"the program was stopped", `{"type":"result","subtype":"success","is_error":true,"interrupted_by_shutdown":true}`, "interrupted"},
		{"a limit", `{"type":"result","subtype":"error_max_budget_usd","is_error":true,"terminal_reason":"budget_exhausted","errors":["a","b"]}`, "error a\nb"},
		{"an error that says nothing", `{"type":"result","is_error":true}`, "error the turn failed"},
		{
			"a limit that is no error", `{"type":"result","subtype":"success","is_error":false,"terminal_reason":"max_turns","result":"Enough"}`,
			"error Enough The number of model requests in a turn is limited by the agent's arguments.",
		},
		{"an older version", `{"type":"result","subtype":"error_max_turns","is_error":false}`, "error error_max_turns"},
		{"a subtype that says nothing", `{"type":"result","subtype":"error_during_execution","is_error":false,"terminal_reason":"completed"}`, "completed"},
		{"no member at all", `{"type":"result"}`, "completed"},
		{
			"a key that does not work", `{"type":"result","subtype":"success","is_error":true,"api_error_status":401,"result":"No"}`,
			"error No Log in with `claude` on this machine, or give the daemon's environment a valid API key.",
		},
		{"no room", `{"type":"result","is_error":true,"terminal_reason":"prompt_too_long","result":"No"}`, "error No Send /compact, or begin a new session."},
	} {
		t.Run(c.name, func(t *testing.T) {
			ready(t).Line(turnInit).Quiet().Line(c.line).Want("turn ended: " + c.want + "\n")
		})
	}
	mark := `{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}`
	failed := `{"type":"result","subtype":"error_during_execution","is_error":true,"uuid":"u"}`
	ready(t).Line(turnInit).Quiet().Line(mark, failed, failed).Want("turn ended: interrupted\n")
	ready(t).Line(turnInit).Quiet().Line(failed).Want("turn ended: error error_during_execution\n")
	// The error is what the agent said instead of an answer; where the turn went on, it is only a notice.
	apiError := says("x", "Overloaded", `,"is_api_error_message":true`)
	ready(t).Line(turnInit).Quiet().Line(apiError, `{"type":"result","is_error":true}`).Want("turn ended: error Overloaded\n")
	ready(t).Line(turnInit).Quiet().Line(apiError, turnEnd).Want("notice: warning api_error \"Overloaded\"\nturn ended: completed\n")
	// Without a turn: the program could not begin.
	ready(t).Line(failed).Want("notice: error agent_failed \"error_during_execution\"\n")
	begin(t, adapters.Spec{Resume: true, NativeSessionID: "n"}).Quiet().Line(`{"type":"result","is_error":true,"errors":["No conversation found"]}`).
		Want("notice: error resume_failed \"No conversation found\"\n")
	ready(t).Line(turnEnd).Want("")
}

// Proves: 002.4.7/usage, 002.7.3/usage
func TestUsage(t *testing.T) {
	models := func(in, out int) string {
		return strings.NewReplacer("IN", string(rune('0'+in)), "OUT", string(rune('0'+out))).
			Replace(`{"a":{"inputTokens":IN,"outputTokens":OUT,"cacheReadInputTokens":1,"cacheCreationInputTokens":1,"thinkingTokens":1,"costUSD":0.5}}`)
	}
	c := ready(t).Line(turnInit).Quiet()
	c.Line(`{"type":"result","usage":{"input_tokens":0},"modelUsage":` + models(5, 3) + `,"model_usage_since_last_result":` + models(2, 1) + `}`).Want(`
used: "usage":{"inputTokens":4,"cachedInputTokens":1,"outputTokens":1,"reasoningOutputTokens":1,"totalTokens":5},"sessionTotal":{"inputTokens":7,"cachedInputTokens":1,"outputTokens":3,"reasoningOutputTokens":1,"totalTokens":10},"cost":{"input":0,"output":0,"cacheRead":0,"total":0.5},"model":"a"}
turn ended: completed
`)
	// A version that says only the totals.
	c.Line(turnInit).Quiet().Line(`{"type":"result","usage":{"input_tokens":9},"modelUsage":` + models(9, 4) + `}`).
		Has(`"usage":{"inputTokens":4,"cachedInputTokens":0,"outputTokens":1,"totalTokens":5}`)
	// And one that says only what the turn used.
	ready(t).Line(turnInit).Quiet().Line(`{"type":"result","usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4}}`).Want(`
used: "usage":{"inputTokens":8,"cachedInputTokens":3,"outputTokens":2,"totalTokens":10},"model":"m"}
turn ended: completed
`)
}

func TestCompaction(t *testing.T) {
	boundary := `{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":9,"post_tokens":2}}`
	c := ready(t).Line(turnInit, `{"type":"system","subtype":"status","status":"compacting"}`, boundary).Quiet()
	c.Line(`{"type":"user","isSynthetic":true,"message":{"content":"So far: nothing."}}`).Want(`
entry 1 opened: compaction {"summary":"So far: nothing.","trigger":"auto","tokensBefore":9,"tokensAfter":2}
entry 1 closed: {"summary":"So far: nothing.","trigger":"auto","tokensBefore":9,"tokensAfter":2}
`)
	c.Line(boundary, turnEnd).Has(`{"summary":"","trigger":"auto","tokensBefore":9,"tokensAfter":2}`)
	c.Line(`{"type":"system","subtype":"status","status":"compacting"}`, `{"type":"system","subtype":"status","status":null,"compact_result":"failed","compact_error":"too short"}`).
		Has("turn began", "phase: compacting", `notice: warning compaction_failed "too short"`)
}
