package opencode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestResync: what was said while nobody listened is asked for in order, and folded before what comes meanwhile.
// Proves: C42, T22
func TestResync(t *testing.T) {
	x := begun(t)
	x.ledger.Interleaves = true // a text of which something was lost waits for its end
	x.run()
	x.part("msg_a", "prt_1", `"type":"text","text":"","time":{"start":1}`)
	x.delta("msg_a", "prt_1", "One ", "entry 1 opened:*", "entry 1 changed:*")
	x.line(lostLine)
	x.line(openLine, askedStatus)
	x.delta("msg_a", "prt_1", "hree")
	x.part("msg_a", "prt_3", `"type":"text","text":"Late","time":{"start":1,"end":2}`)
	x.answer(1, `"status":200,"body":{"ses_1":{"type":"busy"},"ses_2":{"type":"busy"}}`, askedPage)
	x.answer(2, `"status":200,"body":[{"info":{"id":"msg_a","role":"assistant"},"parts":[{"id":"prt_1","type":"text","text":"","time":{"start":1}},`+
		`{"id":"prt_2","type":"tool","tool":"bash","callID":"c1","state":{"status":"running","input":{"command":"x"},"metadata":{"output":"a"}}}]}]`,
		"entry 2 opened: tool_call*", `entry 2 changed: *"a"}`, "entry 3 opened:*", "entry 3 closed:*Late*",
		`>"method":"GET","path":"/permission"}`, `>"method":"GET","path":"/question"}`)
	x.answer(3, `"status":200,"body":[{"id":"per_1","sessionID":"ses_1","permission":"bash","tool":{"messageID":"msg_a","callID":"c1"}},{"id":"per_2","sessionID":"ses_2"}]`,
		"request 1 opened: entry 2 *")
	x.answer(4, `"status":200,"body":[]`)
	x.delta("msg_a", "prt_1", "four") // in the middle of a word, for all that is known
	x.part("msg_a", "prt_1", `"type":"text","text":"One two three four","time":{"start":1,"end":2}`, `entry 1 closed:*"One two three four"}`)

	x.line(lostLine)
	x.line(openLine, askedStatus)
	x.answer(5, `"error":"EOF"`, `>"after":500,"method":"GET","path":"/session/status"}`)
	x.answer(6, `"status":200,"body":{"ses_1":{"type":"busy"}}`, askedPage)
	x.answer(7, `"status":200,"error":"the answer has more than 7 bytes"`, `>"method":"GET","path":"/session/ses_1/message?limit=4"}`)
	x.answer(8, `"status":503`, `notice: warning resync_failed "What the agent said while it could not be heard is not known: HTTP status 503"`,
		`>"method":"GET","path":"/permission"}`, `>"method":"GET","path":"/question"}`)
	x.answer(9, `"status":200,"body":[]`, "request 1 closed: cancelled  []")

	// Nobody answers: what waits is said after two heartbeats.
	x.line(lostLine)
	x.line(openLine, askedStatus)
	x.part("msg_a", "prt_4", `"type":"text","text":"More","time":{"start":1,"end":2}`)
	x.line(`{"type":"server.heartbeat"}`)
	x.line(`{"type":"server.heartbeat"}`, "entry 4 opened:*", "entry 4 closed:*")
}

// TestServerBegunAnew: the server was killed and started again within a message: that never ends, and the turn was not completed.
func TestServerBegunAnew(t *testing.T) {
	x := begun(t)
	x.run()
	x.part("msg_a", "prt_1", `"type":"text","text":"","time":{"start":1}`)
	x.delta("msg_a", "prt_1", "One ", "entry 1 opened:*", "entry 1 changed:*")
	x.line(lostLine)
	x.line(openLine, askedStatus)
	x.answer(1, `"status":200,"body":{}`, askedPage)
	left := `"status":200,"body":[{"info":{"id":"msg_a","role":"assistant"},"parts":[{"id":"prt_1","type":"text","text":"","time":{"start":1}}]}]`
	x.answer(2, left, settling)
	x.answer(3, left, "turn ended: interrupted, lost the agent broke off within a message")
}

// TestResume: a session that is taken up says nothing of its past again, and all that came after it.
func TestResume(t *testing.T) {
	spec := adapters.Spec{NativeSessionID: "ses_1", Resume: true, Known: []string{"prt_u", "prt_dead"}}
	x := newTalk(t, spec)
	x.says(x.tr.Start, `>"method":"GET","path":"/session/ses_1"}`)
	x.answer(1, `"status":200,"body":{"id":"ses_1","version":"1.18.33","tokens":{"input":10,"output":1,"reasoning":0,"cache":{}}}`, askedModels, askedModes, askedStatus)
	x.answer(4, `"status":200,"body":{}`, askedPage)
	old := `{"info":{"id":"msg_0","role":"assistant","time":{"created":1,"completed":2}},"parts":[]},` +
		`{"info":{"id":"msg_u","role":"user","time":{"created":3}},"parts":[{"id":"prt_u","type":"text","text":"Go"}]},` +
		`{"info":{"id":"msg_a","role":"assistant","time":{"created":4}},"parts":[{"id":"prt_dead","type":"text","text":""},{"id":"prt_t","type":"tool","tool":"bash","state":{"status":"running"}}]}`
	x.answer(5, `"status":200,"body":[`+old+`,`+
		`{"info":{"id":"msg_v","role":"user","time":{"created":5}},"parts":[{"id":"prt_v","type":"text","text":"Meanwhile"}]},`+
		`{"info":{"id":"msg_b","role":"assistant","finish":"stop","time":{"created":6,"completed":7}},"parts":[{"id":"prt_b","type":"text","text":"Done.","time":{"end":7}}]},`+
		`{"info":{"id":"msg_w","role":"user","time":{"created":8}},"parts":[{"id":"prt_w","type":"text","text":"And"}]},`+
		`{"info":{"id":"msg_c","role":"assistant","finish":"stop","time":{"created":9,"completed":10}},"parts":[{"id":"prt_c","type":"text","text":"So.","time":{"end":10}}]}]`,
		`ready: session "ses_1" version "1.18.33"*`,
		`turn began: "Meanwhile"`, "entry 1 opened: user_message id prt_v*", "entry 1 closed:*", "phase: responding", "entry 2 opened:*", "entry 2 closed:*Done.*", "turn ended: completed",
		`turn began: "And"`, "entry 3 opened: user_message id prt_w*", "entry 3 closed:*", "phase: responding", "entry 4 opened:*", "entry 4 closed:*So.*", "turn ended: completed")

	x = newTalk(t, spec)
	x.says(x.tr.Start, `>"method":"GET","path":"/session/ses_1"}`)
	x.answer(1, `"status":404`, "notice: warning resume_failed*", `>"method":"POST","path":"/session","body":{}}`)
	x.answer(2, `"status":200,"body":{"id":"ses_9"}`, `ready: session "ses_9"*`, askedModels, askedModes)

	x = newTalk(t, adapters.Spec{NativeSessionID: "ses_1", Child: true, Resume: true})
	x.says(x.tr.Start, `ready: session "ses_1"*`)
	x.command(adapters.Prompt{ID: "p1", Text: "x"}, `>"method":"POST","path":"/session/ses_1/prompt_async"*`)
}

// TestGap: where a whole page is new, there was more before it.
func TestGap(t *testing.T) {
	x := begun(t)
	x.run()
	x.message("msg_a", "assistant", `,"finish":"stop","time":{"completed":2}`)
	x.status("idle", "turn ended: completed")
	x.line(lostLine)
	x.line(openLine, askedStatus)
	x.answer(1, `"status":200,"body":{}`, askedPage)
	var page []string
	for i := range 50 {
		page = append(page, fmt.Sprintf(`{"info":{"id":"msg_%d","role":"user"},"parts":[]}`, i))
	}
	x.answer(2, `"status":200,"body":[`+strings.Join(page, ",")+`]`, "notice: warning gap*")
}
