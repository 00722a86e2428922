package claude_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestHandshake(t *testing.T) {
	c := begin(t, adapters.Spec{SessionID: "s", Resume: true, NativeSessionID: "n", Version: "2.1.0"})
	c.want("> {\"type\":\"control_request\",\"request_id\":\"rm-1\",\"request\":{\"subtype\":\"initialize\",\"forwardSubagentText\":true}}\n")
	c.line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-1","response":{"claude_code_version":"2.1.328",` +
		`"current_permission_mode":"plan","models":[{"value":"opus","displayName":"Opus"}]}}}`).want(`
ready: session "n" version "2.1.328" model "" mode "plan"
offered: models ["opus"="Opus"] modes ["default"="Ask before dangerous operations" "acceptEdits"="Accept file edits" "plan"="Plan only" "dontAsk"="Deny what is not allowed already"]
`)
	// A program that does not know the handshake takes prompts all the same.
	begin(t, adapters.Spec{Version: "1.0.0"}).quiet().
		line(`{"type":"control_response","response":{"subtype":"error","request_id":"rm-1","error":"what?"}}`).want(`
ready: session "" version "1.0.0" model "" mode ""
notice: warning command_failed "initialize: what?"
`)
}

// Somebody asked before this connection: the question is still open.
func TestPendingRequests(t *testing.T) {
	begin(t, adapters.Spec{}).quiet().
		line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-1","response":{},"pending_permission_requests":[` +
			`{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"t1"}}]}}`).
		has(`request 1 opened: entry 0 {"kind":"approval","toolName":"Bash","toolKind":"execute","subject":"ls"`).
		command(adapters.Answer{Key: 1, Outcome: "allowed"}).
		want("> {\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"r1\",\"response\":{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"ls\"}}}}\n")
}

func TestPrompt(t *testing.T) {
	c := ready(t)
	c.command(adapters.Prompt{ID: "p1", Text: "Hi", Images: []adapters.Image{{Ref: "sha256:1;image/png", MediaType: "image/png", Data: []byte("x")}}})
	line := c.b.String()
	_, uuid, _ := strings.Cut(line, `"uuid":"`)
	uuid = uuid[:36]
	c.want(`> {"type":"user","message":{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"eA=="}}]},"uuid":"` +
		uuid + `","parent_tool_use_id":null,"session_id":""}` + "\n")
	c.line(lifecycle(uuid, "queued")).want("")
	c.line(lifecycle(uuid, "started")).want(`
turn began: "Hi"
entry 1 opened: user_message id ` + uuid + ` {"role":"user","text":"Hi","images":["sha256:1;image/png"]}
entry 1 closed: {"role":"user","text":"Hi","images":["sha256:1;image/png"]}
prompt p1 started
phase: responding
`)
	c.line(turnInit).want("meta: \"model\":\"m\",\"mode\":\"default\",\"nativeSessionId\":\"n\"}\n")
	c.line(turnEnd, lifecycle(uuid, "completed")).want("turn ended: completed\n")

	// The same prompt has the same id, another one another.
	other := ready(t).command(adapters.Prompt{ID: "p1", Text: "Hi"}).b.String()
	if !strings.Contains(other, uuid) {
		t.Errorf("no %s in %s", uuid, other)
	}
	if other = ready(t).command(adapters.Prompt{ID: "p2", Text: "Hi"}).b.String(); strings.Contains(other, uuid) {
		t.Errorf("%s again in %s", uuid, other)
	}
}

// uuidOf is the id under which a prompt of session "s" goes to the agent.
func uuidOf(t *testing.T, id string) string {
	_, uuid, _ := strings.Cut(ready(t).command(adapters.Prompt{ID: id, Text: "x"}).b.String(), `"uuid":"`)
	return uuid[:36]
}

func TestSteer(t *testing.T) {
	a, b := uuidOf(t, "p1"), uuidOf(t, "p2")
	start := func(t *testing.T) *talk {
		return ready(t).command(adapters.Prompt{ID: "p1", Text: "One"}).line(lifecycle(a, "queued"), lifecycle(a, "started"), turnInit).
			command(adapters.Prompt{ID: "p2", Text: "Two", Steer: true}).quiet().line(lifecycle(b, "queued")).want("prompt p2 queued\n")
	}
	t.Run("joins the turn", func(t *testing.T) {
		start(t).line(lifecycle(b, "started")).want(`
prompt p2 handled
entry 2 opened: user_message id ` + b + ` {"role":"user","text":"Two"}
entry 2 closed: {"role":"user","text":"Two"}
`)
	})
	t.Run("becomes the next one", func(t *testing.T) {
		start(t).line(turnEnd).want("turn ended: completed\n").line(lifecycle(b, "started")).want(`
turn began: "Two"
entry 2 opened: user_message id ` + b + ` {"role":"user","text":"Two"}
entry 2 closed: {"role":"user","text":"Two"}
prompt p2 started
phase: responding
`)
	})
	t.Run("is taken back", func(t *testing.T) {
		c := start(t).command(adapters.Interrupt{}).
			want("> {\"type\":\"control_request\",\"request_id\":\"rm-2\",\"request\":{\"subtype\":\"interrupt\",\"cancel_queued\":true}}\n")
		c.line(lifecycle(b, "cancelled")).want("prompt p2 refused the agent has cancelled the prompt\n")
	})
	t.Run("is discarded", func(t *testing.T) {
		start(t).line(lifecycle(b, "discarded"), lifecycle(b, "discarded")).want("prompt p2 refused the agent has discarded the prompt\n")
	})
}

// An interrupt that overtakes the beginning of its turn makes a turn that was interrupted.
func TestInterruptBeforeTurn(t *testing.T) {
	uuid := uuidOf(t, "p1")
	ready(t).command(adapters.Prompt{ID: "p1", Text: "One"}).command(adapters.Interrupt{}).quiet().
		line(lifecycle(uuid, "queued"), lifecycle(uuid, "cancelled")).want(`
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
	c := ready(t).sent(prompt("One")).sent(prompt("Two")).line(turnInit)
	c.want(`
meta: "model":"m","mode":"default","nativeSessionId":"n"}
turn began: "One"
entry 1 opened: user_message {"role":"user","text":"One"}
entry 1 closed: {"role":"user","text":"One"}
phase: responding
`)
	c.line(requesting).want("").line(says("m0", "x", ""), turnEnd, turnInit).has(`turn began: "Two"`)
	c.line(requesting, toolUse).sent(prompt("Three")).line(result("t1", `"ok"`, "")).quiet()
	c.line(requesting).has(`entry 5 closed: {"role":"user","text":"Three"}`)
	// Those that wait begin the next turn together.
	c.sent(prompt("Four")).sent(prompt("Five")).line(turnEnd).quiet().line(turnInit).
		has(`turn began: "Four"`, `entry 6 closed: {"role":"user","text":"Four"}`, `entry 7 closed: {"role":"user","text":"Five"}`)
	// An echo is news only where the message was not seen. Those that were taken together have one echo, before it or after.
	echo := func(uuid, text string) string {
		return `{"type":"user","isReplay":true,"uuid":"` + uuid + `","message":{"content":"` + text + `"}}`
	}
	c.line(echo("u5", `Four\nFive`), echo("u5", `Four\nFive`)).want("")
	c.sent(prompt("Eight")).sent(prompt("Nine")).line(echo("u9", `Eight\nNine`)).
		has(`closed: {"role":"user","text":"Eight"}`, `closed: {"role":"user","text":"Nine"}`)
	c.line(echo("u9", `Eight\nNine`)).want("").line(echo("u10", "Nine")).has(`id u10 {"role":"user","text":"Nine"}`)
	c.line(`{"type":"user","isReplay":true,"uuid":"u6","message":{"content":"Six"}}`).has(`id u6 {"role":"user","text":"Six"}`)
	c.line(`{"type":"user","isReplay":true,"uuid":"u6","message":{"content":"Six"}}`, `{"type":"user","isReplay":true,"message":{"content":"<local-command-stdout>x"}}`,
		`{"type":"user","isSynthetic":true,"message":{"content":"Go on"}}`).want("")
}

// The agent takes prompts in their order: where it tells of one, those before it of which it tells nothing went before.
func TestOrderOfPrompts(t *testing.T) {
	ready(t).sent(`{"type":"user","message":{"content":"One"}}`).line(turnInit).sent(`{"type":"user","message":{"content":"Two"}}`).
		sent(`{"type":"user","uuid":"u3","message":{"content":"Three"}}`).quiet().line(lifecycle("u3", "started")).want(`
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
	ready(t).line(turnInit).quiet().line(messageM1, empty, stop, delta(1, "b"), says("m1", "bc", "")).want(`
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
	ready(t).line(turnInit).quiet().line(messageM1, delta(0, "ab"), call).want(begins).line(says("m1", "ab", "")).want("")
	ready(t).line(turnInit).quiet().line(messageM1, delta(0, "ab"), call).want(begins).line(says("m1", "abc", "")).want(`
notice: warning text_differs "The agent has kept the text before, which had ended, as: abc"
`)
}

func TestBlocks(t *testing.T) {
	c := ready(t).line(turnInit).quiet()
	// Final content wins over the sum of the deltas.
	c.line(messageM1, delta(0, "ab"), delta(0, "x"), says("m1", "abc", ""), delta(0, "late")).want(`
entry 1 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}
entry 1 changed: {"op":"text_append","text":"ab"}
entry 1 changed: {"op":"text_append","text":"x"}
entry 1 closed: {"role":"assistant","text":"abc"}
`)
	// The provider's id comes again: another message all the same.
	c.line(messageM1, delta(0, "b")).quiet()
	// The second attempt is not streamed, and has another id.
	c.line(says("m2", "whole", "")).want(`
entry 2 left (superseded): {"role":"assistant","text":"b"}
entry 3 opened: assistant_message round 3 id m2 {"role":"assistant","text":""}
entry 3 closed: {"role":"assistant","text":"whole"}
`)
	c.line(says("m2", "more", "")).has("entry 4 opened: assistant_message round 3 id m2")
	// Blocks from an index on are abandoned; those before have their end. A text that another block followed has ended, and stays.
	c.line(messageM1, delta(0, "kept"), says("m1", "kept", ""), delta(1, "lost")).quiet().line(
		`{"type":"stream_event","event":{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t9","name":"Bash","input":{}}}}`).want(`
entry 6 closed: {"role":"assistant","text":"lost"}
entry 7 opened: tool_call round 4 id t9 {"toolName":"Bash","callId":"t9","status":"pending"}
`)
	c.line(`{"type":"stream_event","event":{"type":"message_stop"},"abandoned_blocks":{"api_message_id":"m1","from_block_index":1}}`).want(`
entry 7 left (abandoned): {"toolName":"Bash","callId":"t9","status":"error"}
notice: info retracted "The agent writes its message anew: what it had written of it before does not count."
`)
	// The beginning of a stream was lost.
	c.line(turnEnd).quiet().line(delta(0, "tail"), says("m4", "head and tail", "")).has(`entry 8 closed: {"role":"assistant","text":"head and tail"}`)
	// A line that comes twice says nothing new.
	c.line(says("m5", "once", `,"uuid":"u1"`)).quiet().line(says("m5", "once", `,"uuid":"u1"`)).want("")
}

func TestTools(t *testing.T) {
	c := ready(t).line(turnInit, toolUse).has(`{"toolName":"Bash","callId":"t1","arguments":"{\"command\":\"ls\"}","command":"ls","status":"running"}`)
	// The program cuts long output for the model, and says how much there was.
	c.line(result("t1", `"<persisted-output>"`, `,"tool_use_result":{"stdout":"1\n2\n3\n4\n5\n6\n7\n8\n9\n","stderr":"e","persistedOutputSize":99}`)).
		has(`"status":"completed","output":"1\n2\n3\n4\n5\n6\n7\n8\n9\n\ne","truncated":true,"bytes":99}`)
	c.line(result("t1", `"again"`, ""), result("t7", `"of nobody"`, "")).want("")
	// The same id in another message is another call.
	c.line(strings.Replace(toolUse, "m1", "m2", 1)).has("entry 2 opened: tool_call round 2 id t1")
	c.line(strings.Replace(toolUse, "m1", "m3", 1)).has("entry 2 left (superseded)", "entry 3 opened: tool_call round 3 id t1")
	c.line(result("t1", `[{"type":"text","text":"Exit code 7"},{"type":"image","source":{}}]`, "")).has(`"output":"Exit code 7\n[image]"}`)
	// A server-side search that failed.
	c.line(`{"type":"assistant","message":{"id":"m4","content":[{"type":"server_tool_use","id":"w1","name":"web_search","input":{}},` +
		`{"type":"web_search_tool_result","tool_use_id":"w1","content":{"type":"web_search_tool_result_error","error_code":"unavailable"}}]}}`).
		has(`entry 4 closed: {"toolName":"web_search","callId":"w1","arguments":"{}","status":"error","output":"unavailable"}`)
	// A list of things to do, which is written whole each time.
	c.line(`{"type":"assistant","message":{"id":"m5","content":[{"type":"tool_use","id":"t2","name":"TodoWrite","input":{"todos":[{"content":"One","status":"completed"},{"content":"Two","status":"pending"}]}}]}}`).
		has(`opened: plan round 5 {"steps":[{"text":"One","status":"completed"},{"text":"Two","status":"pending"}]}`)
	c.line(`{"type":"assistant","message":{"id":"m6","content":[{"type":"hologram","x":1}]}}`).has("native: assistant.hologram")
}

func TestLongTexts(t *testing.T) {
	c := begin(t, adapters.Spec{MaxText: 4}).line(turnInit, messageM1).quiet()
	c.line(delta(0, "123"), delta(0, "456"), delta(0, "789"), says("m1", "123456789", "")).want(`
entry 1 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}
entry 1 changed: {"op":"text_append","text":"123"}
entry 1 changed: {"op":"text_append","text":"4"}
entry 1 closed: {"role":"assistant","text":"1234","truncated":true,"bytes":9}
`)
	c.line(toolUse).quiet().line(result("t1", `"long output"`, "")).has(`"command":"ls","status":"completed","output":"long","truncated":true,"bytes":11,"argumentsTruncated":true,"argumentsBytes":16}`)
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
			ready(t).line(turnInit).quiet().line(c.line).want("turn ended: " + c.want + "\n")
		})
	}
	mark := `{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}`
	failed := `{"type":"result","subtype":"error_during_execution","is_error":true,"uuid":"u"}`
	ready(t).line(turnInit).quiet().line(mark, failed, failed).want("turn ended: interrupted\n")
	ready(t).line(turnInit).quiet().line(failed).want("turn ended: error error_during_execution\n")
	// The error is what the agent said instead of an answer; where the turn went on, it is only a notice.
	apiError := says("x", "Overloaded", `,"is_api_error_message":true`)
	ready(t).line(turnInit).quiet().line(apiError, `{"type":"result","is_error":true}`).want("turn ended: error Overloaded\n")
	ready(t).line(turnInit).quiet().line(apiError, turnEnd).want("notice: warning api_error \"Overloaded\"\nturn ended: completed\n")
	// Without a turn: the program could not begin.
	ready(t).line(failed).want("notice: error agent_failed \"error_during_execution\"\n")
	begin(t, adapters.Spec{Resume: true, NativeSessionID: "n"}).quiet().line(`{"type":"result","is_error":true,"errors":["No conversation found"]}`).
		want("notice: error resume_failed \"No conversation found\"\n")
	ready(t).line(turnEnd).want("")
}

// Proves: 002.4.7/usage, 002.7.3/usage
func TestUsage(t *testing.T) {
	models := func(in, out int) string {
		return strings.NewReplacer("IN", string(rune('0'+in)), "OUT", string(rune('0'+out))).
			Replace(`{"a":{"inputTokens":IN,"outputTokens":OUT,"cacheReadInputTokens":1,"cacheCreationInputTokens":1,"thinkingTokens":1,"costUSD":0.5}}`)
	}
	c := ready(t).line(turnInit).quiet()
	c.line(`{"type":"result","usage":{"input_tokens":0},"modelUsage":` + models(5, 3) + `,"model_usage_since_last_result":` + models(2, 1) + `}`).want(`
used: "usage":{"inputTokens":4,"cachedInputTokens":1,"outputTokens":1,"reasoningOutputTokens":1,"totalTokens":5},"sessionTotal":{"inputTokens":7,"cachedInputTokens":1,"outputTokens":3,"reasoningOutputTokens":1,"totalTokens":10},"cost":{"input":0,"output":0,"cacheRead":0,"total":0.5},"model":"a"}
turn ended: completed
`)
	// A version that says only the totals.
	c.line(turnInit).quiet().line(`{"type":"result","usage":{"input_tokens":9},"modelUsage":` + models(9, 4) + `}`).
		has(`"usage":{"inputTokens":4,"cachedInputTokens":0,"outputTokens":1,"totalTokens":5}`)
	// And one that says only what the turn used.
	ready(t).line(turnInit).quiet().line(`{"type":"result","usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4}}`).want(`
used: "usage":{"inputTokens":8,"cachedInputTokens":3,"outputTokens":2,"totalTokens":10},"model":"m"}
turn ended: completed
`)
}

func TestCompaction(t *testing.T) {
	boundary := `{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":9,"post_tokens":2}}`
	c := ready(t).line(turnInit, `{"type":"system","subtype":"status","status":"compacting"}`, boundary).quiet()
	c.line(`{"type":"user","isSynthetic":true,"message":{"content":"So far: nothing."}}`).want(`
entry 1 opened: compaction {"summary":"So far: nothing.","trigger":"auto","tokensBefore":9,"tokensAfter":2}
entry 1 closed: {"summary":"So far: nothing.","trigger":"auto","tokensBefore":9,"tokensAfter":2}
`)
	c.line(boundary, turnEnd).has(`{"summary":"","trigger":"auto","tokensBefore":9,"tokensAfter":2}`)
	c.line(`{"type":"system","subtype":"status","status":"compacting"}`, `{"type":"system","subtype":"status","status":null,"compact_result":"failed","compact_error":"too short"}`).
		has("turn began", "phase: compacting", `notice: warning compaction_failed "too short"`)
}
