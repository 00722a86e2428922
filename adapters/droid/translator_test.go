package droid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const firstID = "baf2023c-4cbd-5c8d-96c6-780d1eae01e4" // of the message of prompt p1

func TestStart(t *testing.T) {
	for _, c := range []struct {
		name string
		spec adapters.Spec
		want string
	}{
		{"plain", adapters.Spec{Cwd: "/w"}, `> rm-1 initialize_session {"machineId":"ringmaster","cwd":"/w"}`},
		{
			"model and mode",
			adapters.Spec{Cwd: "/w", Model: "custom:m", Mode: "auto-medium"},
			`> rm-1 initialize_session {"machineId":"ringmaster","cwd":"/w","modelId":"custom:m","interactionMode":"auto","autonomyLevel":"medium"}`,
		},
		{"spec", adapters.Spec{Mode: "spec"}, `> rm-1 initialize_session {"machineId":"ringmaster","cwd":"","interactionMode":"spec"}`},
		{
			"unknown mode",
			adapters.Spec{Mode: "yolo"},
			"notice: warning mode_unknown \"Droid has no mode \\\"yolo\\\", but normal, auto-low, auto-medium, auto-high, spec\"\n" +
				`> rm-1 initialize_session {"machineId":"ringmaster","cwd":""}`,
		},
		{"resume", adapters.Spec{Resume: true, NativeSessionID: "N", Model: "m"}, `> rm-1 load_session {"sessionId":"N"}`},
		{"resume of nothing", adapters.Spec{Resume: true}, `> rm-1 initialize_session {"machineId":"ringmaster","cwd":""}`},
	} {
		t.Run(c.name, func(t *testing.T) { newTalk(t, c.spec).want(c.want) })
	}
}

func TestReady(t *testing.T) {
	c := newTalk(t, adapters.Spec{Version: "0.225.2"})
	c.command(adapters.Prompt{ID: "p1", Text: "Hi"})
	c.text.Reset()
	c.event(`{"type":"settings_updated","settings":{"modelId":"m","interactionMode":"auto","autonomyLevel":"off"}}`)
	c.want("")
	c.line(response("rm-1", `{"sessionId":"S","settings":{"modelId":"m","interactionMode":"auto","autonomyLevel":"low","availableAutonomyLevels":["off","low"]},`+
		`"availableModels":[{"id":"m","displayName":"Model"},{"id":"m","displayName":"Again"},{"id":""}],"session":{"messages":[]}}`))
	c.want(
		`ready: session "S" version "0.225.2" model "m" mode "auto-low"`,
		`offered: models ["m"="Model"] modes ["normal"="Normal: ask before everything but reading" `+
			`"auto-low"="Auto (low): edit files and run read-only commands" "spec"="Spec: read and plan"]`,
		`> rm-2 add_user_message {"messageId":"`+firstID+`","text":"Hi"}`,
	)
	c.line(response("rm-2", `{}`))
	c.want("prompt p1 started")
}

// A session that Droid does not have is a failed start: the process ends without having been ready.
func TestStartFails(t *testing.T) {
	c := newTalk(t, adapters.Spec{Resume: true, NativeSessionID: "N"})
	c.text.Reset()
	c.line(failure("rm-1", "Session not found"))
	c.want(`notice: error start_failed "droid.load_session: Session not found (N)"`, "> rm-2 close_session {}")
	c.line(response("rm-2", `{}`))
	c.want("")
	if len(of[adapters.Ready](c.said)) > 0 {
		t.Error("ready without a session")
	}
}

// Droid ignores a message whose id it has: a prompt that is sent again after its process was lost gets another.
func TestPromptSentAgain(t *testing.T) {
	c := newTalk(t, adapters.Spec{Resume: true, NativeSessionID: "N"})
	c.line(response("rm-1", `{"settings":{"modelId":"m"},"session":{"messages":[{"id":"`+firstID+`","role":"user","content":[]}]}}`))
	c.text.Reset()
	c.command(adapters.Prompt{ID: "p1", Text: "Hi"})
	if got := c.text.String(); strings.Contains(got, firstID) || !strings.Contains(got, `"messageId":"`) {
		t.Errorf("got %s", got)
	}
	other := newTalk(t, adapters.Spec{SessionID: "22222222-2222-4222-8222-222222222222"})
	other.line(response("rm-1", `{"settings":{"modelId":"m"}}`))
	other.text.Reset()
	other.command(adapters.Prompt{ID: "p1", Text: "Hi"})
	if got := other.text.String(); strings.Contains(got, firstID) {
		t.Errorf("two sessions have the same id: %s", got)
	}
}

func TestTurn(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.command(adapters.Prompt{ID: "p1", Text: "Hi", Images: []adapters.Image{{Ref: "sha256:aa;image/png", MediaType: "image/png", Data: []byte("png")}}})
	c.want(`> rm-2 add_user_message {"messageId":"` + firstID + `","text":"Hi","images":[{"type":"base64","data":"cG5n","mediaType":"image/png"}]}`)
	c.event(`{"type":"droid_working_state_changed","newState":"streaming_assistant_message"}`)
	c.event(`{"type":"create_message","message":{"id":"context-1","role":"user","content":[],"visibility":"llm_only"}}`)
	c.want("")
	// The picture comes back written anew: it is still the one that was sent.
	c.event(`{"type":"create_message","message":{"id":"` + firstID + `","role":"user","content":[{"type":"image","source":{"data":"bmV3"}},{"type":"text","text":"Hi"}]},"requestId":"rm-2"}`)
	c.line(response("rm-2", `{}`))
	c.want("prompt p1 started", `turn began: "Hi"`,
		`entry 1 opened: user_message id `+firstID+` {"role":"user","text":"Hi","images":["sha256:aa;image/png"]}`,
		`entry 1 closed: {"role":"user","text":"Hi","images":["sha256:aa;image/png"]}`)
	c.event(`{"type":"thinking_text_delta","messageId":"m1","blockIndex":0,"textDelta":"hm"}`)
	c.event(`{"type":"thinking_text_complete","messageId":"m1","blockIndex":0}`)
	c.textDelta("m1", 1, "Hel")
	c.textDelta("m1", 1, "lo")
	c.assistant("m1", `{"type":"thinking","thinking":"hm","signature":""},{"type":"text","text":"Hello!"}`)
	c.textDelta("m1", 1, "late")
	c.want(
		`entry 2 opened: thinking round 1 id m1 {"text":""}`,
		`entry 2 changed: {"op":"text_append","text":"hm"}`,
		`entry 2 closed: {"text":"hm"}`,
		`entry 3 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}`,
		`entry 3 changed: {"op":"text_append","text":"Hel"}`,
		`entry 3 changed: {"op":"text_append","text":"lo"}`,
		`entry 3 closed: {"role":"assistant","text":"Hello!"}`,
	)
	c.event(`{"type":"droid_working_state_changed","newState":"idle"}`) // SIGTERM, or the input was closed
	c.textDelta("m2", 0, "More")
	c.want(`entry 4 opened: assistant_message round 2 id m2 {"role":"assistant","text":""}`, `entry 4 changed: {"op":"text_append","text":"More"}`)
	c.event(`{"type":"agent_turn_completed","reason":"process_exit","turnId":"` + firstID + `","tokenUsage":{"inputTokens":10,"outputTokens":4,"cacheReadTokens":5,"cacheCreationTokens":2,"thinkingTokens":1},` +
		`"cumulativeTokenUsage":{"inputTokens":20,"outputTokens":4,"cacheReadTokens":5,"cacheCreationTokens":2,"thinkingTokens":1}}`)
	c.done("process_exit")
	c.want(
		`used: "usage":{"inputTokens":17,"cachedInputTokens":5,"outputTokens":4,"reasoningOutputTokens":1,"totalTokens":21},`+
			`"sessionTotal":{"inputTokens":27,"cachedInputTokens":5,"outputTokens":4,"reasoningOutputTokens":1,"totalTokens":31},"model":"m"}`,
		"turn ended: interrupted Droid was asked to end",
	)
}

// A message that is sent during a tool joins the turn; one that comes too late becomes a turn.
func TestSteer(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	c.text.Reset()
	c.command(adapters.Prompt{ID: "p1", Text: "also", Steer: true})
	c.command(adapters.Prompt{ID: "p2", Text: "then", Steer: true})
	c.command(adapters.Prompt{ID: "p3", Text: "no", Steer: true})
	c.text.Reset()
	c.line(response("rm-2", `{}`))
	c.line(response("rm-3", `{}`))
	c.line(failure("rm-4", "too long"))
	c.want("prompt p1 queued", "prompt p2 queued", "prompt p3 refused too long")
	c.user(firstID, "also")
	c.want("prompt p1 handled", `entry 2 opened: user_message id `+firstID+` {"role":"user","text":"also"}`, `entry 2 closed: {"role":"user","text":"also"}`)
	c.done("completed")
	c.event(`{"type":"create_message","message":{"id":"other","role":"user","content":[{"type":"text","text":"then"}]},"requestId":"rm-3"}`)
	c.want("turn ended: completed", `turn began: "then"`, `entry 3 opened: user_message id other {"role":"user","text":"then"}`, `entry 3 closed: {"role":"user","text":"then"}`)
}

// What Droid's queue held is gone with an interrupt, whether it says so or not.
func TestInterrupt(t *testing.T) {
	for _, says := range []bool{true, false} {
		c := standing(t, adapters.Spec{})
		c.user("u1", "Hi")
		c.tool("x1", "Execute", `{"command":"sleep 9"}`)
		c.event(`{"type":"tool_execution_phase_changed","toolUseId":"x1","toolName":"Execute","phase":"executing"}`)
		c.command(adapters.Prompt{ID: "p1", Text: "also", Steer: true})
		c.line(response("rm-2", `{}`))
		c.text.Reset()
		c.command(adapters.Interrupt{})
		c.want("> rm-3 interrupt_session {}")
		discarded := "prompt p1 refused its turn was interrupted"
		if says {
			c.event(`{"type":"queued_messages_discarded","text":"also"}`)
			c.want("prompt p1 refused the agent discarded it: its turn was interrupted")
			discarded = ""
		}
		c.result("x1", "Error: cancelled", true)
		c.line(response("rm-3", `{}`))
		c.result("x1", "Error: Batch cancelled", true)
		c.want("")
		c.done("cancelled")
		want := []string{
			`entry 2 closed: {"toolName":"Execute","callId":"x1","arguments":"{\"command\":\"sleep 9\"}","command":"sleep 9","status":"error","output":"Error: Batch cancelled"}`,
			"turn ended: interrupted",
		}
		if discarded != "" {
			want = append(want, discarded)
		}
		c.want(want...)
	}
	t.Run("before the session stands", func(t *testing.T) {
		c := newTalk(t, adapters.Spec{})
		c.command(adapters.Prompt{ID: "p1", Text: "Hi"})
		c.command(adapters.SetModel{ID: "s1", Model: "x"})
		c.text.Reset()
		c.command(adapters.Interrupt{})
		c.want("prompt p1 started", `turn began: "Hi"`, "turn ended: interrupted")
		c.line(response("rm-1", `{"sessionId":"S","settings":{"modelId":"m"}}`))
		if got := c.text.String(); strings.Contains(got, "add_user_message") || !strings.Contains(got, `> rm-2 update_session_settings {"modelId":"x"}`) {
			t.Errorf("got %s", got)
		}
	})
	t.Run("by somebody else", func(t *testing.T) {
		c := standing(t, adapters.Spec{})
		c.user("u1", "Hi")
		c.text.Reset()
		c.done("cancelled")
		c.want("turn ended: interrupted Droid cancelled the turn")
	})
}

// Proves: 002.7.3/status
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name, reason, err, shown string
		want                     string
	}{
		{"shown to the user", "model_rate_limited", "429 {}", "BYOK Error", "turn ended: error BYOK Error the model's provider limits requests: wait, or choose another model"},
		{"not shown", "model_rate_limited", "429 {}", "", "turn ended: error 429 {} the model's provider limits requests: wait, or choose another model"},
		{"only a reason", "out_of_luck", "", "", "turn ended: error the turn ended: out_of_luck"},
		{"none", "", "", "", "turn ended: error the turn ended: no reason given"},
		{"a refused permission", "permission_rejected", "", "", "turn ended: interrupted a permission was refused"},
		{"mended", "completed", "odd", "", "notice: warning error \"odd\"\nturn ended: completed"},
		{"beside", "completed", "", "A hint.", "notice: info message_system \"A hint.\"\nturn ended: completed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := standing(t, adapters.Spec{})
			k.user("u1", "Hi")
			k.text.Reset()
			if c.err != "" {
				k.event(fmt.Sprintf(`{"type":"error","message":%q}`, c.err))
			}
			if c.shown != "" {
				k.event(fmt.Sprintf(`{"type":"create_message","message":{"id":"s","role":"system","visibility":"user_only","content":[{"type":"text","text":%q}]}}`, c.shown))
			}
			k.done(c.reason)
			k.want(strings.Split(c.want, "\n")...)
		})
	}
	t.Run("before the message was shown", func(t *testing.T) {
		k := standing(t, adapters.Spec{})
		k.command(adapters.Prompt{ID: "p1", Text: "Hi"})
		k.text.Reset()
		k.line(response("rm-2", `{}`))
		k.event(`{"type":"error","message":"no model"}`)
		k.done("error")
		k.want("prompt p1 started", `turn began: "Hi"`, "turn ended: error no model")
		k.command(adapters.Prompt{ID: "p2", Text: "Again"})
		k.line(response("rm-3", `{}`))
		k.text.Reset()
		k.done("error")
		k.want(`turn began: "Again"`, "turn ended: error the turn ended: error")
	})
	t.Run("the turn ends before anybody says why", func(t *testing.T) { // a picture that Droid cannot read
		k := standing(t, adapters.Spec{})
		k.command(adapters.Prompt{ID: "p1", Text: "Hi"})
		k.line(response("rm-2", `{}`))
		k.text.Reset()
		k.event(`{"type":"agent_turn_completed","reason":"error","turnId":"` + firstID + `"}`)
		k.event(`{"type":"error","message":"bad picture"}`)
		k.line(failure("rm-2", "bad picture"))
		k.want(`turn began: "Hi"`, "turn ended: error the turn ended: error", `notice: error error "bad picture"`)
	})
	t.Run("of a prompt of somebody else", func(t *testing.T) {
		k := standing(t, adapters.Spec{})
		k.sent(request("7", "droid.add_user_message", `{"text":"Hi"}`))
		k.line(failure("7", "odd"))
		k.want(`notice: warning command_failed "droid.add_user_message: odd"`)
	})
	t.Run("outside of a turn", func(t *testing.T) {
		k := standing(t, adapters.Spec{})
		k.event(`{"type":"error","message":"odd"}`)
		k.event(`{"type":"llm_retry","attempt":1}`)
		k.want(`notice: error error "odd"`)
	})
}

func TestCompaction(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	c.text.Reset()
	c.event(`{"type":"droid_working_state_changed","newState":"compacting_conversation"}`)
	c.event(`{"type":"session_compacted","summaryId":"z","removedCount":1,"visibleBoundaryMessageId":"u1"}`)
	c.event(`{"type":"droid_working_state_changed","newState":"thinking"}`)
	c.want("phase: compacting", `entry 2 opened: compaction {"summary":""}`, `entry 2 closed: {"summary":""}`, "phase: responding")
	c.done("completed")
	c.text.Reset()
	c.event(`{"type":"droid_working_state_changed","newState":"compacting_conversation"}`)
	c.event(`{"type":"droid_working_state_changed","newState":"idle"}`)
	c.want("phase: compacting", "phase: idle")
}

func TestAside(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.event(`{"type":"mcp_status_changed","servers":[{"name":"a","status":"connected"}]}`)
	c.event(`{"type":"mcp_status_changed","servers":[{"name":"a","status":"failed","error":"no"},{"name":"b","status":"failed"}]}`)
	c.event(`{"type":"mcp_auth_required","serverName":"a","authUrl":"https://a","message":"please"}`)
	c.event(`{"type":"child_session_available","childSessionId":"K","description":"look"}`)
	c.event(`{"type":"tool_execution_heartbeat","toolUseId":"x"}`)
	c.want(
		`notice: warning mcp_status_changed "MCP servers failed: a: no; b"`,
		`notice: warning mcp_auth_required "MCP server a wants a login at https://a: please"`,
		`notice: info child_session_available "Sub-agent K: look"`,
	)
	// A sub-agent's own lines are not the session's.
	c.line(`{"type":"notification","method":"droid.session_notification","params":{"sessionId":"K","notification":{"type":"assistant_text_delta","messageId":"k","blockIndex":0,"textDelta":"x"}}}`)
	c.want("")
	c.line("no JSON")
	c.line(`[1]`)
	c.line("  ")
	c.line(`{"type":"notification","method":"droid.other","params":{}}`)
	c.event(`{"type":"hook_execution_started","hookId":"h"}`)
	c.line(request("q", "droid.sing", `{}`))
	c.want(
		`notice: warning unparsable_line "no JSON"`,
		`notice: warning unparsable_line "[1]"`,
		`native: droid.other {"type":"notification","method":"droid.other","params":{}}`,
		`native: hook_execution_started {"jsonrpc":"2.0","type":"notification","factoryApiVersion":"1.0.0","method":"droid.session_notification",`+
			`"params":{"sessionId":"S","notification":{"type":"hook_execution_started","hookId":"h"}}}`,
		`native: droid.sing {"jsonrpc":"2.0","factoryApiVersion":"1.0.0","type":"request","id":"q","method":"droid.sing","params":{}}`,
		`> q {"code":-32601,"message":"the client cannot answer droid.sing"}`,
	)
}

func TestTextLimit(t *testing.T) {
	c := standing(t, adapters.Spec{MaxText: 10})
	c.user("u1", strings.Repeat("u", 20))
	for range 5 {
		c.textDelta("m1", 0, "four")
	}
	c.tool("x1", "Execute", `{"command":"0123456789abcdef"}`)
	c.event(`{"type":"tool_progress_update","toolUseId":"x1","update":{"fullOutput":"0123456789abcdef"}}`)
	c.result("x1", "0123456789abcdef", false)
	c.assistant("m1", `{"type":"text","text":"fourfourfour"}`)
	for _, d := range c.said {
		switch d := d.(type) {
		case adapters.EntryClosed:
			if got := fmt.Sprintf("%+v", d.Data); strings.Contains(got, "0123456789a") || strings.Contains(got, "fourfourfou") {
				t.Errorf("too long: %s", got)
			}
		case adapters.EntryChanged:
			if a, ok := d.Delta.(*protocol.TextAppend); ok && len(a.Text) > 10 {
				t.Errorf("too long: %s", a.Text)
			}
		}
	}
}
