package opencode_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
)

// row is what the README of the recordings says of one of them, beyond the facts: what is said in this order, what never, and
// how often something is.
type row struct {
	file   string
	inside []string // of all sessions, one after the other; each behind the one before
	never  []string
	times  map[string]int
}

const ended = "turn ended: "

var rows = []row{
	{file: "text_short", inside: []string{"turn began", "user_message", "phase: responding", "assistant_message", "text_append", `"inputTokens":100,"cachedInputTokens":0,"outputTokens":20`, ended + "completed"}},
	{file: "text_short.global", times: map[string]int{"turn began": 1, "opened: assistant_message": 1, "used:": 1}},
	{file: "text_short.api", inside: []string{"ready:"}, times: map[string]int{"turn began": 0}},
	{file: "text_long_stream", times: map[string]int{"opened:": 2}},
	{file: "reasoning_text", inside: []string{"opened: thinking", "opened: assistant_message", `"reasoningOutputTokens":30`}},
	{file: "reasoning_responses", inside: []string{"opened: thinking", "opened: assistant_message"}},
	{file: "tool_bash", inside: []string{"round 1", `"status":"running"`, "text_append", `"status":"completed"`, `"exitCode":0`, "round 2", ended + "completed"}, times: map[string]int{"used:": 2, "turn began": 1}},
	{file: "tool_edit", inside: []string{`"toolName":"read"`, `"toolName":"edit"`, `"diff":"`}, never: []string{"native:"}},
	{file: "tool_parallel", inside: []string{"entry 2 opened: tool_call", "entry 3 opened: tool_call", "entry 4 opened: tool_call", "closed:", "opened: assistant_message"}},
	{file: "tool_error", inside: []string{`"status":"error","output":"File not found`, `"status":"completed"`, `"exitCode":3`, ended + "completed"}},
	{file: "permission_once", inside: []string{"request 1 opened", `"toolKind":"execute"`, "request 1 closed: allowed allow_once", ended + "completed"}},
	{file: "permission_reject", inside: []string{"request 1 opened", `"toolKind":"edit"`, "closed: denied deny_stop", `"status":"error"`, ended + "interrupted a request was refused"}},
	{file: "permission_reject_message", inside: []string{"request 1 closed: denied deny ", "look first", "round 2", "request 2 closed: denied deny_stop", ended + "interrupted"}, times: map[string]int{"turn began": 1}},
	{file: "permission_stale", inside: []string{"request 1 closed: allowed", "request 2 opened", "request 2 closed: cancelled", ended + "interrupted"}, times: map[string]int{"request 1 closed": 1}, never: []string{"notice:"}},
	{file: "question", inside: []string{`"kind":"question"`, `"freeText":true`, `answered  [["Blue"]]`, ended + "completed"}},
	{file: "abort_text", inside: []string{"assistant_message", "closed:", ended + "interrupted", "turn began", ended + "completed"}},
	{file: "abort_tool", inside: []string{"User aborted the command", ended + "interrupted"}, times: map[string]int{ended: 1}},
	{file: "provider_500_retry", inside: []string{"phase: retrying", "phase: responding", "phase: retrying", "phase: responding", ended + "completed"}, never: []string{"notice: error"}, times: map[string]int{"opened: assistant_message": 1}},
	{file: "provider_429_retry_after", inside: []string{"phase: retrying, in ", ended + "completed"}},
	{file: "provider_400", inside: []string{ended + "error "}, never: []string{"assistant_message"}},
	{file: "retry_abort", inside: []string{"phase: retrying, in 30000 ms", ended + "interrupted"}},
	{file: "malformed_tool_args", inside: []string{`"toolName":"bash"`, `"status":"error","output":"The arguments provided`, `"toolName":"teleport"`, `"toolName":"read"`, ended + "completed"}, never: []string{`"toolName":"invalid"`}},
	{file: "malformed_stream", inside: []string{"entry 2 closed:", "This begins well", ended + "error JSON parsing failed"}, times: map[string]int{ended: 1}},
	{file: "provider_disconnect", inside: []string{"left (retry)", `"text":"Half of an answer that will "`, "phase: retrying", "A whole answer.", ended + "completed"}},
	{file: "multi_turn", inside: []string{`"sessionTotal":{"inputTokens":100`, `"totalTokens":110}`, `"totalTokens":251}`, `"totalTokens":423}`}, times: map[string]int{"turn began": 3}},
	{file: "busy_prompt", inside: []string{"turn began", "Extra one", "Extra two", "opened: assistant_message"}, times: map[string]int{"turn began": 1, ended: 1}},
	{file: "busy_prompt_stream", inside: []string{"opened: assistant_message", "opened: user_message", "opened: assistant_message"}, times: map[string]int{"turn began": 1}},
	{file: "compaction_manual", inside: []string{"phase: compacting", "opened: compaction", `"trigger":"manual"`, "phase: responding", ended, "Third question"}},
	{file: "compaction_auto", inside: []string{"phase: compacting", "opened: compaction", `"trigger":"auto"`, "phase: responding", "Going on after", ended}, never: []string{"Continue if you have"}},
	{file: "compaction_overflow", inside: []string{`"trigger":"overflow"`, "Answer after the overflow", ended + "completed"}, times: map[string]int{`opened: user_message`: 3}},
	{file: "subagent_task", inside: []string{"child began: ses_e08c4bec1fferMoBY1bdqCBdAo entry 3", "-- session 2 (ses_e08c4bec1fferMoBY1bdqCBdAo, of 1)", "CHILD JOB"}},
	{file: "subagent_task.global", inside: []string{"child began: ses_e08c4bec1fferMoBY1bdqCBdAo entry 3", "of 1)", "CHILD JOB"}},
	{file: "subagent_permission", inside: []string{"child began", "-- session 2", "request 1 opened: entry 2", "request 1 closed: allowed"}},
	{file: "todo", times: map[string]int{`opened: tool_call`: 2}, never: []string{"native:"}},
	{file: "model_switch", inside: []string{`"model":"fake/fake-1"`, `"model":"fake/fake-2"`, `"model":"fake/fake-2"`}},
	{file: "bad_model", inside: []string{"user_message", ended + "error Model not found: fake/ghost."}, times: map[string]int{ended: 1, "notice:": 0}},
	{file: "sigkill_mid_text", inside: []string{"incarnation 2", "Hello again?", "I am back.", ended + "completed"}, times: map[string]int{"prt_1f73c9eee0016gOqXrVOUI1gQX": 1}},
	{file: "sigkill_mid_tool", inside: []string{"incarnation 2", "I lost that job."}, times: map[string]int{"opened: tool_call": 1}},
	{file: "sse_drop_resync", times: map[string]int{"opened: assistant_message": 1, "closed: id prt_1f73d650d0015RygXWp4tborNn": 1, "left (": 0}},
	{file: "sse_drop_over_end", inside: []string{"Before the drop. After the drop.", ended + "completed"}},
	{file: "two_directories", inside: []string{"Question alpha.", "-- session 2", "Question beta."}, times: map[string]int{"turn began": 2, "opened: assistant_message": 2}},
	{file: "concurrent_sessions", times: map[string]int{"turn began": 2, ended + "completed": 2}},
	{file: "shell", inside: []string{"turn began\n", `"toolName":"bash"`, ended + "completed", `turn began: "What did I run?"`}, never: []string{"The following tool"}},
	{file: "session_ops", inside: []string{`"title":"Operations"`, "Just remember this.", `"title":"Renamed"`, "Question B.", "-- session 2", "fork #1", "session_deleted"}, times: map[string]int{"turn began": 2}},
	{file: "auth_password", inside: []string{ended + "completed"}},
	{file: "dispose", inside: []string{ended + "interrupted", "Next prompt.", ended + "completed"}},
	{file: "dispose.global", inside: []string{ended + "interrupted", "Next prompt.", ended + "completed"}},
	{file: "event_system_flag", inside: []string{ended + "completed"}},
	{file: "v2_text", inside: []string{`turn began: "Hello, newer interface."`, "opened: user_message", "opened: thinking", "A short thought.", "opened: assistant_message", "used:", ended + "completed"}},
	{file: "v2_tool_queue", inside: []string{"Run a slow job.", "arguments_append", `"status":"completed"`, `"exitCode":0`, "Steering message.", "I saw the steering", ended, `turn began: "Queued message."`}},
	{file: "v2_interrupt_kill", inside: []string{ended + "interrupted", "Here again.", "incarnation 2", "Back after the kill.", ended + "completed"}},
	{file: "v2_permission", inside: []string{"request 1 closed: allowed allow_once", "allowed\\n", "request 2 closed: denied", ended + "interrupted"}},
	{file: "old1165_abort_text", inside: []string{"left (interrupted)", "ember willow", ended + "interrupted", "still here"}},
	{file: "old1165_reasoning_text", inside: []string{`"outputTokens":64,"reasoningOutputTokens":30,"totalTokens":274`}},
}

func TestReadme(t *testing.T) {
	for _, r := range rows {
		t.Run(r.file, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, said := range conformance.Play(t, suite, r.file+".jsonl") {
				b.WriteString(place(&said))
				for _, d := range said.Drafts {
					b.WriteString(conformance.Describe(d) + "\n")
				}
			}
			text := b.String()
			for rest, i := text, 0; i < len(r.inside); i++ {
				_, behind, ok := strings.Cut(rest, r.inside[i])
				if !ok {
					t.Fatalf("no %q behind the others in\n%s", r.inside[i], text)
				}
				rest = behind
			}
			for _, s := range r.never {
				if strings.Contains(text, s) {
					t.Errorf("%q in\n%s", s, text)
				}
			}
			for s, want := range r.times {
				if got := strings.Count(text, s); got != want {
					t.Errorf("%q is there %d times, want %d, in\n%s", s, got, want, text)
				}
			}
		})
	}
}

// place names an incarnation as goldens do.
func place(s *conformance.Said) string {
	name := "-- session " + string(rune('0'+s.Session.Number)) + " (" + s.Session.NativeID
	if p := s.Session.Parent; p != nil {
		name += ", of " + string(rune('0'+p.Number))
	}
	return name + ") incarnation " + string(rune('0'+s.Incarnation)) + " --\n"
}
