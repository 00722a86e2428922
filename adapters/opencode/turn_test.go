package opencode_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestTurnEnds: idle is the end only when everything was said.
// Proves: 001.message, 001.completion, 002.7.3/status, C41
func TestTurnEnds(t *testing.T) {
	failed := `"error":{"name":"APIError","data":{"message":"no credit"}}`
	aborted := `"error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}`
	for _, c := range []struct {
		name string
		play func(x *talk)
	}{
		{"all is said", func(x *talk) {
			x.message("msg_a", "assistant", `,"finish":"stop","time":{"completed":2}`)
			x.status("idle", "turn ended: completed")
			x.event("session.idle", `"x":1`)
		}},
		{"the message ends later", func(x *talk) {
			x.event("session.error", aborted)
			x.status("idle", settling)
			x.event("session.idle", `"x":1`)
			x.message("msg_a", "assistant", `,"time":{"completed":2},`+aborted, "turn ended: interrupted")
			x.status("idle")
			x.answer(1, `"status":200,"body":[]`)
		}},
		{"nobody says more, and the answer comes", func(x *talk) {
			x.status("idle", settling)
			x.answer(1, `"status":200,"body":[{"info":{"id":"msg_a","role":"assistant"},"parts":[{"id":"prt_9","type":"text","text":"It was said.","time":{"start":1,"end":2}}]}]`,
				"entry 1 opened:*", "entry 1 closed:*It was said.*", "turn ended: completed")
		}},
		{"nobody answers", func(x *talk) {
			x.status("idle", settling)
			x.line(`{"type":"server.heartbeat","properties":{}}`)
			x.line(`{"type":"server.heartbeat","properties":{}}`, "turn ended: completed")
		}},
		{"the next run begins", func(x *talk) {
			x.status("idle", settling)
			x.status("busy", "turn ended: completed", "turn began", "phase: responding")
		}},
		{"the message is taken out", func(x *talk) {
			x.status("idle", settling)
			x.event("message.removed", `"messageID":"msg_a"`, "turn ended: completed")
		}},
		{"a failure", func(x *talk) {
			x.event("session.error", failed)
			x.message("msg_a", "assistant", `,"time":{"completed":2},`+failed)
			x.status("idle", "turn ended: error no credit")
			x.event("session.error", `"error":{"name":"X","data":{"message":"Error: no credit\n at y"}}`)
			x.event("session.error", `"error":{"name":"X","data":{}}`, `notice: error session_error "X"`)
		}},
		{"a failure that was overcome", func(x *talk) {
			x.event("session.error", failed)
			x.message("msg_a", "assistant", `,"time":{"completed":2}`)
			x.message("msg_b", "assistant", ``)
			x.message("msg_b", "assistant", `,"finish":"stop","time":{"completed":2}`)
			x.status("idle", "turn ended: completed")
		}},
		{"our own interrupt, of which nobody speaks", func(x *talk) {
			x.command(adapters.Interrupt{}, `>*abort"}`)
			x.message("msg_a", "assistant", `,"time":{"completed":2}`)
			x.status("idle", "turn ended: interrupted")
		}},
		{"a retry", func(x *talk) {
			x.part("msg_a", "prt_1", `"type":"text","text":"Half","time":{"start":1}`, "entry 1 opened:*", "entry 1 changed:*")
			// The event's id says 1795148930626 ms, as far as 36 bits go.
			x.event("session.status", `"status":{"type":"retry","attempt":2,"message":"overloaded","next":1795148932626}`, "entry 1 left (retry):*",
				"phase: retrying, in 2000 ms", `notice: warning retry "Attempt 2 failed: overloaded"`)
			x.status("busy", "phase: responding")
		}},
		{"tools, and nothing behind them", func(x *talk) {
			x.message("msg_a", "assistant", `,"finish":"tool-calls","time":{"completed":2}`)
			x.status("idle", "turn ended: interrupted the agent stopped after its tool calls")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := begun(t)
			x.run()
			c.play(x)
		})
	}
}
