package pi_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type talk = conformance.Talk

func begin(t *testing.T, spec adapters.Spec) *talk {
	return conformance.Begin(t, pi.Agent{}.Translator(spec))
}

const (
	stateLine = `{"id":"rm-1","type":"response","command":"get_state","success":true,"data":{"model":{"id":"m","provider":"p"},` +
		`"thinkingLevel":"high","sessionId":"s-1","sessionName":"Name"}}`
	agentStart = `{"type":"agent_start"}`
	callStart  = `{"type":"message_update","assistantMessageEvent":{"type":"toolcall_start","contentIndex":0,"id":"c1","toolName":"bash"}}`
	runStart   = `{"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"ls"}}`
	settled    = `{"type":"agent_settled","aborted":false}`
)

func TestHandshake(t *testing.T) {
	c := begin(t, adapters.Spec{Version: "1.5.2"})
	c.Want("> {\"id\":\"rm-1\",\"type\":\"get_state\"}\n")
	c.Line(stateLine).Want(`
ready: session "s-1" version "1.5.2" model "p/m" mode "high"
meta: "title":"Name"}
> {"id":"rm-models","type":"get_available_models"}
`)
	c.Line(stateLine).Want("")
}

// A text ends when a call begins, not with its message: Pi may say of neither that it is over before both are. What the model writes of
// it afterwards is an entry of its own, in its place.
func TestTextBeforeCall(t *testing.T) {
	update := func(event string) string { return `{"type":"message_update","assistantMessageEvent":{` + event + `}}` }
	text := func(s string) string { return update(`"type":"text_delta","contentIndex":0,"delta":"` + s + `"`) }
	call := update(`"type":"toolcall_start","contentIndex":1,"id":"c1","toolName":"bash"`)
	end := func(s, stop string) string {
		return `{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"` + s + `"},` +
			`{"type":"toolCall","id":"c1","name":"bash","arguments":{}}],"stopReason":"` + stop + `","timestamp":1}}`
	}
	begun := func(t *testing.T) *talk {
		c := begin(t, adapters.Spec{Version: "1.5.2"}).Line(stateLine, agentStart).Quiet()
		return c.Line(text("I "), text("look."), call).Want(`
entry 1 opened: assistant_message {"role":"assistant","text":""}
entry 1 changed: {"op":"text_append","text":"I "}
entry 1 changed: {"op":"text_append","text":"look."}
entry 1 closed: {"role":"assistant","text":"I look."}
entry 2 opened: tool_call {"toolName":"bash","callId":"c1","status":"pending"}
`)
	}
	const fetches = "> {\"id\":\"rm-2\",\"type\":\"get_entries\"}\n"
	stored := `{"id":"rm-2","type":"response","command":"get_entries","success":true,"data":{"entries":[{"id":"a","type":"message","message":{"role":"assistant","timestamp":1}}]}}`

	t.Run("over", func(t *testing.T) {
		begun(t).Line(update(`"type":"text_end","contentIndex":0,"content":"I look."`), end("I look.", "toolUse")).Want(fetches).
			Line(stored).Want("entry 1 bound: id a\nentry 2 bound: id a\n")
	})
	t.Run("goes on", func(t *testing.T) {
		begun(t).Line(text(`\n`), text("So."), end(`I look.\nSo.`, "toolUse")).Want(`
entry 3 opened: assistant_message {"role":"assistant","text":""}
entry 3 changed: {"op":"text_append","text":"\nSo."}
entry 3 closed: {"role":"assistant","text":"\nSo."}
` + fetches).Line(stored).Want("entry 1 bound: id a\nentry 2 bound: id a\nentry 3 bound: id a\n")
	})
	t.Run("goes on unheard", func(t *testing.T) {
		begun(t).Line(end(`I look. So.`, "toolUse")).Want(`
entry 3 opened: assistant_message {"role":"assistant","text":""}
entry 3 closed: {"role":"assistant","text":" So."}
` + fetches)
	})
	t.Run("is another text", func(t *testing.T) {
		begun(t).Line(end(`You look.`, "toolUse")).Want(`
notice: warning text_differs "The agent has kept the text before, which had ended, as: You look."
` + fetches)
	})
	t.Run("is interrupted", func(t *testing.T) {
		begun(t).Line(end("I look.", "aborted")).Want(`
entry 2 left (interrupted): {"toolName":"bash","callId":"c1","arguments":"{}","status":"error"}
` + fetches)
	})
	t.Run("is written anew", func(t *testing.T) {
		begun(t).Line(end("I look.", "error"), `{"type":"agent_end","messages":[],"willRetry":true}`).Want(fetches + `
entry 2 left (retry): {"toolName":"bash","callId":"c1","arguments":"{}","status":"error"}
notice: info retracted "The agent writes its message anew: what it had written of it before does not count."
`[1:])
	})
	t.Run("fails for good", func(t *testing.T) {
		begun(t).Line(end("I look.", "error"), `{"type":"agent_end","messages":[],"willRetry":false}`).Want(fetches + `
entry 2 left (error): {"toolName":"bash","callId":"c1","arguments":"{}","status":"error"}
`[1:])
	})
}

// After a resume the agent's old entries are read over, and later questions begin after them.
func TestResume(t *testing.T) {
	c := begin(t, adapters.Spec{Resume: true}).Want("> {\"id\":\"rm-1\",\"type\":\"get_state\"}\n> {\"id\":\"rm-2\",\"type\":\"get_entries\"}\n")
	user := `{"type":"message_end","message":{"role":"user","content":"Hi","timestamp":7}}`
	c.Line(agentStart).Quiet()
	// The first question is still open: the next one waits.
	c.Line(user).Want(`
entry 1 opened: user_message {"role":"user","text":"Hi"}
entry 1 closed: {"role":"user","text":"Hi"}
`)
	c.Line(`{"id":"rm-2","type":"response","command":"get_entries","success":true,"data":{"entries":[{"id":"a","type":"message","message":{"role":"user","timestamp":1}}]}}`).
		Want("> {\"id\":\"rm-3\",\"type\":\"get_entries\",\"since\":\"a\"}\n")
	c.Line(`{"id":"rm-3","type":"response","command":"get_entries","success":true,"data":{"entries":[{"id":"b","type":"message","message":{"role":"user","timestamp":7}}]}}`).
		Want("entry 1 bound: id b\n")
	// An entry that is stored before its message is told is bound as soon as it is.
	c.Line(`{"id":"x","type":"response","command":"get_entries","success":true,"data":{"entries":[{"id":"b","type":"message","message":{"role":"user","timestamp":7}},{"id":"c","type":"message","message":{"role":"user","timestamp":8}}]}}`).
		Want("")
	c.Line(strings.Replace(user, "7", "8", 1)).Want(`
entry 2 opened: user_message {"role":"user","text":"Hi"}
entry 2 closed: {"role":"user","text":"Hi"}
entry 2 bound: id c
> {"id":"rm-4","type":"get_entries","since":"c"}
`)
	// The cursor is of another session: all over again, once.
	c.Line(`{"id":"rm-4","type":"response","command":"get_entries","success":false,"error":"Entry not found: c"}`).
		Want("> {\"id\":\"rm-5\",\"type\":\"get_entries\"}\n")
	c.Line(`{"id":"rm-5","type":"response","command":"get_entries","success":false,"error":"Entry not found"}`).Want("")
}

func TestPrompts(t *testing.T) {
	c := begin(t, adapters.Spec{}).Line(stateLine).Quiet()
	c.Command(adapters.Prompt{ID: "1", Text: "Hello <b>", Images: []adapters.Image{{MediaType: "image/png", Data: []byte("png")}}}).
		Want(`> {"id":"p-1","type":"prompt","message":"Hello \u003cb\u003e","images":[{"type":"image","data":"cG5n","mimeType":"image/png"}]}` + "\n")
	c.Line(`{"id":"p-1","type":"response","command":"prompt","success":true,"data":{"disposition":"started"}}`).Want("prompt 1 started\n")
	c.Line(agentStart).Want("turn began\nphase: responding\n")
	c.Line(`{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"Hello"},{"type":"image","data":"cG5n","mimeType":"image/png"},{"type":"image","data":"AAAA"}],"timestamp":1}}`).Want(`
entry 1 opened: user_message {"role":"user","text":"Hello","images":["sha256:8f8cbb7dcf46e0bc7d53265749a6c17d116093a6ba95e442764060c76fd4a86c;image/png"]}
entry 1 closed: {"role":"user","text":"Hello","images":["sha256:8f8cbb7dcf46e0bc7d53265749a6c17d116093a6ba95e442764060c76fd4a86c;image/png"]}
> {"id":"rm-2","type":"get_entries"}
`)
	c.Command(adapters.Prompt{ID: "2", Text: "Also", Steer: true}).
		Want(`> {"id":"p-2","type":"prompt","message":"Also","streamingBehavior":"steer"}` + "\n")
	for _, x := range []struct{ answer, want string }{
		{`"success":true,"data":{"disposition":"queued"}`, "prompt 2 queued\n"},
		{`"success":true,"data":{"disposition":"handled"}`, "prompt 3 handled\n"},
		{`"success":true`, "prompt 4 queued\n"}, // Pi 0.73, busy
		{`"success":false,"error":"no model"`, "prompt 5 refused no model\n"},
		{`"success":false`, "prompt 6 refused the agent refused the prompt\n"},
	} {
		id := strings.Fields(x.want)[1]
		c.Command(adapters.Prompt{ID: id, Text: "T"}).Quiet()
		line := `{"id":"p-` + id + `","type":"response","command":"prompt",` + x.answer + `}`
		c.Line(line).Want(x.want)
		if strings.Contains(x.answer, "true") {
			c.Line(line).Want("") // nobody waits for it any more
		}
	}
}

func TestApproval(t *testing.T) {
	dialog := `{"type":"extension_ui_request","id":"u1","method":"confirm","title":"approve:c1","message":"{\"toolName\":\"bash\",\"input\":{\"command\":\"ls\"}}","timeout":5000}`
	for _, x := range []struct {
		answer adapters.Answer
		want   string
	}{
		{adapters.Answer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}, `"confirmed":true`},
		{adapters.Answer{Outcome: protocol.OutcomeDenied}, `"confirmed":false`},
		{adapters.Answer{Outcome: protocol.OutcomeCancelled}, `"cancelled":true`},
		{adapters.Answer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"x"}}}, `"cancelled":true`},
	} {
		c := begin(t, adapters.Spec{}).Line(stateLine, agentStart, callStart, runStart).Quiet()
		c.Line(dialog, dialog).Want(`
request 1 opened: entry 1 within 5000 ms {"kind":"approval","toolName":"bash","toolKind":"execute","subject":"ls","title":"Allow bash?","text":"ls","options":[{"id":"allow_once","label":"Allow"},{"id":"deny","label":"Deny"}]}
`)
		x.answer.Key = 1
		c.Command(x.answer).Want(`> {"id":"u1","type":"extension_ui_response",` + x.want + "}\n")
		c.Command(x.answer).Want("") // the first answer wins
	}
	c := begin(t, adapters.Spec{}).Line(stateLine, agentStart, callStart, runStart, dialog).Quiet()
	c.Line(`{"type":"tool_execution_end","toolCallId":"c1","result":{"content":"no"},"isError":true}`).Want(`
request 1 closed: expired  []
entry 1 closed: {"toolName":"bash","callId":"c1","arguments":"{\"command\":\"ls\"}","command":"ls","status":"error","output":"no"}
`)
	c.Line(`{"type":"extension_ui_request","id":"u2","method":"confirm","title":"Sure?","message":"Really"}`).Want(`
request 2 opened: entry 0 {"kind":"approval","toolKind":"other","title":"Sure?","text":"Really","options":[{"id":"allow_once","label":"Allow"},{"id":"deny","label":"Deny"}]}
`)
	c.Sent(`{"id":"u2","type":"extension_ui_response","confirmed":false}`).Want("request 2 closed: denied deny []\n")
}

func TestQuestions(t *testing.T) {
	c := begin(t, adapters.Spec{}).Line(stateLine).Quiet()
	c.Line(`{"type":"extension_ui_request","id":"u1","method":"input","title":"Name?","placeholder":"yours"}`).
		Want("request 1 opened: entry 0 {\"kind\":\"question\",\"title\":\"Name?\",\"text\":\"yours\",\"questions\":[{\"text\":\"Name?\",\"freeText\":true}]}\n")
	c.Line(`{"type":"extension_ui_request","id":"u2","method":"editor","title":"Text","prefill":"old"}`).
		Want("request 2 opened: entry 0 {\"kind\":\"question\",\"title\":\"Text\",\"questions\":[{\"text\":\"Text\",\"freeText\":true,\"prefill\":\"old\"}]}\n")
	c.Line(`{"type":"extension_ui_request","id":"u3","method":"setStatus","statusKey":"k"}`).Want("")
	c.Line(`{"type":"extension_ui_request","id":"u4","method":"notify","message":"Hey","notifyType":"warning"}`).Want("notice: warning notify \"Hey\"\n")
	c.Command(adapters.Answer{Key: 2, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{""}}}).
		Want("> {\"id\":\"u2\",\"type\":\"extension_ui_response\",\"value\":\"\"}\n")
	c.Command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Ann"}}}).
		Want("> {\"id\":\"u1\",\"type\":\"extension_ui_response\",\"value\":\"Ann\"}\n")
}

// An abort hangs on open dialogs, also on those that open after it, until it is answered.
func TestInterrupt(t *testing.T) {
	dialog := `{"type":"extension_ui_request","id":"u1","method":"confirm","title":"approve:c1","message":""}`
	c := begin(t, adapters.Spec{}).Line(stateLine, agentStart, callStart, runStart, dialog).Quiet()
	c.Command(adapters.Interrupt{}).Want(`
request 1 closed: cancelled  []
> {"id":"u1","type":"extension_ui_response","cancelled":true}
> {"id":"rm-2","type":"clear_queue"}
> {"id":"rm-3","type":"abort"}
`)
	c.Line(strings.Replace(dialog, "u1", "u2", 1)).Want("> {\"id\":\"u2\",\"type\":\"extension_ui_response\",\"cancelled\":true}\n")
	c.Line(`{"type":"queue_update","steering":[],"followUp":[]}`).Want("native queue: steering [] follow-up [] cleared true\n")
	c.Line(`{"id":"rm-2","type":"response","command":"clear_queue","success":true}`).Want("")
	c.Line(`{"type":"queue_update","steering":[],"followUp":[]}`).Want("native queue: steering [] follow-up [] cleared false\n")
	c.Line(`{"type":"agent_settled","aborted":true}`).Want("turn ended: interrupted\n")
	c.Line(`{"id":"rm-3","type":"response","command":"abort","success":true}`, agentStart).Quiet()
	c.Line(strings.Replace(dialog, "u1", "u3", 1))
	if !strings.Contains(c.Said(), "request 2 opened") {
		t.Errorf("the next run's dialog did not become a request: %s", c.Said())
	}
	// A dialog that outlives its run is cancelled: its request is closed with the turn.
	c.Quiet().Line(settled).Want(`
request 2 closed: cancelled  []
turn ended: completed
> {"id":"u3","type":"extension_ui_response","cancelled":true}
`)
}

// Pi 0.73 ends a run with agent_end, unless more follows; a question sees to it that something does.
func TestHeldEnd(t *testing.T) {
	end := []string{
		`{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"503"}}`,
		`{"type":"agent_end","messages":[]}`,
	}
	fresh := func() *talk {
		return begin(t, adapters.Spec{Version: "0.73.1"}).Line(stateLine, agentStart).Line(end...).
			Want("> {\"id\":\"rm-1\",\"type\":\"get_state\"}\nready: session \"s-1\" version \"0.73.1\" model \"p/m\" mode \"high\"\n" +
				"meta: \"title\":\"Name\"}\n> {\"id\":\"rm-models\",\"type\":\"get_available_models\"}\nturn began\nphase: responding\n> {\"id\":\"rm-2\",\"type\":\"get_state\"}\n")
	}
	probed := strings.Replace(stateLine, "rm-1", "rm-2", 1)
	fresh().Line(probed).Want("turn ended: error 503\n")
	fresh().Line(`{"type":"auto_retry_end","success":false,"finalError":"gave up"}`, probed).Want("turn ended: error 503 (gave up)\n")
	fresh().Line(agentStart).Want("turn ended: error 503\nturn began\nphase: responding\n")
	fresh().Line(`{"type":"queue_update","steering":["a"],"followUp":[]}`).
		Want("native queue: steering [\"a\"] follow-up [] cleared false\n")

	c := fresh().Line(`{"type":"auto_retry_start","attempt":1,"maxAttempts":3,"delayMs":2000,"errorMessage":"503"}`, probed).Want(`
phase: retrying, in 2000 ms
notice: warning retry "Attempt 1 of 3 in 2000 ms: 503"
`)
	c.Line(agentStart).Want("phase: responding\n")

	// A compaction after the end: the run ends with it, or goes on after an overflow.
	compaction := `{"type":"compaction_end","reason":"overflow","aborted":false,"willRetry":true,"errorMessage":"x"}`
	c = fresh().Line(`{"type":"compaction_start","reason":"overflow"}`, probed, compaction, agentStart).Want(`
phase: compacting
notice: warning compaction_failed "x"
phase: responding
`)
	c.Line(end...).Want("> {\"id\":\"rm-3\",\"type\":\"get_state\"}\n")
	fresh().Line(`{"type":"compaction_start","reason":"threshold"}`, probed,
		strings.Replace(compaction, `"willRetry":true`, `"willRetry":false`, 1)).Want(`
phase: compacting
notice: warning compaction_failed "x"
phase: responding
> {"id":"rm-3","type":"get_state"}
`).Line(strings.Replace(stateLine, "rm-1", "rm-3", 1)).Want("turn ended: error 503\n")

	c = fresh()
	c.Do(func(out *adapters.Output) { c.Translator.Exit(adapters.Exit{}, out) }).Want("turn ended: error 503\n")
}

// Pi 0.73 answers an unknown command without an id: it is not asked again.
func TestOldCommands(t *testing.T) {
	c := begin(t, adapters.Spec{Version: "0.73.1"}).Line(stateLine, agentStart).Quiet()
	user := `{"type":"message_end","message":{"role":"user","content":"Hi","timestamp":7}}`
	c.Line(user, `{"type":"response","command":"get_entries","success":false,"error":"Unknown command: get_entries"}`, user)
	if n := strings.Count(c.Said(), "get_entries"); n != 1 {
		t.Errorf("asked %d times:\n%s", n, c.Said())
	}
	c.Quiet().Command(adapters.Interrupt{}).Want("> {\"id\":\"rm-3\",\"type\":\"abort\"}\n")
}

// A delta of Pi 0.73 is understood although the message is repeated after it, and its tool calls take their id from there.
func TestRepeatedMessage(t *testing.T) {
	c := begin(t, adapters.Spec{}).Line(stateLine, agentStart).Quiet()
	c.Line(`{"type":"message_update","assistantMessageEvent":{"type":"toolcall_start","contentIndex":0,"partial":{"content":[{"type":"toolCall","id":"c9","name":"read"}]}},"message":{}}`)
	c.Line(`{"type":"message_update","assistantMessageEvent":{"type":"toolcall_delta","contentIndex":0,"delta":"{}","partial":{"content":["}"]}},"message":{"content":[]}}`)
	c.Line(`{"message":{},"assistantMessageEvent":{"partial":{},"delta":"Hi\n\u00e9","contentIndex":1,"type":"text_delta"},"type":"message_update"}`)
	c.Want(`
entry 1 opened: tool_call {"toolName":"read","callId":"c9","status":"pending"}
entry 1 changed: {"op":"arguments_append","text":"{}"}
entry 2 opened: assistant_message {"role":"assistant","text":""}
entry 2 changed: {"op":"text_append","text":"Hi\né"}
`)
}

func TestOddLines(t *testing.T) {
	c := begin(t, adapters.Spec{}).Quiet()
	for _, x := range []struct{ line, want string }{
		{``, ""},
		{`  `, ""},
		{`hello`, "notice: warning unparsable_line \"hello\"\n"},
		{`{"type":"agent_start"`, "notice: warning unparsable_line \"{\\\"type\\\":\\\"agent_start\\\"\"\n"},
		{`{"type":"agent_start"}}`, "notice: warning unparsable_line \"{\\\"type\\\":\\\"agent_start\\\"}}\"\n"},
		{`{"type":"x","a":tru}`, "notice: warning unparsable_line \"{\\\"type\\\":\\\"x\\\",\\\"a\\\":tru}\"\n"},
		{`[1]`, "notice: warning unparsable_line \"[1]\"\n"},
		{`{}`, "native: unknown {}\n"},
		{`{"type":7}`, "native: unknown {\"type\":7}\n"},
		{`{"type":"new", "n": 1.50 }`, "native: new {\"type\":\"new\",\"n\":1.50}\n"},
		{`{"type":"new","a":1,"a":2}`, `native: new "{\"type\":\"new\",\"a\":1,\"a\":2}"` + "\n"},
		{`{"type":"new","a":{"b":[{"b":1},"b"],"c":"b"}}`, `native: new {"type":"new","a":{"b":[{"b":1},"b"],"c":"b"}}` + "\n"},
		{`{"type":"message_end","message":{"role":"new"}}`, "native: message_end.new {\"type\":\"message_end\",\"message\":{\"role\":\"new\"}}\n"},
		{`{"type":"message_end","message":{"role":"custom","display":true,"content":"Note"}}`, "notice: info message_custom \"Note\"\n"},
		{`{"type":"message_end","message":{"role":"custom","content":"hidden"}}`, ""},
		{`{"type":"message_end","message":7}`, "native: message_end. {\"type\":\"message_end\",\"message\":7}\n"},
		{`{"type":"extension_ui_request","id":"u","method":"dance"}`, "native: extension_ui_request.dance {\"type\":\"extension_ui_request\",\"id\":\"u\",\"method\":\"dance\"}\n"},
		{`{"type":"session_info_changed","name":"A"}`, "meta: \"title\":\"A\"}\n"},
		{`{"type":"session_info_changed"}`, "meta: \"title\":\"\"}\n"},
		{`{"type":"agent_settled"}`, ""},
		{`{"type":"tool_execution_update","partialResult":{"content":{"x":[]}},"toolCallId":["x"]}`, `turn began
phase: responding
entry 1 opened: tool_call {"toolName":"","callId":"","status":"running"}
`},
	} {
		c.Line(x.line).Want(x.want)
	}
}

func TestLongTexts(t *testing.T) {
	c := begin(t, adapters.Spec{}).Line(stateLine, agentStart).Quiet()
	part := strings.Repeat("é", 20<<10)
	deltas := 0
	for range 4 {
		c.Line(`{"type":"message_update","usage":{},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"` + part + `"}}`)
		if strings.Contains(c.Said(), "changed") {
			deltas++
		}
		c.Quiet()
	}
	if deltas != 3 {
		t.Errorf("%d deltas, want 3: 40, 40 and the last 20 kB", deltas)
	}
	var out adapters.Output
	c.Translator.Line([]byte(`{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"x`+strings.Repeat(part, 4)+`"}],"stopReason":"stop"}}`), &out)
	closed, ok := out.Drafts[0].(adapters.EntryClosed)
	if !ok {
		t.Fatalf("got %T", out.Drafts[0])
	}
	d, _ := closed.Data.(*protocol.MessageData)
	if len(d.Text) != adapters.MaxText-1 || !d.Truncated || d.Bytes != 4*40<<10+1 {
		t.Errorf("%d bytes, %+v: want the limit less the half character", len(d.Text), d.Cut)
	}
	out = adapters.Output{}
	c.Translator.Line([]byte(`{"type":"moon","x":"`+strings.Repeat(part, 4)+`"}`), &out)
	if n, ok := out.Drafts[0].(adapters.Native); !ok || len(n.Raw) > 33<<10 || n.Raw[0] != '"' {
		t.Errorf("a long native event is not shortened")
	}
}

// An agent that goes into another session is asked which; one that did not go stays where it is.
func TestSessionLeft(t *testing.T) {
	c := begin(t, adapters.Spec{}).Line(
		`{"id":"rm-1","type":"response","command":"get_state","success":true,"data":{"sessionId":"A","sessionName":"one"}}`,
		`{"id":"c1","type":"response","command":"new_session","success":true,"data":{"cancelled":true}}`,
		`{"id":"c2","type":"response","command":"switch_session","success":false,"error":"no such file"}`,
		`{"id":"c3","type":"response","command":"fork","success":true,"data":{"cancelled":false,"text":"x"}}`,
		`{"id":"rm-2","type":"response","command":"get_state","success":true,"data":{"sessionId":"B","sessionName":"one"}}`,
	)
	want := `> {"id":"rm-1","type":"get_state"}
ready: session "A" version "" model "" mode ""
meta: "title":"one"}
> {"id":"rm-models","type":"get_available_models"}
notice: warning command_failed "switch_session: no such file"
session left for a copy
> {"id":"rm-2","type":"get_state"}
meta: "title":"one","nativeSessionId":"B"}
`
	if got := c.Said(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
