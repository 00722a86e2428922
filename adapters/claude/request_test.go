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
			talk := ready(t).Line(turnInit, toolUse, wants("r1", "Bash", `{"command":"ls"}`, suggested)).
				Has(`request 1 opened: entry 1 {"kind":"approval","toolName":"Bash","toolKind":"execute","subject":"ls","title":"Allow Bash?","text":"ls","options":[` +
					`{"id":"allow_once","label":"Allow"},{"id":"allow_always","label":"Always allow","description":"Bash(ls *) in localSettings"},{"id":"deny","label":"Deny"},{"id":"deny_stop","label":"Deny and stop"}]}`)
			if c.answer.Key == 0 {
				c.answer.Key = 1
			}
			talk.Command(c.answer).Want(c.want)
			if c.want != "" {
				talk.Command(c.answer).Want("") // the first answer counts
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
		{"Write", `{"file_path":"/a","content":"x\ny"}`, `"text":"--- a//a\n+++ b//a\n@@ -0,0 +1,2 @@ the whole file\n+x\n+y\n"`},
		{
			"Edit", `{"file_path":"/a","old_string":"a\nb\nc","new_string":"a\nB\nc","replace_all":true}`,
			`"diff":"--- a//a\n+++ b//a\n@@ -1,3 +1,3 @@ of every such passage\n a\n-b\n+B\n c\n"`,
		},
		{
			"MultiEdit", `{"file_path":"/a","edits":[{"old_string":"a","new_string":""},{"old_string":"","new_string":"b"}]}`,
			`"diff":"--- a//a\n+++ b//a\n@@ -1 +0,0 @@ of a passage\n-a\n@@ -0,0 +1 @@ of a passage\n+b\n"`,
		},
		{"Write", `{"file_path":"a","content":"x"}`, `"text":"--- a/a\n+++ b/a\n@@ -0,0 +1 @@ the whole file\n+x\n","options"`}, // in which folder, is not told
		{"NotebookEdit", `{"notebook_path":"/n","file_path":"/n","content":"x"}`, `"text":"{\"notebook_path\":\"/n\",\"file_path\":\"/n\",\"content\":\"x\"}","options"`},
		{"mcp__s__run", `{"command":"rm"}`, `"toolName":"mcp__s__run","toolKind":"other","title":"Allow mcp__s__run?","text":"{\"command\":\"rm\"}"`},
		{"Bash", `"no object"`, `"toolKind":"execute","title":"Allow Bash?","text":"\"no object\""`},
	} {
		ready(t).Line(wants("r1", c.tool, c.input, "")).Has(c.want)
	}
}

func TestWithdrawn(t *testing.T) {
	cancel := `{"type":"control_cancel_request","request_id":"r1"}`
	open := func() *talk { return ready(t).Line(turnInit, toolUse, wants("r1", "Bash", `{}`, "")).Quiet() }
	open().Line(cancel, cancel).Want("request 1 closed: cancelled  []\n")
	open().Line(wants("r1", "Bash", `{}`, "")).Want("") // asked twice
	open().Line(result("t1", `"done"`, "")).Has("request 1 closed: cancelled  []")
	open().Line(turnEnd).Want("turn ended: completed\n> {\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"r1\",\"response\":{\"behavior\":\"deny\",\"message\":\"The turn has ended.\"}}}\n")
	open().Sent(`{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"deny","interrupt":true}}}`).Want("request 1 closed: denied deny_stop []\n")
	open().Sent(`{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"allow","updatedPermissions":[{}]}}}`).Want("request 1 closed: allowed allow_always []\n")
	open().Sent(`{"type":"control_response","response":{"subtype":"error","request_id":"r1"}}`).Want("request 1 closed: cancelled  []\n")
}

func TestQuestions(t *testing.T) {
	input := `{"questions":[{"question":"Which?","header":"H","options":[{"label":"A","description":"a"},{"label":"B"}]},{"question":"What else?","multiSelect":true,"options":[{"label":"C"}]}],"metadata":{"x":1}}`
	ask := func() *talk {
		return ready(t).Line(turnInit, strings.Replace(toolUse, "Bash", "AskUserQuestion", 1), wants("r1", "AskUserQuestion", input, ""))
	}
	ask().Has(`{"kind":"question","toolName":"AskUserQuestion","title":"Which?","questions":[{"text":"Which?","header":"H","options":[{"id":"A","label":"A","description":"a"},{"id":"B","label":"B"}],"freeText":true},` +
		`{"text":"What else?","options":[{"id":"C","label":"C"}],"multiple":true,"freeText":true}]}`)
	ask().Quiet().Command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"A"}, {"C", "tea"}}}).
		Has(`"updatedInput":{"answers":{"What else?":"C, tea","Which?":"A"},"metadata":{"x":1},"questions":[`)
	ask().Quiet().Command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeCancelled}).Has(`{"behavior":"deny","message":"The user gave no answer."}`)
	ask().Quiet().Sent(`{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"deny"}}}`).Want("request 1 closed: cancelled  []\n")
	// Without questions it is a call like others.
	ready(t).Line(wants("r1", "AskUserQuestion", `{}`, "")).Has(`"kind":"approval"`)
}

// The plan is in the call; the request comes without it.
func TestPlanApproval(t *testing.T) {
	ready(t).Line(turnInit, `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"ExitPlanMode","input":{"plan":"# P"}}]}}`).Quiet().
		Line(wants("r1", "ExitPlanMode", `{}`, "")).Has(`"toolKind":"other","title":"Approve the plan?","text":"# P"`)
	ready(t).Line(wants("r1", "ExitPlanMode", `{"plan":"# Q"}`, "")).Has(`"text":"# Q"`)
}

func TestElicitation(t *testing.T) {
	elicit := func(more string) *talk {
		return ready(t).Line(`{"type":"control_request","request_id":"r1","request":{"subtype":"elicitation","mcp_server_name":"srv","message":"Tell me",` + more + `}}`)
	}
	form := `"mode":"form","requested_schema":{"type":"object","required":["name"],"properties":{` +
		`"name":{"type":"string","title":"Name","description":"Yours","default":"Me"},"age":{"type":"integer"},"ok":{"type":"boolean"},` +
		`"size":{"type":"string","enum":["s","l"],"enumNames":["Small"]},"days":{"type":"array","items":{"anyOf":[{"const":"mo","title":"Monday"}]}}}}`
	elicit(form).Want(`request 1 opened: entry 0 {"kind":"elicitation","title":"srv asks","text":"Tell me","questions":[` +
		`{"text":"Name: Yours","header":"name","freeText":true,"prefill":"Me"},{"text":"age","header":"age","freeText":true},` +
		`{"text":"ok","header":"ok","options":[{"id":"true","label":"Yes"},{"id":"false","label":"No"}]},` +
		`{"text":"size","header":"size","options":[{"id":"s","label":"Small"},{"id":"l","label":"l"}]},` +
		`{"text":"days","header":"days","options":[{"id":"mo","label":"Monday"}],"multiple":true}]}` + "\n")
	answer := func(outcome protocol.Outcome, answers ...[]string) adapters.Answer {
		return adapters.Answer{Key: 1, Outcome: outcome, Answers: answers}
	}
	yes := protocol.OutcomeAnswered
	elicit(form).Quiet().Command(answer(yes, []string{"Ann"}, []string{"7"}, []string{"true"}, []string{"l"}, []string{"mo"})).
		Has(`"response":{"action":"accept","content":{"age":7,"days":["mo"],"name":"Ann","ok":true,"size":"l"}}`)
	elicit(form).Quiet().Command(answer(yes, []string{""}, []string{"seven"}, []string{""})).Has(`"content":{"age":"seven","name":""}`)
	elicit(form).Quiet().Command(answer(protocol.OutcomeCancelled)).Has(`{"action":"cancel"}`)
	elicit(form).Quiet().Command(answer(protocol.OutcomeDenied)).Has(`{"action":"decline"}`)
	elicit(`"mode":"url","url":"https://e"`).Has(`"subject":"https://e"`, `"questions":[{"text":"https://e","options":[{"id":"accept","label":"Accept"},{"id":"decline","label":"Decline"}]}]`)
	elicit(`"mode":"url","url":"https://e"`).Quiet().Command(answer(yes, []string{"accept"})).Has(`"response":{"action":"accept"}`)
	elicit(`"mode":"form"`).Quiet().Command(answer(yes, []string{"decline"})).Has(`{"action":"decline"}`)
	// Somebody else's answers.
	theirs := func(r string) string {
		return `{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":` + r + `}}`
	}
	elicit(form).Quiet().Sent(theirs(`{"action":"accept","content":{"name":"Bo","days":["mo"],"ok":false}}`)).Want("request 1 closed: answered  [[\"Bo\"] [\"\"] [\"false\"] [\"\"] [\"mo\"]]\n")
	elicit(form).Quiet().Sent(theirs(`{"action":"decline"}`)).Want("request 1 closed: denied  []\n")
	elicit(form).Quiet().Sent(theirs(`{"action":"cancel"}`)).Want("request 1 closed: cancelled  []\n")
	elicit(`"mode":"form"`).Quiet().Sent(theirs(`{"action":"accept"}`)).Want("request 1 closed: answered  [[\"accept\"]]\n")
}

// Nothing hangs: what is not for a person is answered at once.
func TestUnknownRequests(t *testing.T) {
	ready(t).Line(`{"type":"control_request","request_id":"r1","request":{"subtype":"hook_callback","callback_id":"h"}}`).
		Want("> {\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"r1\",\"response\":{}}}\n")
	ready(t).Line(`{"type":"control_request","request_id":"r1","request":{"subtype":"dance"}}`).
		Has(`{"subtype":"error","request_id":"r1","error":"unsupported request: dance"}`, "native: control_request.dance")
	ready(t).Line(`{"type":"control_request","request":{"subtype":"dance"}}`).Want("")
}
