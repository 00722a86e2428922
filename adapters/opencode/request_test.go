package opencode_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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
		`request 1 opened: entry 1 {"kind":"approval","toolName":"write","toolKind":"edit","subject":"/w/new.txt","title":"Allow write (edit)?","text":"/w/new.txt\n\n+data","options":[{"id":"allow_once"*{"id":"allow_always"*{"id":"deny"*{"id":"deny_stop"*`)
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

// TestAllowedCallRuns: a call that waits for an answer does not run, whatever OpenCode calls it, until the agent has taken the answer.
func TestAllowedCallRuns(t *testing.T) {
	x := begun(t)
	x.run()
	x.part("msg_a", "prt_1", `"type":"tool","tool":"bash","callID":"c1","state":{"status":"pending","input":{}}`, `entry 1 opened:*"status":"pending"*`)
	x.event("permission.asked", `"id":"per_1","permission":"edit","metadata":{},"tool":{"messageID":"msg_a","callID":"c1"}`, "request 1 opened: entry 1 *")
	x.part("msg_a", "prt_1", `"type":"tool","tool":"bash","callID":"c1","state":{"status":"running","input":{"command":"ls"}}`, "entry 1 changed: *arguments_append*")
	x.command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed}, `>"method":"POST","path":"/permission/per_1/reply","body":{"reply":"once"}}`)
	x.answer(1, `"status":200,"body":true`, `entry 1 changed: *"status":"running"*`)
	x.event("permission.replied", `"requestID":"per_1","reply":"once"`)
}

// TestAnswerIsNotTaken: an answer that the agent refuses is told of.
func TestAnswerIsNotTaken(t *testing.T) {
	x := begun(t)
	x.run()
	x.event("permission.asked", `"id":"per_1","permission":"bash","metadata":{}`, "request 1 opened: entry 0 *")
	x.command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed}, `>"method":"POST","path":"/permission/per_1/reply","body":{"reply":"once"}}`)
	x.answer(1, `"status":500,"body":{"name":"Broken","data":{"message":"no disk"}}`, "notice: warning answer_failed *no disk*")
}
