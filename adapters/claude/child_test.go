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
	c := ready(t).Line(turnInit, `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Task","input":{}}]}}`).Quiet()
	c.Line(started).Want("child began: t1 entry 1 \"Try\"\n")
	c.Line(ofChild("assistant", `{"id":"m9","content":[{"type":"text","text":"Mine"}]}`)).Want("child began: t1 entry 1 \"Try\"\n")
	c.Line(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}},"parent_tool_use_id":"t1"}`).
		Want("child began: t1 entry 1 \"\"\n")
	c.Line(result("t1", `"ok"`, "")).Quiet().Line(ofChild("user", `{"content":"x"}`)).Want("child began: t1 entry 0 \"Try\"\n")
	// One that is woken up again is named by the call that woke it.
	c.Line(strings.Replace(started, `"t1"`, `"t8"`, 1)).Want("child began: t1 entry 0 \"Try\"\n")
	// A background command is none.
	c.Line(`{"type":"system","subtype":"task_started","task_id":"b1","tool_use_id":"t2","task_type":"local_bash"}`).Want("")
}

func TestChild(t *testing.T) {
	spec := adapters.Spec{SessionID: "c", NativeSessionID: "t1", Child: true, Version: "2.1.328"}
	start := func(t *testing.T) *talk {
		return begin(t, spec).Want("ready: session \"t1\" version \"2.1.328\" model \"\" mode \"\"\n").Line(started).Want(`
turn began: "Try it."
entry 1 opened: user_message {"role":"user","text":"Try it."}
entry 1 closed: {"role":"user","text":"Try it."}
phase: responding
`).Line(ofChild("user", `{"content":[{"type":"text","text":"Try it."}]}`)).Want("")
	}
	end := func(c *talk, exit adapters.Exit) *talk {
		return c.Do(func(out *adapters.Output) { c.Translator.Exit(exit, out) })
	}
	notification := func(status string) string {
		return `{"type":"system","subtype":"task_notification","tool_use_id":"t1","status":"` + status + `","summary":"Words"}`
	}
	t.Run("its lines", func(t *testing.T) {
		c := start(t).Line(ofChild("assistant", `{"id":"m2","model":"m","content":[{"type":"tool_use","id":"t5","name":"Bash","input":{"command":"ls"}}]}`)).
			Has("entry 2 opened: tool_call round 1 id t5", `meta: "model":"m"`)
		c.Line(ofChild("user", `{"content":[{"type":"tool_result","tool_use_id":"t5","content":"ok"}]}`)).Has(`"output":"ok"`)
		c.Line(ofChild("user", `{"content":"And this."}`)).Has(`entry 3 closed: {"role":"user","text":"And this."}`)
		c.Line(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}},"parent_tool_use_id":"t1"}`).Has("text_append")
		// A sub-agent of its own.
		c.Line(`{"type":"system","subtype":"task_started","task_id":"a2","tool_use_id":"t6","description":"Below","subagent_type":"x"}`).Want("child began: t6 entry 0 \"Below\"\n")
		c.Line(`{"type":"system","subtype":"task_notification","tool_use_id":"t6","status":"completed","summary":"Done below"}`).Has(`notice: info background_task "Done below"`)
		end(c, adapters.Exit{Code: -1}).Want("") // how it ended was not said
	})
	t.Run("commands", func(t *testing.T) {
		c := start(t).Command(adapters.Prompt{ID: "p1", Text: "Hi"}).Want("prompt p1 refused a sub-agent takes no prompts\n")
		c.Command(adapters.SetModel{ID: "s1"}).Command(adapters.SetMode{ID: "s2"}).
			Want("setting s1 refused a sub-agent has the settings of its parent\nsetting s2 refused a sub-agent has the settings of its parent\n")
		c.Command(adapters.Interrupt{}).Want("> {\"type\":\"control_request\",\"request_id\":\"rm-t1-1\",\"request\":{\"subtype\":\"stop_task\",\"task_id\":\"a1\"}}\n")
	})
	t.Run("woken up", func(t *testing.T) {
		c := begin(t, spec).Quiet().Line(strings.Replace(started, `"t1"`, `"t8"`, 1)).Has(`turn began: "Try it."`)
		c.Line(strings.Replace(notification("completed"), `"t1"`, `"t8","task_id":"a1"`, 1)).Want("")
		end(c, adapters.Exit{}).Want("turn ended: completed\n")
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
			end(start(t).Line(c.lines...).Quiet(), adapters.Exit{}).Want("turn ended: " + c.want + "\n")
		})
	}
}

// A line is the agent's, whatever it holds: a parent that is no string is none.
func TestParentOfAnotherType(t *testing.T) {
	c := begin(t, adapters.Spec{SessionID: "c", NativeSessionID: "t1", Child: true}).Line(started).Quiet()
	c.Line(`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}},"parent_tool_use_id":5}`).Has("text_append")
}
