package opencode_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestPrompts: a prompt is answered when it is a message of the session, by its text; accepted ones may vanish.
func TestPrompts(t *testing.T) {
	send := func(x *talk, id, text string) {
		x.Helper()
		x.command(adapters.Prompt{ID: id, Text: text}, `>"method":"POST","path":"/session/ses_1/prompt_async"*`)
	}
	t.Run("taken", func(t *testing.T) {
		x := begun(t)
		send(x, "p1", "Go")
		x.message("msg_u", "user", "")
		x.part("msg_u", "prt_u", `"type":"text","text":"Go"`)
		x.status("busy", `turn began: "Go"`, "entry 1 opened: user_message*", "entry 1 closed:*", "prompt p1 started", "phase: responding")
		x.answer(1, `"status":204`)
		x.message("msg_a", "assistant", "")
		x.command(adapters.Prompt{ID: "p2", Text: "Also", Steer: true}, `>*`)
		x.answer(2, `"status":204`, askedFate)
		x.message("msg_v", "user", "")
		x.part("msg_v", "prt_v", `"type":"text","text":"Also"`, "prompt p2 handled", "entry 2 opened: user_message round 1*", "entry 2 closed:*")
		x.answer(3, `"status":200,"body":{}`)
	})
	t.Run("answered behind its turn", func(t *testing.T) {
		x := begun(t)
		send(x, "p1", "Go")
		x.message("msg_u", "user", "")
		x.part("msg_u", "prt_u", `"type":"text","text":"Go"`)
		x.status("busy", `turn began: "Go"`, "entry 1 opened: user_message*", "entry 1 closed:*", "prompt p1 started", "phase: responding")
		x.message("msg_a", "assistant", "")
		x.message("msg_a", "assistant", `,"finish":"stop","time":{"completed":2}`)
		x.status("idle", "turn ended: completed*")
		x.answer(1, `"status":204`) // nothing is asked, and nothing begins
		x.message("msg_u", "user", "")
	})
	t.Run("refused", func(t *testing.T) {
		x := begun(t)
		send(x, "p1", "Go")
		x.answer(1, `"status":400,"body":{"name":"BadRequest","data":{"message":"Expected array"}}`, "prompt p1 refused Expected array")
	})
	t.Run("failed before it was a message", func(t *testing.T) {
		x := begun(t)
		send(x, "p1", "Go")
		x.answer(1, `"status":204`, askedFate)
		x.event("session.error", `"error":{"name":"UnknownError","data":{"message":"no agent x\n    at run (a.js:1)"}}`, "prompt p1 refused no agent x")
		x.answer(2, `"status":200,"body":{}`)
	})
	t.Run("vanished", func(t *testing.T) {
		x := begun(t)
		send(x, "p1", "Go")
		x.answer(1, `"status":204`, askedFate)
		x.answer(2, `"status":200,"body":{}`, askedPage)
		x.answer(3, `"status":200,"body":[]`, "prompt p1 refused the agent accepted the prompt and did nothing with it")
	})
	t.Run("found", func(t *testing.T) {
		x := begun(t)
		send(x, "p1", "Go")
		x.answer(1, `"error":"EOF"`, `>"after":500,"method":"GET","path":"/session/status"}`)
		x.answer(2, `"status":200,"body":{}`, askedPage)
		x.answer(3, `"status":200,"body":[{"info":{"id":"msg_u","role":"user"},"parts":[{"id":"prt_u","type":"text","text":"Go"}]}]`,
			"entry 1 opened: user_message*", "entry 1 closed:*", "prompt p1 handled")
	})
	t.Run("pictures", func(t *testing.T) {
		x := begun(t)
		x.command(adapters.Prompt{ID: "p1", Images: []adapters.Image{{Ref: "sha256:00;image/png", MediaType: "image/png", Data: []byte("abc")}}},
			`>*"parts":[{"type":"file","mime":"image/png","filename":"image-1","url":"data:image/png;base64,YWJj"}]}}`)
		x.message("msg_u", "user", "")
		x.part("msg_u", "prt_u", `"type":"file","mime":"image/png","url":"data:image/png;base64,YWJj"`)
		x.status("busy", "turn began", `entry 1 opened: user_message*"images":["sha256:00;image/png"]}`, "entry 1 closed:*", "prompt p1 started", "phase: responding")
	})
}

// TestOthersPrompts: messages of the user that no run follows.
func TestOthersPrompts(t *testing.T) {
	beat := `{"type":"server.heartbeat","properties":{}}`
	x := begun(t)
	x.message("msg_u", "user", "")
	x.part("msg_u", "prt_u", `"type":"text","text":"Remember"`)
	x.line(beat)
	x.line(beat, "entry 1 opened: user_message id prt_u*", "entry 1 closed:*")
	x.says(func(o *adapters.Output) {
		x.tr.Sent([]byte(`{"http":"call","n":4294967297,"method":"POST","path":"/session/ses_1/prompt_async","body":{"noReply":true,"parts":[{"type":"text","text":"This"}]}}`), o)
	})
	x.message("msg_v", "user", "")
	x.part("msg_v", "prt_v", `"type":"text","text":"This"`, "entry 2 opened:*", "entry 2 closed:*")
	x.part("msg_v", "prt_w", `"type":"text","text":"not theirs","synthetic":true`)
	x.message("msg_w", "user", "")
	x.part("msg_w", "prt_x", `"type":"text","text":"Last"`)
	x.says(func(o *adapters.Output) { x.tr.Exit(adapters.Exit{}, o) }, "entry 3 opened:*", "entry 3 closed:*")
}
