package opencode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// talk is a session "ses_1" whose lines and drafts are compared piece by piece.
type talk struct {
	*testing.T
	tr     adapters.Translator
	ledger conformance.Ledger
	n      int // number of the last own call
}

func newTalk(t *testing.T, spec adapters.Spec) *talk {
	return &talk{T: t, tr: opencode.Agent{}.Translator(spec)}
}

// begun is a session that is ready.
func begun(t *testing.T) *talk {
	x := newTalk(t, adapters.Spec{NativeSessionID: "ses_1"})
	x.says(x.tr.Start)
	x.event("session.updated", `"info":{"id":"ses_1","model":{"id":"m","providerID":"p"}}`, `ready: session "ses_1"*`, `meta: "model":"p/m"}`)
	return x
}

// says calls the translator and compares what it says: a draft as conformance.Describe has it, or ">" and a call. A "*" stands
// for any text.
func (x *talk) says(call func(*adapters.Output), want ...string) {
	x.Helper()
	var out adapters.Output
	call(&out)
	var got []string
	for _, d := range out.Drafts {
		if problem := x.ledger.Take(d); problem != "" {
			x.Errorf("%s: %s", conformance.Describe(d), problem)
		}
		got = append(got, conformance.Describe(d))
	}
	for _, line := range out.Lines {
		x.n++
		got = append(got, ">"+strings.TrimPrefix(string(line), fmt.Sprintf(`{"http":"call","n":%d,`, x.n)))
	}
	if !slices.EqualFunc(got, want, like) {
		x.Errorf("said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// like compares with a text that may have "*" for anything.
func like(got, want string) bool {
	parts := strings.Split(want, "*")
	if !strings.HasPrefix(got, parts[0]) {
		return false
	}
	got = got[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(got, p)
		}
		j := strings.Index(got, p)
		if j < 0 {
			return false
		}
		got = got[j+len(p):]
	}
	return got == ""
}

func (x *talk) line(line string, want ...string) {
	x.Helper()
	x.says(func(o *adapters.Output) { x.tr.Line([]byte(line), o) }, want...)
}

func (x *talk) event(kind, properties string, want ...string) {
	x.Helper()
	x.line(`{"id":"evt_1f736de42001AH8czB98rqcnwU","type":"`+kind+`","properties":{"sessionID":"ses_1",`+properties+`}}`, want...)
}

func (x *talk) status(status string, want ...string) {
	x.Helper()
	x.event("session.status", `"status":{"type":"`+status+`"}`, want...)
}

func (x *talk) message(id, role, more string, want ...string) {
	x.Helper()
	x.event("message.updated", `"info":{"id":"`+id+`","role":"`+role+`","sessionID":"ses_1"`+more+`}`, want...)
}

func (x *talk) part(message, id, more string, want ...string) {
	x.Helper()
	x.event("message.part.updated", `"part":{"id":"`+id+`","messageID":"`+message+`","sessionID":"ses_1",`+more+`}`, want...)
}

func (x *talk) delta(message, id, text string, want ...string) {
	x.Helper()
	x.event("message.part.delta", `"messageID":"`+message+`","partID":"`+id+`","field":"text","delta":"`+text+`"`, want...)
}

func (x *talk) answer(n int, rest string, want ...string) {
	x.Helper()
	x.line(fmt.Sprintf(`{"http":"answer","n":%d,%s}`, n, rest), want...)
}

func (x *talk) command(c adapters.Command, want ...string) {
	x.Helper()
	x.says(func(o *adapters.Output) { x.tr.Command(c, o) }, want...)
}

// run begins a run with a message of the agent, "msg_a".
func (x *talk) run() {
	x.Helper()
	x.status("busy", "turn began", "phase: responding")
	x.message("msg_a", "assistant", "")
}

const (
	askedModels = `>"method":"GET","path":"/config/providers"}`
	askedModes  = `>"method":"GET","path":"/agent"}`
	askedStatus = `>"method":"GET","path":"/session/status"}`
	askedPage   = `>"method":"GET","path":"/session/ses_1/message?limit=50"}`
	askedFate   = `>"after":20000,"method":"GET","path":"/session/status"}`
	settling    = `>"after":2000,"method":"GET","path":"/session/ses_1/message?limit=50"}`
)

func TestCreation(t *testing.T) {
	x := newTalk(t, adapters.Spec{Version: "1.18.33", Model: "p/first"})
	x.says(x.tr.Start, `>"method":"POST","path":"/session","body":{}}`)
	x.command(adapters.Prompt{ID: "p1", Text: "early"}, "prompt p1 refused the agent has no session yet")
	x.answer(1, `"error":"refused"`, `>"after":500,"method":"POST","path":"/session","body":{}}`)
	x.answer(2, `"status":200,"body":{"id":"ses_1","title":"New session - 2026","version":"1.18.40"}`,
		`ready: session "ses_1" version "1.18.33" model "" mode ""`, askedModels, askedModes)
	x.answer(3, `"status":200,"body":{"providers":[{"id":"p","models":{"b":{"name":"B"},"a":{}}},{"id":"q","models":{"x/y":{}}}]}`,
		`offered: models ["p/a"="" "p/b"="B" "q/x/y"=""] modes as before`)
	x.answer(4, `"status":200,"body":[{"name":"build","mode":"primary"},{"name":"general","mode":"subagent"},{"name":"title","mode":"primary","hidden":true},{"name":"all","mode":"all"}]`,
		`offered: models as before modes ["build"="" "all"=""]`)
	x.command(adapters.Prompt{ID: "p2", Text: "Go"},
		`>"method":"POST","path":"/session/ses_1/prompt_async","body":{"model":{"providerID":"p","modelID":"first"},"parts":[{"type":"text","text":"Go"}]}}`)

	x = newTalk(t, adapters.Spec{})
	x.says(x.tr.Start, `>"method":"POST","path":"/session","body":{}}`)
	x.answer(1, `"status":500,"body":{"name":"UnknownError","data":{"message":"disk full"}}`, `notice: error session_not_created "The agent made no session: disk full"`)
}

func TestSettings(t *testing.T) {
	x := begun(t)
	x.command(adapters.SetModel{ID: "a", Model: "other"}, "setting a next turn")
	x.command(adapters.SetMode{ID: "b", Mode: "plan"}, "setting b next turn")
	prompt := `>"method":"POST","path":"/session/ses_1/prompt_async","body":{"model":{"providerID":"p","modelID":"other"},"agent":"plan","parts":[{"type":"text","text":"1"}]}}`
	x.command(adapters.Prompt{ID: "p1", Text: "1"}, prompt)
	x.status("busy", "turn began", "phase: responding")
	x.message("msg_a", "assistant", `,"providerID":"p","modelID":"other","agent":"plan"`, `meta: "model":"p/other","mode":"plan"}`)
	x.command(adapters.Prompt{ID: "p2", Text: "2"}, `>"method":"POST","path":"/session/ses_1/prompt_async","body":{"parts":[{"type":"text","text":"2"}]}}`)
	x.command(adapters.SetMode{ID: "c", Mode: ""}, `setting c refused OpenCode has no mode *`)
	x.command(adapters.SetModel{ID: "d", Model: ""}, `setting d refused OpenCode has no model *`)

	x = newTalk(t, adapters.Spec{NativeSessionID: "ses_1"})
	x.says(x.tr.Start)
	x.command(adapters.SetModel{ID: "a", Model: "what"}, "setting a next turn") // nothing is known yet
	x.command(adapters.Prompt{ID: "p1", Text: "1"}, `notice: warning model_unknown *`, `>"method":"POST","path":"/session/ses_1/prompt_async","body":{"parts":[{"type":"text","text":"1"}]}}`)
}

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

// TestTools: a call's states, its output that is repeated, its exit, and the name that OpenCode takes from it.
// Proves: 001.types/tool, C41
func TestTools(t *testing.T) {
	x := begun(t)
	x.run()
	tool := func(name, state string, want ...string) {
		t.Helper()
		x.part("msg_a", "prt_1", `"type":"tool","tool":"`+name+`","callID":"c1","state":{`+state+`}`, want...)
	}
	tool("bash", `"status":"pending","input":{},"raw":""`, `entry 1 opened: tool_call*"status":"pending"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"time":{"start":5}`, `entry 1 changed: {"op":"arguments_append","text":"{\"command\":\"ls\"}"}`,
		`entry 1 changed: {"op":"status_change","status":"running"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"metadata":{"output":"a\n"}`, `entry 1 changed: *_append","text":"a\n"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"metadata":{"output":"a\nb\n"}`, `entry 1 changed: *_append","text":"b\n"}`)
	tool("bash", `"status":"running","input":{"command":"ls"},"metadata":{"output":"other"}`, `entry 1 changed: *_set","text":"other"}`)
	tool("bash", `"status":"completed","input":{"command":"ls"},"output":"all","metadata":{"exit":3,"diff":"--- x\n+++ x\n@@ -0,0 +1 @@\n+x\n"},"time":{"start":5,"end":9}`,
		`entry 1 closed:*"arguments":"{\"command\":\"ls\"}","command":"ls","status":"completed","output":"all","exitCode":3,"durationMs":4,"diff":"--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+x\n"}`)
	tool("bash", `"status":"running","input":{}`)
	x.part("msg_a", "prt_2", `"type":"tool","tool":"teleport","callID":"c2","state":{"status":"pending"}`, "entry 2 opened:*")
	x.part("msg_a", "prt_2", `"type":"tool","tool":"invalid","callID":"c2","state":{"status":"completed","input":{"tool":"teleport"},"output":"no such tool","metadata":{"exit":null}}`,
		"entry 2 changed:*arguments_append*", `entry 2 closed:*"toolName":"teleport"*"status":"error","output":"no such tool"}`)
	x.part("msg_a", "prt_3", `"type":"tool","tool":"invalid","callID":"c3","state":{"status":"completed","input":{"tool":"fly"},"output":"no"}`,
		`entry 3 opened:*"toolName":"fly"*`, `entry 3 closed:*"toolName":"fly"*`)
	x.part("msg_a", "prt_4", `"type":"tool","tool":"task","callID":"c4","state":{"status":"running","input":{"description":"Do it"},"metadata":{"sessionId":"ses_c"}}`,
		"entry 4 opened:*", `child began: ses_c entry 4 "Do it"`)
	x.part("msg_a", "prt_4", `"type":"tool","tool":"task","callID":"c4","state":{"status":"running","input":{"description":"Do it"},"metadata":{"sessionId":"ses_c"}}`)
}

// TestAnswers: the four answers to an approval, and those to a question.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name, asked string
		answer      adapters.Answer
		want        string
	}{
		{"allow once", "permission", adapters.Answer{Outcome: protocol.OutcomeAllowed}, `/permission/id/reply","body":{"reply":"once"}}`},
		{"allow always", "permission", adapters.Answer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways}, `/permission/id/reply","body":{"reply":"always"}}`},
		{"deny", "permission", adapters.Answer{Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue, Message: "no"}, `/permission/id/reply","body":{"reply":"reject","message":"no"}}`},
		{"deny without words", "permission", adapters.Answer{Outcome: protocol.OutcomeDenied}, `/permission/id/reply","body":{"reply":"reject","message":"The user does not allow*"}}`},
		{"deny and stop", "permission", adapters.Answer{Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop, Message: "no"}, `/permission/id/reply","body":{"reply":"reject"}}`},
		{"cancel", "permission", adapters.Answer{Outcome: protocol.OutcomeCancelled}, `/permission/id/reply","body":{"reply":"reject"}}`},
		{"answer", "question", adapters.Answer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Blue"}, {"a", "b"}}}, `/question/id/reply","body":{"answers":[["Blue"],["a","b"]]}}`},
		{"no answer", "question", adapters.Answer{Outcome: protocol.OutcomeCancelled}, `/question/id/reject"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := begun(t)
			x.run()
			x.event(c.asked+".asked", `"id":"id","permission":"bash","always":["ls *"],"metadata":{"command":"ls"},"questions":[{"question":"Colour?","options":[{"label":"Blue"}]}]`, "request 1 opened: entry 0 *")
			c.answer.Key = 1
			x.command(c.answer, `>"method":"POST","path":"`+c.want)
			x.command(c.answer)
			x.answer(1, `"error":"EOF"`, `>"after":500,"method":"POST","path":"`+c.want)
			x.answer(2, `"status":404,"body":{"_tag":"PermissionNotFoundError"}`)
			x.event(c.asked+".replied", `"requestID":"id","reply":"once","answers":[["x"]]`) // our own is no news
			x.command(adapters.Answer{Key: 9, Outcome: protocol.OutcomeAllowed})
		})
	}
}

// TestSearchHasNoSubject: what is looked for is shown, and is no place that a policy could compare.
func TestSearchHasNoSubject(t *testing.T) {
	x := begun(t)
	x.run()
	x.event("permission.asked", `"id":"per_1","permission":"grep","patterns":["src/.*"]`,
		`request 1 opened: entry 0 {"kind":"approval","toolName":"grep","toolKind":"search","title":"Allow grep?","text":"src/.*",*`)
}

// TestLeavesTheFolder: leaving the folder is judged as what the tool does there, once its arguments are known.
func TestLeavesTheFolder(t *testing.T) {
	for _, c := range []struct{ tool, input, metadata, want string }{
		{"read", `{"filePath":"/out/a"}`, `{"filepath":"/out/a","parentDir":"/out"}`, `"toolKind":"read","subject":"/out/a",`},
		{"grep", `{"pattern":"x","path":"/out"}`, `{"filepath":"/out","parentDir":"/out"}`, `"toolKind":"search","subject":"/out",`},
		{"write", `{"filePath":"/out/a"}`, `{"filepath":"/out/a","parentDir":"/out"}`, `"toolKind":"edit","subject":"/out/a",`},
		{"bash", `{"command":"cat /out/a"}`, `{"command":"cat /out/a"}`, `"toolKind":"execute","subject":"cat /out/a",`},
		{"plug_in", `{"filePath":"/out/a"}`, `{"filepath":"/out/a"}`, `"toolKind":"other","subject":"/out/*",`},
	} {
		x := begun(t)
		x.run()
		x.part("msg_a", "prt_1", `"type":"tool","tool":"`+c.tool+`","callID":"c1","state":{"status":"pending"}`, "entry 1 opened:*")
		x.part("msg_a", "prt_1", `"type":"tool","tool":"`+c.tool+`","callID":"c1","state":{"status":"running","input":`+c.input+`}`, "entry 1 changed: *", "entry 1 changed: *")
		x.event("permission.asked", `"id":"per_1","tool":{"messageID":"msg_a","callID":"c1"},"permission":"external_directory","patterns":["/out/*"],"metadata":`+c.metadata,
			"request 1 opened: entry 1 *"+c.want+"*")
	}
}

// TestRequests: what is asked, by whom it is answered, and what dies without a word.
// Proves: C43, T21, T26
func TestRequests(t *testing.T) {
	x := begun(t)
	x.run()
	x.part("msg_a", "prt_1", `"type":"tool","tool":"write","callID":"c1","state":{"status":"pending"}`, "entry 1 opened:*")
	ask := func(id, more string, want ...string) {
		t.Helper()
		x.event("permission.asked", `"id":"`+id+`","tool":{"messageID":"msg_a","callID":"c1"},`+more, want...)
	}
	ask("per_1", `"permission":"edit","patterns":["new.txt"],"metadata":{"filepath":"/w/new.txt","diff":"+data"},"always":["*"]`,
		`request 1 opened: entry 1 {"kind":"approval","toolName":"write","toolKind":"edit","subject":"/w/new.txt","title":"Allow write (edit)?","text":"+data","options":[{"id":"allow_once"*{"id":"allow_always"*{"id":"deny"*{"id":"deny_stop"*`)
	ask("per_1", `"permission":"edit"`)
	// Running means accepted: nothing runs while the answer is missing.
	x.part("msg_a", "prt_1", `"type":"tool","tool":"write","callID":"c1","state":{"status":"running","input":{"a":1}}`, "entry 1 changed: *arguments_append*")
	x.event("permission.replied", `"requestID":"per_1","reply":"once"`, "request 1 closed: allowed allow_once []")
	ask("per_2", `"permission":"webfetch","patterns":["http://a"],"metadata":{"url":"http://a/b"}`, `request 2 opened: entry 1 *"toolKind":"fetch","subject":"http://a/b"*`)
	x.event("permission.replied", `"requestID":"per_2","reply":"reject"`, "request 2 closed: denied deny_stop []")
	ask("per_3", `"permission":"external_directory","patterns":["/etc/*","/x"]`, `request 3 opened: entry 1 *"toolKind":"edit","title":"Allow write (external_directory)?","text":"/etc/*\n/x"*`)
	x.part("msg_a", "prt_1", `"type":"tool","tool":"write","callID":"c1","state":{"status":"error","error":"Tool execution aborted"}`, "request 3 closed: cancelled  []", "entry 1 closed:*")
	x.event("question.asked", `"id":"que_1","questions":[{"question":"Which?","header":"Choice","options":[{"label":"A","description":"a"}],"multiple":true,"custom":false}]`,
		`request 4 opened: entry 0 {"kind":"question","toolName":"question","toolKind":"other","title":"Choice","questions":[{"text":"Which?","header":"Choice","options":[{"id":"A","label":"A","description":"a"}],"multiple":true}]}`)
	x.event("question.rejected", `"requestID":"que_1"`, "request 4 closed: cancelled  []")
	// Asked before its call is heard of, and of one that never is.
	x.event("permission.asked", `"id":"per_5","permission":"bash","tool":{"messageID":"msg_a","callID":"c2"}`)
	x.event("permission.asked", `"id":"per_5","permission":"bash","tool":{"messageID":"msg_a","callID":"c2"}`)
	x.event("permission.asked", `"id":"per_6","permission":"bash","tool":{"messageID":"msg_a","callID":"c3"}`)
	x.part("msg_a", "prt_2", `"type":"tool","tool":"bash","callID":"c2","state":{"status":"pending"}`, "entry 2 opened:*") // in what folder, its arguments say
	x.part("msg_a", "prt_2", `"type":"tool","tool":"bash","callID":"c2","state":{"status":"running","input":{"command":"ls"}}`, "entry 2 changed: *", "request 5 opened: entry 2 *")
	x.line(`{"type":"server.heartbeat","properties":{}}`)
	x.line(`{"type":"server.heartbeat","properties":{}}`, "request 6 opened: entry 0 *")
	x.event("permission.asked", `"id":"per_7","permission":"bash","tool":{"messageID":"msg_a","callID":"c3"}`)
	x.event("permission.replied", `"requestID":"per_7","reply":"always"`, "request 7 opened: entry 0 *", "request 7 closed: allowed allow_always []")
	x.event("permission.replied", `"requestID":"per_5","reply":"once"`, "request 5 closed: allowed allow_once []")
	x.event("permission.replied", `"requestID":"per_6","reply":"once"`, "request 6 closed: allowed allow_once []")
	x.event("permission.asked", `"id":"per_4","permission":"glob"`, `request 8 opened:*"toolKind":"search"*`)
	x.command(adapters.Interrupt{}, "request 8 closed: cancelled  []", `>"method":"POST","path":"/session/ses_1/abort"}`)
	x.answer(1, `"status":500`, `notice: warning interrupt_failed "The agent was not interrupted: HTTP status 500"`)
}

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

// TestTokens: 1.18 counts reasoning beside the output, 1.1 in it.
// Proves: 001.message, 002.7.3/usage
func TestTokens(t *testing.T) {
	x := begun(t)
	x.run()
	step := func(id, tokens, want string) {
		t.Helper()
		x.part("msg_a", id, `"type":"step-finish","cost":0.5,"tokens":`+tokens, want)
	}
	step("prt_1", `{"total":174,"input":60,"output":34,"reasoning":30,"cache":{"read":40,"write":10}}`,
		`used: "usage":{"inputTokens":110,"cachedInputTokens":40,"outputTokens":64,"reasoningOutputTokens":30,"totalTokens":174},"sessionTotal":{*"totalTokens":174},"cost":{*"total":0.5}}`)
	step("prt_2", `{"total":274,"input":210,"output":64,"reasoning":30,"cache":{"read":0,"write":0}}`,
		`used: "usage":{"inputTokens":210,"cachedInputTokens":0,"outputTokens":64,"reasoningOutputTokens":30,"totalTokens":274},"sessionTotal":{*"totalTokens":448},*`)
	x.part("msg_a", "prt_2", `"type":"step-finish","cost":0.5,"tokens":{"total":5,"input":5}`)
	x.part("msg_a", "prt_3", `"type":"step-finish","tokens":{"total":0,"input":-1e300,"output":0}`)
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

const lostLine, openLine = `{"http":"stream","state":"lost","path":"/event"}`, `{"http":"stream","state":"open","path":"/event"}`

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

// TestLimits: texts are cut as the session wants, and what waits is bounded.
func TestLimits(t *testing.T) {
	x := newTalk(t, adapters.Spec{NativeSessionID: "ses_1", MaxText: 5})
	x.says(x.tr.Start)
	x.status("busy", `ready:*`, "turn began", "phase: responding")
	x.message("msg_a", "assistant", "")
	x.part("msg_a", "prt_1", `"type":"text","text":"","time":{"start":1}`)
	x.delta("msg_a", "prt_1", "123", "entry 1 opened:*", `entry 1 changed: *"123"}`)
	x.delta("msg_a", "prt_1", "456", `entry 1 changed: *"45"}`)
	x.delta("msg_a", "prt_1", "789")
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
