package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestRoleBeforeShow: parts and deltas wait for their message's role.
// Proves: 001.message, O7, C40
func TestRoleBeforeShow(t *testing.T) {
	x := begun(t)
	x.status("busy", "turn began", "phase: responding")
	x.part("msg_a", "prt_1", `"type":"text","text":"","time":{"start":1}`)
	x.delta("msg_a", "prt_1", "Hel")
	x.delta("msg_a", "prt_1", "lo")
	x.message("msg_a", "assistant", "", "entry 1 opened: assistant_message round 1 id prt_1*", `entry 1 changed: *"Hel"}`, `entry 1 changed: *"lo"}`)
	x.delta("msg_a", "prt_none", "lost")
	x.part("msg_a", "prt_1", `"type":"text","text":"Hello.","time":{"start":1,"end":2}`, `entry 1 closed: id prt_1 *"text":"Hello."}`)
	x.delta("msg_a", "prt_1", "late")
	x.part("msg_a", "prt_1", `"type":"text","text":"again","time":{"start":1,"end":2}`)
	x.part("msg_a", "prt_2", `"type":"text","text":"","time":{"start":1,"end":2}`) // nothing to show
	x.event("message.part.delta", `"messageID":"msg_a","partID":"prt_1","field":"mood","delta":"x"`, "native: message.part.delta.mood*")
	x.part("msg_a", "prt_3", `"type":"hologram"`, "native: message.part.updated.hologram*")
}

// TestAppendOrSet is 1.1: a delta appends, without one the text replaces (seed 001).
// Proves: 001.part, 001.antipatterns, C39, T23
func TestAppendOrSet(t *testing.T) {
	x := begun(t)
	x.run()
	update := func(text, delta string, want ...string) {
		t.Helper()
		if delta != "" {
			delta = `,"delta":"` + delta + `"`
		}
		x.line(`{"type":"message.part.updated","properties":{"part":{"id":"prt_1","sessionID":"ses_1","messageID":"msg_a","type":"text","text":"`+text+
			`","time":{"start":1}}`+delta+`}}`, want...)
	}
	update("One", "e", "entry 1 opened:*", `entry 1 changed: *_append","text":"One"}`) // its beginning was lost
	update("One two", " two", `entry 1 changed: *_append","text":" two"}`)
	update("One two three", "", `entry 1 changed: *_append","text":" three"}`)
	update("One two", "")
	update("Another", "", `entry 1 changed: *_set","text":"Another"}`)
	x.line(`{"http":"stream","state":"lost","path":"/event"}`)
	update("Another one", " one", `entry 1 changed: *_append","text":" one"}`)
}

// TestTextBeforeCall: a text ends when a call begins, as the agent would have ended it: without the white space. What it writes of it
// afterwards stands where it was written.
func TestTextBeforeCall(t *testing.T) {
	const tool = `"type":"tool","tool":"bash","callID":"c1","state":{"status":"pending"}`
	begin := func(t *testing.T) *talk {
		x := begun(t)
		x.run()
		x.part("msg_a", "prt_1", `"type":"text","text":"","time":{"start":1}`)
		x.delta("msg_a", "prt_1", "I look.\\n", "entry 1 opened:*", "entry 1 changed:*")
		x.part("msg_a", "prt_2", tool, `entry 1 closed: id prt_1 {*"text":"I look."}`, "entry 2 opened: tool_call*")
		return x
	}
	end := func(text string) string {
		return fmt.Sprintf(`"type":"text","text":%q,"time":{"start":1,"end":2}`, text)
	}
	t.Run("over", func(t *testing.T) { begin(t).part("msg_a", "prt_1", end("I look.")) })
	t.Run("goes on", func(t *testing.T) {
		x := begin(t)
		x.delta("msg_a", "prt_1", "\\n")
		x.delta("msg_a", "prt_1", "And", `entry 3 opened: assistant_message * id prt_1 *`, `entry 3 changed: *"text":"\nAnd"}`)
		x.delta("msg_a", "prt_1", " more", "entry 3 changed:*")
		x.part("msg_a", "prt_1", end("I look.\n\nAnd more."), `entry 3 closed: id prt_1 {*"text":"\nAnd more."}`)
	})
	t.Run("goes on unheard", func(t *testing.T) {
		begin(t).part("msg_a", "prt_1", end("I look.\nSo."), "entry 3 opened:*", `entry 3 closed: id prt_1 {*"text":"So."}`)
	})
	t.Run("is another text", func(t *testing.T) {
		begin(t).part("msg_a", "prt_1", end("You look."), `notice: warning text_differs "*as: You look."`)
	})
	t.Run("is written anew", func(t *testing.T) {
		begin(t).line(`{"type":"session.status","properties":{"sessionID":"ses_1","status":{"type":"retry","attempt":1,"message":"cut"}}}`,
			"entry 2 left (retry)*", "notice: info retracted *", "phase: retrying", "notice: warning retry *")
	})
}

// TestLimits: texts are cut as the session wants, and what waits is bounded.
func TestLimits(t *testing.T) {
	x := newTalk(t, adapters.Spec{NativeSessionID: "ses_1", MaxText: 5})
	x.says(x.tr.Start)
	x.status("busy", `ready:*`, "turn began", "phase: responding")
	x.message("msg_a", "assistant", "")
	x.part("msg_a", "prt_1", `"type":"text","text":"","time":{"start":1}`)
	x.delta("msg_a", "prt_1", "123", "entry 1 opened:*", `entry 1 changed: *"123"}`)
	x.delta("msg_a", "prt_1", "456", `entry 1 changed: *"45"}`, `entry 1 overflows at 5: *"6"}`)
	x.delta("msg_a", "prt_1", "789", `entry 1 overflows at 6: *"789"}`)
	x.part("msg_a", "prt_1", `"type":"text","text":"1234567890","time":{"start":1}`, `entry 1 overflows at 9: *"0"}`) // a snapshot: what was said before is not said again
	x.part("msg_a", "prt_1", `"type":"text","text":"123456789","time":{"start":1,"end":2}`, `entry 1 closed:*"text":"12345","truncated":true,"bytes":9}`)
	x.part("msg_a", "prt_2", `"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"long one"},"output":"123456"}`,
		`entry 2 opened:*"arguments":"{\"com","command":"long ",*`, `entry 2 closed:*"output":"12345"*"truncated":true,"bytes":6*`)
	x.message("msg_u", "user", "")
	x.part("msg_u", "prt_u", `"type":"text","text":"abcdef"`, `entry 3 opened:*"abcde"*`, "entry 3 closed:*")
	long := strings.Repeat("x", 40<<10)
	for i := range 200 { // parts of messages that never come
		x.part(fmt.Sprintf("msg_%d", i), "prt_9", `"type":"text","text":"`+long+`"`)
	}
}
