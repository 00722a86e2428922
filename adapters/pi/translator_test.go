package pi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// talk is a conversation with a translator, as text: what goes in is written by the test, what comes out is compared.
type talk struct {
	t  *testing.T
	tr adapters.Translator
	l  conformance.Ledger
	b  strings.Builder
}

func begin(t *testing.T, spec adapters.Spec) *talk {
	c := &talk{t: t, tr: pi.Agent{}.Translator(spec)}
	c.do(c.tr.Start)
	return c
}

// do calls the translator and notes what it says: drafts, then lines to the agent.
func (c *talk) do(call func(out *adapters.Output)) *talk {
	c.t.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := c.l.Take(d); problem != "" {
			c.t.Fatalf("%s: %s", conformance.Describe(d), problem)
		}
		fmt.Fprintln(&c.b, conformance.Describe(d))
	}
	for _, line := range out.Lines {
		fmt.Fprintf(&c.b, "> %s\n", line)
	}
	return c
}

func (c *talk) line(lines ...string) *talk {
	c.t.Helper()
	for _, l := range lines {
		c.do(func(out *adapters.Output) { c.tr.Line([]byte(l), out) })
	}
	return c
}

func (c *talk) sent(l string) *talk {
	c.t.Helper()
	return c.do(func(out *adapters.Output) { c.tr.Sent([]byte(l), out) })
}

func (c *talk) command(cmd adapters.Command) *talk {
	c.t.Helper()
	return c.do(func(out *adapters.Output) { c.tr.Command(cmd, out) })
}

// quiet forgets what was said so far.
func (c *talk) quiet() *talk { c.b.Reset(); return c }

func (c *talk) want(want string) *talk {
	c.t.Helper()
	got := c.b.String()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		c.t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return c.quiet()
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
	c.want("> {\"id\":\"rm-1\",\"type\":\"get_state\"}\n")
	c.line(stateLine).want(`
ready: session "s-1" version "1.5.2" model "p/m" mode "high"
meta: "title":"Name"}
> {"id":"rm-models","type":"get_available_models"}
`)
	c.line(stateLine).want("")
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
		c := begin(t, adapters.Spec{Version: "1.5.2"}).line(stateLine, agentStart).quiet()
		return c.line(text("I "), text("look."), call).want(`
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
		begun(t).line(update(`"type":"text_end","contentIndex":0,"content":"I look."`), end("I look.", "toolUse")).want(fetches).
			line(stored).want("entry 1 bound: id a\nentry 2 bound: id a\n")
	})
	t.Run("goes on", func(t *testing.T) {
		begun(t).line(text(`\n`), text("So."), end(`I look.\nSo.`, "toolUse")).want(`
entry 3 opened: assistant_message {"role":"assistant","text":""}
entry 3 changed: {"op":"text_append","text":"\nSo."}
entry 3 closed: {"role":"assistant","text":"\nSo."}
` + fetches).line(stored).want("entry 1 bound: id a\nentry 2 bound: id a\nentry 3 bound: id a\n")
	})
	t.Run("goes on unheard", func(t *testing.T) {
		begun(t).line(end(`I look. So.`, "toolUse")).want(`
entry 3 opened: assistant_message {"role":"assistant","text":""}
entry 3 closed: {"role":"assistant","text":" So."}
` + fetches)
	})
	t.Run("is another text", func(t *testing.T) {
		begun(t).line(end(`You look.`, "toolUse")).want(`
notice: warning text_differs "The agent has kept the text before, which had ended, as: You look."
` + fetches)
	})
	t.Run("is interrupted", func(t *testing.T) {
		begun(t).line(end("I look.", "aborted")).want(`
entry 2 left (interrupted): {"toolName":"bash","callId":"c1","arguments":"{}","status":"error"}
` + fetches)
	})
	t.Run("is written anew", func(t *testing.T) {
		begun(t).line(end("I look.", "error"), `{"type":"agent_end","messages":[],"willRetry":true}`).want(fetches + `
entry 2 left (retry): {"toolName":"bash","callId":"c1","arguments":"{}","status":"error"}
notice: info retracted "The agent writes its message anew: what it had written of it before does not count."
`[1:])
	})
	t.Run("fails for good", func(t *testing.T) {
		begun(t).line(end("I look.", "error"), `{"type":"agent_end","messages":[],"willRetry":false}`).want(fetches + `
entry 2 left (error): {"toolName":"bash","callId":"c1","arguments":"{}","status":"error"}
`[1:])
	})
}

// After a resume the agent's old entries are read over, and later questions begin after them.
func TestResume(t *testing.T) {
	c := begin(t, adapters.Spec{Resume: true}).want("> {\"id\":\"rm-1\",\"type\":\"get_state\"}\n> {\"id\":\"rm-2\",\"type\":\"get_entries\"}\n")
	user := `{"type":"message_end","message":{"role":"user","content":"Hi","timestamp":7}}`
	c.line(agentStart).quiet()
	// The first question is still open: the next one waits.
	c.line(user).want(`
entry 1 opened: user_message {"role":"user","text":"Hi"}
entry 1 closed: {"role":"user","text":"Hi"}
`)
	c.line(`{"id":"rm-2","type":"response","command":"get_entries","success":true,"data":{"entries":[{"id":"a","type":"message","message":{"role":"user","timestamp":1}}]}}`).
		want("> {\"id\":\"rm-3\",\"type\":\"get_entries\",\"since\":\"a\"}\n")
	c.line(`{"id":"rm-3","type":"response","command":"get_entries","success":true,"data":{"entries":[{"id":"b","type":"message","message":{"role":"user","timestamp":7}}]}}`).
		want("entry 1 bound: id b\n")
	// An entry that is stored before its message is told is bound as soon as it is.
	c.line(`{"id":"x","type":"response","command":"get_entries","success":true,"data":{"entries":[{"id":"b","type":"message","message":{"role":"user","timestamp":7}},{"id":"c","type":"message","message":{"role":"user","timestamp":8}}]}}`).
		want("")
	c.line(strings.Replace(user, "7", "8", 1)).want(`
entry 2 opened: user_message {"role":"user","text":"Hi"}
entry 2 closed: {"role":"user","text":"Hi"}
entry 2 bound: id c
> {"id":"rm-4","type":"get_entries","since":"c"}
`)
	// The cursor is of another session: all over again, once.
	c.line(`{"id":"rm-4","type":"response","command":"get_entries","success":false,"error":"Entry not found: c"}`).
		want("> {\"id\":\"rm-5\",\"type\":\"get_entries\"}\n")
	c.line(`{"id":"rm-5","type":"response","command":"get_entries","success":false,"error":"Entry not found"}`).want("")
}

func TestPrompts(t *testing.T) {
	c := begin(t, adapters.Spec{}).line(stateLine).quiet()
	c.command(adapters.Prompt{ID: "1", Text: "Hello <b>", Images: []adapters.Image{{MediaType: "image/png", Data: []byte("png")}}}).
		want(`> {"id":"p-1","type":"prompt","message":"Hello \u003cb\u003e","images":[{"type":"image","data":"cG5n","mimeType":"image/png"}]}` + "\n")
	c.line(`{"id":"p-1","type":"response","command":"prompt","success":true,"data":{"disposition":"started"}}`).want("prompt 1 started\n")
	c.line(agentStart).want("turn began\nphase: responding\n")
	c.line(`{"type":"message_end","message":{"role":"user","content":[{"type":"text","text":"Hello"},{"type":"image","data":"cG5n","mimeType":"image/png"},{"type":"image","data":"AAAA"}],"timestamp":1}}`).want(`
entry 1 opened: user_message {"role":"user","text":"Hello","images":["sha256:8f8cbb7dcf46e0bc7d53265749a6c17d116093a6ba95e442764060c76fd4a86c;image/png"]}
entry 1 closed: {"role":"user","text":"Hello","images":["sha256:8f8cbb7dcf46e0bc7d53265749a6c17d116093a6ba95e442764060c76fd4a86c;image/png"]}
> {"id":"rm-2","type":"get_entries"}
`)
	c.command(adapters.Prompt{ID: "2", Text: "Also", Steer: true}).
		want(`> {"id":"p-2","type":"prompt","message":"Also","streamingBehavior":"steer"}` + "\n")
	for _, x := range []struct{ answer, want string }{
		{`"success":true,"data":{"disposition":"queued"}`, "prompt 2 queued\n"},
		{`"success":true,"data":{"disposition":"handled"}`, "prompt 3 handled\n"},
		{`"success":true`, "prompt 4 queued\n"}, // Pi 0.73, busy
		{`"success":false,"error":"no model"`, "prompt 5 refused no model\n"},
		{`"success":false`, "prompt 6 refused the agent refused the prompt\n"},
	} {
		id := strings.Fields(x.want)[1]
		c.command(adapters.Prompt{ID: id, Text: "T"}).quiet()
		line := `{"id":"p-` + id + `","type":"response","command":"prompt",` + x.answer + `}`
		c.line(line).want(x.want)
		if strings.Contains(x.answer, "true") {
			c.line(line).want("") // nobody waits for it any more
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
		c := begin(t, adapters.Spec{}).line(stateLine, agentStart, callStart, runStart).quiet()
		c.line(dialog, dialog).want(`
request 1 opened: entry 1 within 5000 ms {"kind":"approval","toolName":"bash","toolKind":"execute","subject":"ls","title":"Allow bash?","text":"ls","options":[{"id":"allow_once","label":"Allow"},{"id":"deny","label":"Deny"}]}
`)
		x.answer.Key = 1
		c.command(x.answer).want(`> {"id":"u1","type":"extension_ui_response",` + x.want + "}\n")
		c.command(x.answer).want("") // the first answer wins
	}
	c := begin(t, adapters.Spec{}).line(stateLine, agentStart, callStart, runStart, dialog).quiet()
	c.line(`{"type":"tool_execution_end","toolCallId":"c1","result":{"content":"no"},"isError":true}`).want(`
request 1 closed: expired  []
entry 1 closed: {"toolName":"bash","callId":"c1","arguments":"{\"command\":\"ls\"}","command":"ls","status":"error","output":"no"}
`)
	c.line(`{"type":"extension_ui_request","id":"u2","method":"confirm","title":"Sure?","message":"Really"}`).want(`
request 2 opened: entry 0 {"kind":"approval","toolKind":"other","title":"Sure?","text":"Really","options":[{"id":"allow_once","label":"Allow"},{"id":"deny","label":"Deny"}]}
`)
	c.sent(`{"id":"u2","type":"extension_ui_response","confirmed":false}`).want("request 2 closed: denied deny []\n")
}

func TestQuestions(t *testing.T) {
	c := begin(t, adapters.Spec{}).line(stateLine).quiet()
	c.line(`{"type":"extension_ui_request","id":"u1","method":"input","title":"Name?","placeholder":"yours"}`).
		want("request 1 opened: entry 0 {\"kind\":\"question\",\"title\":\"Name?\",\"text\":\"yours\",\"questions\":[{\"text\":\"Name?\",\"freeText\":true}]}\n")
	c.line(`{"type":"extension_ui_request","id":"u2","method":"editor","title":"Text","prefill":"old"}`).
		want("request 2 opened: entry 0 {\"kind\":\"question\",\"title\":\"Text\",\"questions\":[{\"text\":\"Text\",\"freeText\":true,\"prefill\":\"old\"}]}\n")
	c.line(`{"type":"extension_ui_request","id":"u3","method":"setStatus","statusKey":"k"}`).want("")
	c.line(`{"type":"extension_ui_request","id":"u4","method":"notify","message":"Hey","notifyType":"warning"}`).want("notice: warning notify \"Hey\"\n")
	c.command(adapters.Answer{Key: 2, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{""}}}).
		want("> {\"id\":\"u2\",\"type\":\"extension_ui_response\",\"value\":\"\"}\n")
	c.command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Ann"}}}).
		want("> {\"id\":\"u1\",\"type\":\"extension_ui_response\",\"value\":\"Ann\"}\n")
}

// An abort hangs on open dialogs, also on those that open after it, until it is answered.
func TestInterrupt(t *testing.T) {
	dialog := `{"type":"extension_ui_request","id":"u1","method":"confirm","title":"approve:c1","message":""}`
	c := begin(t, adapters.Spec{}).line(stateLine, agentStart, callStart, runStart, dialog).quiet()
	c.command(adapters.Interrupt{}).want(`
request 1 closed: cancelled  []
> {"id":"u1","type":"extension_ui_response","cancelled":true}
> {"id":"rm-2","type":"clear_queue"}
> {"id":"rm-3","type":"abort"}
`)
	c.line(strings.Replace(dialog, "u1", "u2", 1)).want("> {\"id\":\"u2\",\"type\":\"extension_ui_response\",\"cancelled\":true}\n")
	c.line(`{"type":"queue_update","steering":[],"followUp":[]}`).want("native queue: steering [] follow-up [] cleared true\n")
	c.line(`{"id":"rm-2","type":"response","command":"clear_queue","success":true}`).want("")
	c.line(`{"type":"queue_update","steering":[],"followUp":[]}`).want("native queue: steering [] follow-up [] cleared false\n")
	c.line(`{"type":"agent_settled","aborted":true}`).want("turn ended: interrupted\n")
	c.line(`{"id":"rm-3","type":"response","command":"abort","success":true}`, agentStart).quiet()
	c.line(strings.Replace(dialog, "u1", "u3", 1))
	if !strings.Contains(c.b.String(), "request 2 opened") {
		t.Errorf("the next run's dialog did not become a request: %s", c.b.String())
	}
	// A dialog that outlives its run is cancelled: its request is closed with the turn.
	c.quiet().line(settled).want(`
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
		return begin(t, adapters.Spec{Version: "0.73.1"}).line(stateLine, agentStart).line(end...).
			want("> {\"id\":\"rm-1\",\"type\":\"get_state\"}\nready: session \"s-1\" version \"0.73.1\" model \"p/m\" mode \"high\"\n" +
				"meta: \"title\":\"Name\"}\n> {\"id\":\"rm-models\",\"type\":\"get_available_models\"}\nturn began\nphase: responding\n> {\"id\":\"rm-2\",\"type\":\"get_state\"}\n")
	}
	probed := strings.Replace(stateLine, "rm-1", "rm-2", 1)
	fresh().line(probed).want("turn ended: error 503\n")
	fresh().line(`{"type":"auto_retry_end","success":false,"finalError":"gave up"}`, probed).want("turn ended: error 503 (gave up)\n")
	fresh().line(agentStart).want("turn ended: error 503\nturn began\nphase: responding\n")
	fresh().line(`{"type":"queue_update","steering":["a"],"followUp":[]}`).
		want("native queue: steering [\"a\"] follow-up [] cleared false\n")

	c := fresh().line(`{"type":"auto_retry_start","attempt":1,"maxAttempts":3,"delayMs":2000,"errorMessage":"503"}`, probed).want(`
phase: retrying, in 2000 ms
notice: warning retry "Attempt 1 of 3 in 2000 ms: 503"
`)
	c.line(agentStart).want("phase: responding\n")

	// A compaction after the end: the run ends with it, or goes on after an overflow.
	compaction := `{"type":"compaction_end","reason":"overflow","aborted":false,"willRetry":true,"errorMessage":"x"}`
	c = fresh().line(`{"type":"compaction_start","reason":"overflow"}`, probed, compaction, agentStart).want(`
phase: compacting
notice: warning compaction_failed "x"
phase: responding
`)
	c.line(end...).want("> {\"id\":\"rm-3\",\"type\":\"get_state\"}\n")
	fresh().line(`{"type":"compaction_start","reason":"threshold"}`, probed,
		strings.Replace(compaction, `"willRetry":true`, `"willRetry":false`, 1)).want(`
phase: compacting
notice: warning compaction_failed "x"
phase: responding
> {"id":"rm-3","type":"get_state"}
`).line(strings.Replace(stateLine, "rm-1", "rm-3", 1)).want("turn ended: error 503\n")

	c = fresh()
	c.do(func(out *adapters.Output) { c.tr.Exit(adapters.Exit{}, out) }).want("turn ended: error 503\n")
}

// Pi 0.73 answers an unknown command without an id: it is not asked again.
func TestOldCommands(t *testing.T) {
	c := begin(t, adapters.Spec{Version: "0.73.1"}).line(stateLine, agentStart).quiet()
	user := `{"type":"message_end","message":{"role":"user","content":"Hi","timestamp":7}}`
	c.line(user, `{"type":"response","command":"get_entries","success":false,"error":"Unknown command: get_entries"}`, user)
	if n := strings.Count(c.b.String(), "get_entries"); n != 1 {
		t.Errorf("asked %d times:\n%s", n, c.b.String())
	}
	c.quiet().command(adapters.Interrupt{}).want("> {\"id\":\"rm-3\",\"type\":\"abort\"}\n")
}

// A delta of Pi 0.73 is understood although the message is repeated after it, and its tool calls take their id from there.
func TestRepeatedMessage(t *testing.T) {
	c := begin(t, adapters.Spec{}).line(stateLine, agentStart).quiet()
	c.line(`{"type":"message_update","assistantMessageEvent":{"type":"toolcall_start","contentIndex":0,"partial":{"content":[{"type":"toolCall","id":"c9","name":"read"}]}},"message":{}}`)
	c.line(`{"type":"message_update","assistantMessageEvent":{"type":"toolcall_delta","contentIndex":0,"delta":"{}","partial":{"content":["}"]}},"message":{"content":[]}}`)
	c.line(`{"message":{},"assistantMessageEvent":{"partial":{},"delta":"Hi\n\u00e9","contentIndex":1,"type":"text_delta"},"type":"message_update"}`)
	c.want(`
entry 1 opened: tool_call {"toolName":"read","callId":"c9","status":"pending"}
entry 1 changed: {"op":"arguments_append","text":"{}"}
entry 2 opened: assistant_message {"role":"assistant","text":""}
entry 2 changed: {"op":"text_append","text":"Hi\né"}
`)
}

func TestOddLines(t *testing.T) {
	c := begin(t, adapters.Spec{}).quiet()
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
		c.line(x.line).want(x.want)
	}
}

func TestLongTexts(t *testing.T) {
	c := begin(t, adapters.Spec{}).line(stateLine, agentStart).quiet()
	part := strings.Repeat("é", 20<<10)
	deltas := 0
	for range 4 {
		c.line(`{"type":"message_update","usage":{},"assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"` + part + `"}}`)
		if strings.Contains(c.b.String(), "changed") {
			deltas++
		}
		c.quiet()
	}
	if deltas != 3 {
		t.Errorf("%d deltas, want 3: 40, 40 and the last 20 kB", deltas)
	}
	var out adapters.Output
	c.tr.Line([]byte(`{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"x`+strings.Repeat(part, 4)+`"}],"stopReason":"stop"}}`), &out)
	closed, ok := out.Drafts[0].(adapters.EntryClosed)
	if !ok {
		t.Fatalf("got %T", out.Drafts[0])
	}
	d, _ := closed.Data.(*protocol.MessageData)
	if len(d.Text) != adapters.MaxText-1 || !d.Truncated || d.Bytes != 4*40<<10+1 {
		t.Errorf("%d bytes, %+v: want the limit less the half character", len(d.Text), d.Cut)
	}
	out = adapters.Output{}
	c.tr.Line([]byte(`{"type":"moon","x":"`+strings.Repeat(part, 4)+`"}`), &out)
	if n, ok := out.Drafts[0].(adapters.Native); !ok || len(n.Raw) > 33<<10 || n.Raw[0] != '"' {
		t.Errorf("a long native event is not shortened")
	}
}

// An agent that goes into another session is asked which; one that did not go stays where it is.
func TestSessionLeft(t *testing.T) {
	c := begin(t, adapters.Spec{}).line(
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
	if got := c.b.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
