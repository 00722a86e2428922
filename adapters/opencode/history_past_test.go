package opencode_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

const (
	askedPast = `>"method":"GET","path":"/session/ses_1/message?limit=500"}`
	earlier   = `{"info":{"id":"msg_u","role":"user","time":{"created":3}},"parts":[{"id":"prt_u","type":"text","text":"Go"},{"id":"prt_y","type":"text","text":"x","synthetic":true}]},` +
		`{"info":{"id":"msg_a","role":"assistant","finish":"stop","time":{"created":4,"completed":5}},"parts":[{"id":"prt_s","type":"step-start"},` +
		`{"id":"prt_t","type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"notes.txt"}},` +
		`{"id":"prt_a","type":"text","text":"Done.","time":{"end":5}},{"id":"prt_f","type":"step-finish","tokens":{"input":10,"output":1,"reasoning":0,"cache":{}}}]},` +
		`{"info":{"id":"msg_b","role":"assistant","time":{"created":6}},"parts":[{"id":"prt_l","type":"tool","tool":"bash","callID":"d","state":{"status":"running","input":{"command":"sleep 9"}}}]}`
)

func recalling(t *testing.T, status string) *talk {
	t.Helper()
	x := newTalk(t, adapters.Spec{NativeSessionID: "ses_1", Resume: true, Recall: true})
	x.says(x.tr.Start, `>"method":"GET","path":"/session/ses_1"}`)
	x.answer(1, `"status":200,"body":{"id":"ses_1","version":"1.18.33"}`, askedModels, askedModes, askedStatus)
	x.answer(4, `"status":200,"body":`+status, askedPast)
	return x
}

// TestPastIsSaid: the log of a session that goes on with one of OpenCode's begins with what was said there. It is no turn, which the first
// prompt would take for its own, and comes before the session is ready for one.
func TestPastIsSaid(t *testing.T) {
	said := []string{
		"entry 1 opened: user_message id prt_u*", "entry 1 closed:*Go*", "entry 2 opened: tool_call id prt_t*", "entry 2 closed:*notes.txt*",
		"entry 3 opened: assistant_message id prt_a*", "entry 3 closed:*Done.*", "entry 4 opened: tool_call id prt_l*", "entry 4 left (left behind):*",
	}
	x := recalling(t, `{}`)
	x.answer(5, `"status":200,"body":[`+earlier+`]`, append(said, `ready: session "ses_1" version "1.18.33"*`)...)
	x.status("busy", "turn began", "phase: responding") // of the first prompt

	x = recalling(t, `{"ses_1":{"type":"busy"}}`) // of an attached server: what is at work is its turn
	x.answer(5, `"status":200,"body":[`+earlier+`,{"info":{"id":"msg_v","role":"user","time":{"created":7}},"parts":[{"id":"prt_v","type":"text","text":"And"}]},`+
		`{"info":{"id":"msg_c","role":"assistant","time":{"created":8}},"parts":[{"id":"prt_c","type":"text","text":"So"}]}]`,
		append(said, `ready: session "ses_1"*`, `turn began: "And"`, "entry 5 opened: user_message id prt_v*", "entry 5 closed:*", "phase: responding",
			"entry 6 opened: assistant_message round 1 id prt_c*", "entry 6 changed:*", `>"method":"GET","path":"/permission"}`, `>"method":"GET","path":"/question"}`)...)

	x = recalling(t, `{}`) // too long an answer
	x.answer(5, `"status":200,"error":"the answer has more than 7 bytes"`, askedPage)
}

// TestNamedSessionIsNotThere: what OpenCode says of an id that is none of its own is no session that was lost.
func TestNamedSessionIsNotThere(t *testing.T) {
	for _, status := range []string{"404", "400", "500"} {
		x := newTalk(t, adapters.Spec{NativeSessionID: "ses_1", Resume: true, Recall: true})
		x.says(x.tr.Start, `>"method":"GET","path":"/session/ses_1"}`)
		x.answer(1, `"status":`+status, `>"method":"POST","path":"/session","body":{}}`)
		x.answer(2, `"status":200,"body":{"id":"ses_9"}`, `ready: session "ses_9"*`, askedModels, askedModes)
	}
}
