package claude_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func ofChild(kind, body string) string {
	return `{"type":"` + kind + `","message":` + body + `,"parent_tool_use_id":"t1","agent_id":"a1","task_description":"Try"}`
}

const started = `{"type":"system","subtype":"task_started","task_id":"a1","tool_use_id":"t1","description":"Try","task_type":"local_agent","prompt":"Try it."}`

// The parent learns of a sub-agent by its first line, and makes nothing else of it.
func TestParentOfChild(t *testing.T) {
	c := ready(t).line(turnInit, `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Task","input":{}}]}}`).quiet()
	c.line(started).want("child began: t1 entry 1 \"Try\"\n")
	c.line(ofChild("assistant", `{"id":"m9","content":[{"type":"text","text":"Mine"}]}`)).want("child began: t1 entry 1 \"Try\"\n")
	c.line(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}},"parent_tool_use_id":"t1"}`).
		want("child began: t1 entry 1 \"\"\n")
	c.line(result("t1", `"ok"`, "")).quiet().line(ofChild("user", `{"content":"x"}`)).want("child began: t1 entry 0 \"Try\"\n")
	// One that is woken up again is named by the call that woke it.
	c.line(strings.Replace(started, `"t1"`, `"t8"`, 1)).want("child began: t1 entry 0 \"Try\"\n")
	// A background command is none.
	c.line(`{"type":"system","subtype":"task_started","task_id":"b1","tool_use_id":"t2","task_type":"local_bash"}`).want("")
}

func TestChild(t *testing.T) {
	spec := adapters.Spec{SessionID: "c", NativeSessionID: "t1", Child: true, Version: "2.1.328"}
	start := func(t *testing.T) *talk {
		return begin(t, spec).want("ready: session \"t1\" version \"2.1.328\" model \"\" mode \"\"\n").line(started).want(`
turn began: "Try it."
entry 1 opened: user_message {"role":"user","text":"Try it."}
entry 1 closed: {"role":"user","text":"Try it."}
phase: responding
`).line(ofChild("user", `{"content":[{"type":"text","text":"Try it."}]}`)).want("")
	}
	end := func(c *talk, exit adapters.Exit) *talk {
		return c.do(func(out *adapters.Output) { c.tr.Exit(exit, out) })
	}
	notification := func(status string) string {
		return `{"type":"system","subtype":"task_notification","tool_use_id":"t1","status":"` + status + `","summary":"Words"}`
	}
	t.Run("its lines", func(t *testing.T) {
		c := start(t).line(ofChild("assistant", `{"id":"m2","model":"m","content":[{"type":"tool_use","id":"t5","name":"Bash","input":{"command":"ls"}}]}`)).
			has("entry 2 opened: tool_call round 1 id t5", `meta: "model":"m"`)
		c.line(ofChild("user", `{"content":[{"type":"tool_result","tool_use_id":"t5","content":"ok"}]}`)).has(`"output":"ok"`)
		c.line(ofChild("user", `{"content":"And this."}`)).has(`entry 3 closed: {"role":"user","text":"And this."}`)
		c.line(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}},"parent_tool_use_id":"t1"}`).has("text_append")
		// A sub-agent of its own.
		c.line(`{"type":"system","subtype":"task_started","task_id":"a2","tool_use_id":"t6","description":"Below","subagent_type":"x"}`).want("child began: t6 entry 0 \"Below\"\n")
		c.line(`{"type":"system","subtype":"task_notification","tool_use_id":"t6","status":"completed","summary":"Done below"}`).has(`notice: info background_task "Done below"`)
		end(c, adapters.Exit{Code: -1}).want("") // how it ended was not said
	})
	t.Run("commands", func(t *testing.T) {
		c := start(t).command(adapters.Prompt{ID: "p1", Text: "Hi"}).want("prompt p1 refused a sub-agent takes no prompts\n")
		c.command(adapters.SetModel{ID: "s1"}).command(adapters.SetMode{ID: "s2"}).
			want("setting s1 refused a sub-agent has the settings of its parent\nsetting s2 refused a sub-agent has the settings of its parent\n")
		c.command(adapters.Interrupt{}).want("> {\"type\":\"control_request\",\"request_id\":\"rm-t1-1\",\"request\":{\"subtype\":\"stop_task\",\"task_id\":\"a1\"}}\n")
	})
	t.Run("woken up", func(t *testing.T) {
		c := begin(t, spec).quiet().line(strings.Replace(started, `"t1"`, `"t8"`, 1)).has(`turn began: "Try it."`)
		c.line(strings.Replace(notification("completed"), `"t1"`, `"t8","task_id":"a1"`, 1)).want("")
		end(c, adapters.Exit{}).want("turn ended: completed\n")
	})
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"completed", []string{notification("completed"), result("t1", `"ok"`, "")}, "completed"},
		{"stopped", []string{notification("stopped"), result("t1", `"no"`, "")}, "interrupted"},
		{"failed", []string{notification("failed")}, "error Words"},
		{"only its call's result", []string{result("t1", `"ok"`, "")}, "completed"},
		{"interrupted with its parent", []string{ofChild("user", `{"content":"[Request interrupted by user for tool use]"}`), result("t1", `"no"`, "")}, "interrupted"},
		{"interrupted, as its call's result says", []string{result("t1", `"no"`, `,"tool_result_meta":[{"id":"t1","non_execution_kind":"user-rejected"}]`)}, "interrupted"},
		{"failed, as its call's result says", []string{`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Lost"}]}}`}, "error Lost"},
		{"left behind by a turn that was interrupted", []string{`{"type":"result","is_error":true,"terminal_reason":"aborted_tools"}`}, "interrupted"},
		{"launched, and then completed", []string{result("t1", `"started"`, `,"tool_use_result":{"isAsync":true}`), notification("completed")}, "completed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			end(start(t).line(c.lines...).quiet(), adapters.Exit{}).want("turn ended: " + c.want + "\n")
		})
	}
}

// A line is the agent's, whatever it holds: a parent that is no string is none.
func TestParentOfAnotherType(t *testing.T) {
	c := begin(t, adapters.Spec{SessionID: "c", NativeSessionID: "t1", Child: true}).line(started).quiet()
	c.line(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}},"parent_tool_use_id":5}`).has("text_append")
}
