package claude_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func wants(id, tool, input, more string) string {
	return fmt.Sprintf(`{"type":"control_request","request_id":%q,"request":{"subtype":"can_use_tool","tool_name":%q,"input":%s,"tool_use_id":"t1"%s}}`, id, tool, input, more)
}

const suggested = `,"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"},` +
	`{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"}],"behavior":"allow","destination":"localSettings"},` +
	`{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"deny","destination":"session"}]`

// Proves: T26
func TestApprovalAnswers(t *testing.T) {
	reply := func(r string) string {
		return `> {"type":"control_response","response":{"subtype":"success","request_id":"r1","response":` + r + "}}\n"
	}
	for _, c := range []struct {
		name   string
		answer adapters.Answer
		want   string
	}{
		{"once", adapters.Answer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}, reply(`{"behavior":"allow","updatedInput":{"command":"ls"}}`)},
		{"allowed", adapters.Answer{Outcome: protocol.OutcomeAllowed}, reply(`{"behavior":"allow","updatedInput":{"command":"ls"}}`)},
		{"always", adapters.Answer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways}, reply(`{"behavior":"allow","updatedInput":{"command":"ls"},` +
			`"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"}],"behavior":"allow","destination":"localSettings"}]}`)},
		{"denied", adapters.Answer{Outcome: protocol.OutcomeDenied}, reply(`{"behavior":"deny","message":"The user refused this."}`)},
		{"denied in words", adapters.Answer{Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue, Message: "No."}, reply(`{"behavior":"deny","message":"No."}`)},
		{"stopped", adapters.Answer{Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop}, reply(`{"behavior":"deny","message":"The user refused this.","interrupt":true}`)},
		{"cancelled", adapters.Answer{Outcome: protocol.OutcomeCancelled}, reply(`{"behavior":"deny","message":"The user refused this."}`)},
		{"of another request", adapters.Answer{Key: 9, Outcome: protocol.OutcomeAllowed}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			talk := ready(t).line(turnInit, toolUse, wants("r1", "Bash", `{"command":"ls"}`, suggested)).
				has(`request 1 opened: entry 1 {"kind":"approval","toolName":"Bash","toolKind":"execute","subject":"ls","title":"Allow Bash?","text":"ls","options":[` +
					`{"id":"allow_once","label":"Allow"},{"id":"allow_always","label":"Always allow","description":"Bash(ls *) in localSettings"},{"id":"deny","label":"Deny"},{"id":"deny_stop","label":"Deny and stop"}]}`)
			if c.answer.Key == 0 {
				c.answer.Key = 1
			}
			talk.command(c.answer).want(c.want)
			if c.want != "" {
				talk.command(c.answer).want("") // the first answer counts
			}
		})
	}
}

// What the request says for policies and for people, by tool.
func TestApprovalWords(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Read", `{"file_path":"/a"}`, `"toolName":"Read","toolKind":"read","subject":"/a","title":"Allow Read?","text":"{\"file_path\":\"/a\"}","options":[{"id":"allow_once","label":"Allow"},{"id":"deny"`},
		{"Grep", `{"pattern":"src/x"}`, `"toolKind":"search","title":"Allow Grep?"`}, // a pattern is no path
		{"Grep", `{"pattern":"x","path":"/d"}`, `"toolKind":"search","subject":"/d"`},
		{"Glob", `{"pattern":"/etc/*"}`, `"toolKind":"search","subject":"/etc/*"`},
		{"Glob", `{"pattern":"../../etc/*","path":"/srv/src"}`, `"toolKind":"search","subject":"/etc/*"`},
		{"Glob", `{"pattern":"/etc/*","path":"/srv/src"}`, `"toolKind":"search","subject":"/etc/*"`},
		{"Write", `{"file_path":"/etc/passwd","content":"x","command":"src/a","path":"src/a"}`, `"toolKind":"edit","subject":"/etc/passwd"`},
		{"WebFetch", `{"url":"https://e","prompt":"p"}`, `"toolKind":"fetch","subject":"https://e"`},
		{"NotebookEdit", `{"notebook_path":"/n","new_source":"1"}`, `"toolKind":"edit","subject":"/n","title":"Allow NotebookEdit?","text":"{\"notebook_path\":\"/n\",\"new_source\":\"1\"}"`},
		{"Write", `{"file_path":"/a","content":"x\ny"}`, `"text":"--- a//a\n+++ b//a\n@@ -0,0 +1,2 @@\n+x\n+y\n"`},
		{
			"Edit", `{"file_path":"/a","old_string":"a\nb\nc","new_string":"a\nB\nc","replace_all":true}`,
			`"text":"--- a//a\n+++ b//a\n@@ -1,3 +1,3 @@ every occurrence\n a\n-b\n+B\n c\n"`,
		},
		{
			"MultiEdit", `{"file_path":"/a","edits":[{"old_string":"a","new_string":""},{"old_string":"","new_string":"b"}]}`,
			`"text":"--- a//a\n+++ b//a\n@@ -1 +0,0 @@\n-a\n@@ -0,0 +1 @@\n+b\n"`,
		},
		{"mcp__s__run", `{"command":"rm"}`, `"toolName":"mcp__s__run","toolKind":"other","title":"Allow mcp__s__run?","text":"{\"command\":\"rm\"}"`},
		{"Bash", `"no object"`, `"toolKind":"execute","title":"Allow Bash?","text":"\"no object\""`},
	} {
		ready(t).line(wants("r1", c.tool, c.input, "")).has(c.want)
	}
}

func TestWithdrawn(t *testing.T) {
	cancel := `{"type":"control_cancel_request","request_id":"r1"}`
	open := func() *talk { return ready(t).line(turnInit, toolUse, wants("r1", "Bash", `{}`, "")).quiet() }
	open().line(cancel, cancel).want("request 1 closed: cancelled  []\n")
	open().line(wants("r1", "Bash", `{}`, "")).want("") // asked twice
	open().line(result("t1", `"done"`, "")).has("request 1 closed: cancelled  []")
	open().line(turnEnd).want("turn ended: completed\n> {\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"r1\",\"response\":{\"behavior\":\"deny\",\"message\":\"The turn has ended.\"}}}\n")
	open().sent(`{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"deny","interrupt":true}}}`).want("request 1 closed: denied deny_stop []\n")
	open().sent(`{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"allow","updatedPermissions":[{}]}}}`).want("request 1 closed: allowed allow_always []\n")
	open().sent(`{"type":"control_response","response":{"subtype":"error","request_id":"r1"}}`).want("request 1 closed: cancelled  []\n")
}

func TestQuestions(t *testing.T) {
	input := `{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":"a"},{"label":"B"}]},{"question":"What else?","multiSelect":true,"options":[{"label":"C"}]}],"metadata":{"x":1}}`
	ask := func() *talk {
		return ready(t).line(turnInit, strings.Replace(toolUse, "Bash", "AskUserQuestion", 1), wants("r1", "AskUserQuestion", input, ""))
	}
	ask().has(`{"kind":"question","toolName":"AskUserQuestion","title":"Which?","questions":[{"text":"Which?","header":"H","options":[{"id":"A","label":"A","description":"a"},{"id":"B","label":"B"}],"freeText":true},` +
		`{"text":"What else?","options":[{"id":"C","label":"C"}],"multiple":true,"freeText":true}]}`)
	ask().quiet().command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"A"}, {"C", "tea"}}}).
		has(`"updatedInput":{"answers":{"What else?":"C, tea","Which?":"A"},"metadata":{"x":1},"questions":[`)
	ask().quiet().command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeCancelled}).has(`{"behavior":"deny","message":"The user gave no answer."}`)
	ask().quiet().sent(`{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"deny"}}}`).want("request 1 closed: cancelled  []\n")
	// Without questions it is a call like others.
	ready(t).line(wants("r1", "AskUserQuestion", `{}`, "")).has(`"kind":"approval"`)
}

// The plan is in the call; the request comes without it.
func TestPlanApproval(t *testing.T) {
	ready(t).line(turnInit, `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"ExitPlanMode","input":{"plan":"# P"}}]}}`).quiet().
		line(wants("r1", "ExitPlanMode", `{}`, "")).has(`"toolKind":"other","title":"Approve the plan?","text":"# P"`)
	ready(t).line(wants("r1", "ExitPlanMode", `{"plan":"# Q"}`, "")).has(`"text":"# Q"`)
}

func TestElicitation(t *testing.T) {
	elicit := func(more string) *talk {
		return ready(t).line(`{"type":"control_request","request_id":"r1","request":{"subtype":"elicitation","mcp_server_name":"srv","message":"Tell me",` + more + `}}`)
	}
	form := `"mode":"form","requested_schema":{"type":"object","required":["name"],"properties":{` +
		`"name":{"type":"string","title":"Name","description":"Yours","default":"Me"},"age":{"type":"integer"},"ok":{"type":"boolean"},` +
		`"size":{"type":"string","enum":["s","l"],"enumNames":["Small"]},"days":{"type":"array","items":{"anyOf":[{"const":"mo","title":"Monday"}]}}}}`
	elicit(form).want(`request 1 opened: entry 0 {"kind":"elicitation","title":"srv asks","text":"Tell me","questions":[` +
		`{"text":"Name: Yours","header":"name","freeText":true,"prefill":"Me"},{"text":"age","header":"age","freeText":true},` +
		`{"text":"ok","header":"ok","options":[{"id":"true","label":"Yes"},{"id":"false","label":"No"}]},` +
		`{"text":"size","header":"size","options":[{"id":"s","label":"Small"},{"id":"l","label":"l"}]},` +
		`{"text":"days","header":"days","options":[{"id":"mo","label":"Monday"}],"multiple":true}]}` + "\n")
	answer := func(outcome protocol.Outcome, answers ...[]string) adapters.Answer {
		return adapters.Answer{Key: 1, Outcome: outcome, Answers: answers}
	}
	yes := protocol.OutcomeAnswered
	elicit(form).quiet().command(answer(yes, []string{"Ann"}, []string{"7"}, []string{"true"}, []string{"l"}, []string{"mo"})).
		has(`"response":{"action":"accept","content":{"age":7,"days":["mo"],"name":"Ann","ok":true,"size":"l"}}`)
	elicit(form).quiet().command(answer(yes, []string{""}, []string{"seven"}, []string{""})).has(`"content":{"age":"seven","name":""}`)
	elicit(form).quiet().command(answer(protocol.OutcomeCancelled)).has(`{"action":"cancel"}`)
	elicit(form).quiet().command(answer(protocol.OutcomeDenied)).has(`{"action":"decline"}`)
	elicit(`"mode":"url","url":"https://e"`).has(`"subject":"https://e"`, `"questions":[{"text":"https://e","options":[{"id":"accept","label":"Accept"},{"id":"decline","label":"Decline"}]}]`)
	elicit(`"mode":"url","url":"https://e"`).quiet().command(answer(yes, []string{"accept"})).has(`"response":{"action":"accept"}`)
	elicit(`"mode":"form"`).quiet().command(answer(yes, []string{"decline"})).has(`{"action":"decline"}`)
	// Somebody else's answers.
	theirs := func(r string) string {
		return `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":` + r + `}}`
	}
	elicit(form).quiet().sent(theirs(`{"action":"accept","content":{"name":"Bo","days":["mo"],"ok":false}}`)).want("request 1 closed: answered  [[\"Bo\"] [\"\"] [\"false\"] [\"\"] [\"mo\"]]\n")
	elicit(form).quiet().sent(theirs(`{"action":"decline"}`)).want("request 1 closed: denied  []\n")
	elicit(form).quiet().sent(theirs(`{"action":"cancel"}`)).want("request 1 closed: cancelled  []\n")
	elicit(`"mode":"form"`).quiet().sent(theirs(`{"action":"accept"}`)).want("request 1 closed: answered  [[\"accept\"]]\n")
}

// Nothing hangs: what is not for a person is answered at once.
func TestUnknownRequests(t *testing.T) {
	ready(t).line(`{"type":"control_request","request_id":"r1","request":{"subtype":"hook_callback","callback_id":"h"}}`).
		want("> {\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"r1\",\"response\":{}}}\n")
	ready(t).line(`{"type":"control_request","request_id":"r1","request":{"subtype":"dance"}}`).
		has(`{"subtype":"error","request_id":"r1","error":"unsupported request: dance"}`, "native: control_request.dance")
	ready(t).line(`{"type":"control_request","request":{"subtype":"dance"}}`).want("")
}
