package opencode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
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

const lostLine, openLine = `{"http":"stream","state":"lost","path":"/event"}`, `{"http":"stream","state":"open","path":"/event"}`
