package droid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const execOptions = `[{"label":"Yes","value":"proceed_once"},{"label":"Always medium","value":"proceed_always"},{"label":"No","value":"cancel"}]`

// execUse is one tool of a permission.
func execUse(id, command string) string {
	return fmt.Sprintf(`{"toolUse":{"type":"tool_use","id":%q,"name":"Execute","input":{"command":%q}},"confirmationType":"exec",`+
		`"details":{"type":"exec","fullCommand":%q,"command":"x"}}`, id, command, command)
}

func permission(id, options string, uses ...string) string {
	return request(id, "droid.request_permission", `{"toolUses":[`+strings.Join(uses, ",")+`],"options":`+options+`}`)
}

// asking is a talk in which commands wait for a permission: request 1, 2, … about entry 2, 3, ….
func asking(t *testing.T, commands ...string) *talk {
	t.Helper()
	c := standing(t, adapters.Spec{})
	c.user("u1", "Hi")
	var uses []string
	for i, command := range commands {
		id := fmt.Sprintf("x%d", i+1)
		c.tool(id, "Execute", fmt.Sprintf(`{"command":%q}`, command))
		uses = append(uses, execUse(id, command))
	}
	c.text.Reset()
	c.line(permission("q", execOptions, uses...))
	return c
}

const execAsked = `{"kind":"approval","toolName":"Execute","toolKind":"execute","subject":"%s","title":"Allow Execute?","text":"%s",` +
	`"options":[{"id":"allow_once","label":"Yes"},{"id":"allow_always","label":"Always medium"},{"id":"deny_stop","label":"No"}]}`

// Proves: T26
func TestPermission(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer adapters.Answer
		want   string
	}{
		{"once", adapters.Answer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}, `> q {"selectedOption":"proceed_once"}`},
		{"no option", adapters.Answer{Outcome: protocol.OutcomeAllowed}, `> q {"selectedOption":"proceed_once"}`},
		{"always", adapters.Answer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways}, `> q {"selectedOption":"proceed_always"}`},
		{"denied", adapters.Answer{Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop, Message: "rather not"}, `> q {"selectedOption":"cancel","comment":"rather not"}`},
		{"denied, no option", adapters.Answer{Outcome: protocol.OutcomeDenied}, `> q {"selectedOption":"cancel"}`},
		{"cancelled", adapters.Answer{Outcome: protocol.OutcomeCancelled}, `> q {"selectedOption":"cancel"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := asking(t, "rm a")
			k.want("request 1 opened: entry 2 " + fmt.Sprintf(execAsked, "rm a", "rm a"))
			c.answer.Key = 1
			k.command(c.answer)
			k.command(c.answer) // the first one wins
			k.event(`{"type":"permission_resolved","requestId":"q","toolUseIds":[],"selectedOption":"cancel"}`)
			k.want(c.want)
		})
	}
}

// A permission for several tools is several approvals with one answer.
func TestPermissionForSeveral(t *testing.T) {
	allow := func(key adapters.RequestKey, option string) adapters.Answer {
		return adapters.Answer{Key: key, Outcome: protocol.OutcomeAllowed, Option: option}
	}
	for _, c := range []struct {
		name    string
		answers []adapters.Answer
		want    []string
	}{
		{"all once", []adapters.Answer{allow(2, protocol.AllowOnce), allow(1, protocol.AllowOnce)}, []string{`> q {"selectedOption":"proceed_once"}`}},
		{"one of them always", []adapters.Answer{allow(1, protocol.AllowAlways), allow(2, protocol.AllowOnce)}, []string{`> q {"selectedOption":"proceed_once"}`}},
		{"all always", []adapters.Answer{allow(1, protocol.AllowAlways), allow(2, protocol.AllowAlways)}, []string{`> q {"selectedOption":"proceed_always"}`}},
		{"not all", []adapters.Answer{allow(1, protocol.AllowOnce)}, []string{""}},
		{"one denied", []adapters.Answer{{Key: 2, Outcome: protocol.OutcomeDenied}}, []string{"request 1 closed: cancelled  []", `> q {"selectedOption":"cancel"}`}},
		{"denied after one was allowed", []adapters.Answer{allow(1, ""), {Key: 2, Outcome: protocol.OutcomeDenied}}, []string{`> q {"selectedOption":"cancel"}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := asking(t, "a", "b")
			k.want("request 1 opened: entry 2 "+fmt.Sprintf(execAsked, "a", "a"), "request 2 opened: entry 3 "+fmt.Sprintf(execAsked, "b", "b"))
			for _, a := range c.answers {
				k.command(a)
			}
			k.want(c.want...)
		})
	}
}

func TestPermissionAnsweredElsewhere(t *testing.T) {
	for _, c := range []struct {
		name, line string
		sent       bool
		want       string
	}{
		{"resolved", `{"type":"permission_resolved","requestId":"q","toolUseIds":["x1"],"selectedOption":"proceed_once"}`, false, "request 1 closed: allowed allow_once []"},
		{"resolved always", `{"type":"permission_resolved","requestId":"q","toolUseIds":["x1"],"selectedOption":"proceed_always_server"}`, false, "request 1 closed: allowed allow_always []"},
		{"refused", `{"type":"permission_resolved","requestId":"q","toolUseIds":[],"selectedOption":"cancel"}`, false, "request 1 closed: denied deny_stop []"},
		{"another's", `{"type":"permission_resolved","requestId":"z","toolUseIds":[],"selectedOption":"cancel"}`, false, ""},
		{"its answer was seen", response("q", `{"selectedOption":"proceed_always"}`), true, "request 1 closed: allowed allow_always []"},
		{"another answer was seen", response("z", `{"selectedOption":"proceed_always"}`), true, ""},
		{
			"its tool has ended", `{"type":"tool_result","toolUseId":"x1","content":"no","isError":true}`, false,
			"request 1 closed: cancelled  []\n" + `entry 2 closed: {"toolName":"Execute","callId":"x1","arguments":"{\"command\":\"a\"}","command":"a","status":"error","output":"no"}`,
		},
		{"the turn has ended", `{"type":"agent_turn_completed","reason":"cancelled"}`, false, "turn ended: interrupted Droid cancelled the turn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := asking(t, "a")
			k.text.Reset()
			if c.sent {
				k.sent(c.line)
			} else {
				k.event(c.line)
			}
			k.want(strings.Split(c.want, "\n")...)
			if c.want == "" {
				return
			}
			k.command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed})
			k.want("")
		})
	}
	t.Run("withdrawn by the interrupt", func(t *testing.T) {
		k := asking(t, "a")
		k.command(adapters.Interrupt{})
		k.text.Reset()
		k.event(`{"type":"permission_resolved","requestId":"q","toolUseIds":[],"selectedOption":"cancel"}`)
		k.want("request 1 closed: cancelled  []")
	})
}

// The session says that an allowed call runs: its executing phase is no news then.
func TestAllowedToolRuns(t *testing.T) {
	k := asking(t, "a")
	k.command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed})
	k.text.Reset()
	k.event(`{"type":"tool_execution_phase_changed","toolUseId":"x1","toolName":"Execute","phase":"executing"}`)
	k.want("")
}

func TestPermissionKinds(t *testing.T) {
	for _, c := range []struct {
		name, tool, input, details string
		kind                       protocol.ToolKind
		subject, title, text       string
	}{
		{"create", "Create", `{}`, `{"type":"create","filePath":"/w/a","content":"x\n"}`, protocol.ToolEdit, "/w/a", "Allow Create?", "--- a//w/a\n+++ b//w/a\n@@ -0,0 +1 @@ the whole file\n+x\n"},
		{"edit of a file", "Edit", `{"file_path":"/w/a","old_str":"b\n"}`, `{"type":"edit","filePath":"/w/a","oldContent":"a\nb\n","newContent":"a\n"}`, protocol.ToolEdit, "/w/a", "Allow Edit?", "--- a//w/a\n+++ b//w/a\n@@ -1,2 +1 @@\n a\n-b\n"},
		{"edit", "Edit", `{"old_str":"a\nb\n","new_str":"c"}`, `{"type":"edit","filePath":"/w/a"}`, protocol.ToolEdit, "/w/a", "Allow Edit?", "/w/a\n\n-a\n-b\n+c\n"},
		{"patch", "ApplyPatch", `{}`, `{"type":"apply_patch","filePath":"/w/a","patchContent":"P","files":[{"filePath":"/w/a"}]}`, protocol.ToolEdit, "/w/a", "Allow ApplyPatch?", "P"},
		{"patch of two files", "ApplyPatch", `{}`, `{"type":"apply_patch","filePath":"/w/a","patchContent":"P","files":[{"filePath":"/w/a"},{"filePath":"/etc/b"}]}`, protocol.ToolEdit, "/w/a\n/etc/b", "Allow ApplyPatch?", "P"},
		{"patch that moves", "ApplyPatch", `{}`, `{"type":"apply_patch","filePath":"/w/a","patchContent":"P","files":[{"filePath":"/w/a","operation":"update","moveTo":"/w/.git/b"}]}`, protocol.ToolEdit, "/w/a\n/w/.git/b", "Allow ApplyPatch?", "P"},
		{"patch that was not understood", "ApplyPatch", `{}`, `{"type":"apply_patch","filePath":"unknown","patchContent":"P"}`, protocol.ToolEdit, "", "Allow ApplyPatch?", "P"},
		{"patch with a new operation", "ApplyPatch", `{}`, `{"type":"apply_patch","filePath":"/w/a","patchContent":"P","files":[{"filePath":"/w/a","operation":"link"}]}`, protocol.ToolEdit, "", "Allow ApplyPatch?", "P"},
		{"two names of a file", "Edit", `{"file_path":"/w/b"}`, `{"type":"edit","filePath":"/w/a"}`, protocol.ToolEdit, "", "Allow Edit?", "/w/a\n\n"},
		{"path of two lines", "Create", `{}`, `{"type":"create","filePath":"/w/a\nb"}`, protocol.ToolEdit, "", "Allow Create?", "/w/a\nb\n\n"},
		{"command", "Execute", `{"command":"go test","Command":"ls"}`, `{"type":"exec","fullCommand":"go test"}`, protocol.ToolExecute, "go test", "Allow Execute?", "go test"},
		{"command cut out of a shell", "Execute", `{"command":"bash -c 'go test'; rm 'x'"}`, `{"type":"exec","fullCommand":"go test'; rm 'x"}`, protocol.ToolExecute, "bash -c 'go test'; rm 'x'", "Allow Execute?", "bash -c 'go test'; rm 'x'"},
		{"summary in place of a command", "FetchUrl", `{"url":"https://a"}`, `{"type":"exec","fullCommand":"Fetch URL: https://a"}`, protocol.ToolFetch, "https://a", "Allow FetchUrl?", "Fetch URL: https://a"},
		{"summary of a new tool", "CreateAutomation", `{"name":"n"}`, `{"type":"exec","fullCommand":"go test"}`, protocol.ToolOther, "", "Allow CreateAutomation?", "go test"},
		{"mcp", "tiny___echo", `{"text": "a"}`, `{"type":"mcp_tool","toolName":"tiny___echo"}`, protocol.ToolOther, "", "Allow tiny___echo?", `{"text":"a"}`},
		{"plan", "ExitSpecMode", `{}`, `{"type":"exit_spec_mode","plan":"# P","title":"Shed"}`, protocol.ToolOther, "", "Carry out the plan: Shed?", "# P"},
		{"plan without a title", "ExitSpecMode", `{}`, `{"type":"exit_spec_mode","plan":"# P"}`, protocol.ToolOther, "", "Carry out the plan?", "# P"},
		{"out of the sandbox", "Read", `{"file_path":"/w/a"}`, `{"type":"sandbox_violation","violatingToolName":"Read","target":"/etc/b","reason":"outside"}`, protocol.ToolOther, "/etc/b", "Allow Read to leave the sandbox?", "/etc/b\n\noutside"},
		{"shield", "Execute", `{"command":"curl x"}`, `{"type":"droid_shield_violation","command":"curl x","reason":"secret"}`, protocol.ToolOther, "curl x", "Allow Execute?", "curl x\n\nsecret"},
		{"a new confirmation of a known tool", "FetchUrl", `{"url":"https://a"}`, `{"type":"fetch"}`, protocol.ToolFetch, "https://a", "Allow FetchUrl?", `{"url":"https://a"}`},
		{"read", "Read", `{"file_path":"/w/a"}`, `{}`, protocol.ToolRead, "/w/a", "Allow Read?", `{"file_path":"/w/a"}`},
		{"unknown", "Dance", `{"pattern":"p"}`, `{}`, protocol.ToolOther, "p", "Allow Dance?", `{"pattern":"p"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := standing(t, adapters.Spec{})
			use := fmt.Sprintf(`{"toolUse":{"type":"tool_use","id":"x1","name":%q,"input":%s},"details":%s}`, c.tool, c.input, c.details)
			k.line(permission("q", execOptions, use))
			r := of[adapters.RequestOpened](k.said)[0].Request
			if r.Diff != "" && r.Diff != c.text || r.Diff == "" && strings.HasPrefix(c.text, "---") {
				t.Errorf("the diff is %q", r.Diff)
			}
			if r.ToolKind != c.kind || r.Subject != c.subject || r.Title != c.title || r.Text != c.text {
				t.Errorf("got %q, %q, %q, %q", r.ToolKind, r.Subject, r.Title, r.Text)
			}
		})
	}
}

// Only what is offered can be chosen, and "always" is the narrowest that is.
func TestPermissionOptions(t *testing.T) {
	for _, c := range []struct {
		name, values string
		options      string
		always       string
	}{
		{"a tool of a server", "proceed_once proceed_always proceed_always_tools proceed_always_server cancel", "allow_once allow_always deny_stop", "proceed_always_tools"},
		{"a plan", "proceed_once proceed_auto_run_low proceed_auto_run_medium proceed_new_session cancel", "allow_once allow_always deny_stop", "proceed_auto_run_low"},
		{"no always", "proceed_once cancel", "allow_once deny_stop", "proceed_once"},
		{"only always", "proceed_always", "allow_always", "proceed_always"},
		{"only no", "cancel", "deny_stop", "cancel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var options []string
			for v := range strings.FieldsSeq(c.values) {
				options = append(options, fmt.Sprintf(`{"label":"L","value":%q}`, v))
			}
			k := standing(t, adapters.Spec{})
			k.line(permission("q", "["+strings.Join(options, ",")+"]", execUse("x1", "a")))
			var ids []string
			for _, o := range of[adapters.RequestOpened](k.said)[0].Request.Options {
				ids = append(ids, o.ID)
			}
			if got := strings.Join(ids, " "); got != c.options {
				t.Errorf("options %s, want %s", got, c.options)
			}
			k.text.Reset()
			k.command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways})
			k.want(`> q {"selectedOption":"` + c.always + `"}`)
		})
	}
	t.Run("nothing known", func(t *testing.T) {
		k := standing(t, adapters.Spec{})
		k.line(permission("q", `[{"label":"L","value":"maybe"}]`, execUse("x1", "a")))
		if got := k.text.String(); !strings.Contains(got, `> q {"code":-32601`) || len(of[adapters.RequestOpened](k.said)) > 0 {
			t.Errorf("got %s", got)
		}
	})
	t.Run("no no", func(t *testing.T) {
		k := standing(t, adapters.Spec{})
		k.line(permission("q", `[{"label":"L","value":"proceed_once"}]`, execUse("x1", "a")))
		k.text.Reset()
		k.command(adapters.Answer{Key: 1, Outcome: protocol.OutcomeDenied})
		k.want(`> q {"code":-32601,"message":"not allowed"}`)
	})
}

const questions = `{"toolCallId":"x1","questions":[{"index":1,"topic":"Cake","question":"Which?","options":["Lemon","Nut"]},` +
	`{"index":2,"topic":"More","question":"What else?","options":["A","B"],"multiSelect":true}]}`

func TestQuestion(t *testing.T) {
	ask := func(t *testing.T) *talk {
		t.Helper()
		k := standing(t, adapters.Spec{})
		k.user("u1", "Hi")
		k.tool("x1", "AskUser", `{"questionnaire":"…"}`)
		k.text.Reset()
		k.line(request("q", "droid.ask_user", questions))
		k.line(request("q", "droid.ask_user", questions)) // said twice
		k.want(`request 1 opened: entry 2 {"kind":"question","toolName":"AskUser","title":"Which?","questions":[` +
			`{"text":"Which?","header":"Cake","options":[{"id":"Lemon","label":"Lemon"},{"id":"Nut","label":"Nut"}],"freeText":true},` +
			`{"text":"What else?","header":"More","options":[{"id":"A","label":"A"},{"id":"B","label":"B"}],"multiple":true,"freeText":true}]}`)
		return k
	}
	for _, c := range []struct {
		name   string
		answer adapters.Answer
		want   string
	}{
		{
			"answered",
			adapters.Answer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Nut"}, {"A", "mine"}}},
			`> q {"answers":[{"index":1,"question":"Which?","answer":"Nut"},{"index":2,"question":"What else?","answer":"A, mine"}],"cancelled":false}`,
		},
		{
			"too few",
			adapters.Answer{Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Nut"}}},
			`> q {"answers":[{"index":1,"question":"Which?","answer":"Nut"}],"cancelled":false}`,
		},
		{"cancelled", adapters.Answer{Outcome: protocol.OutcomeCancelled}, `> q {"answers":[],"cancelled":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := ask(t)
			c.answer.Key = 1
			k.command(c.answer)
			k.want(c.want)
		})
	}
	for _, c := range []struct{ name, line, want string }{
		{"answered elsewhere", response("q", `{"answers":[{"index":2,"answer":"A"},{"index":1,"answer":"Nut"}],"cancelled":false}`), `request 1 closed: answered  [["Nut"] ["A"]]`},
		{"cancelled elsewhere", response("q", `{"answers":[],"cancelled":true}`), `request 1 closed: cancelled  []`},
		{"refused elsewhere", failure("q", "no"), `request 1 closed: cancelled  []`},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := ask(t)
			k.sent(c.line)
			k.want(c.want)
		})
	}
	t.Run("no questions", func(t *testing.T) {
		k := standing(t, adapters.Spec{})
		k.line(request("q", "droid.ask_user", `{"toolCallId":"x1","questions":[]}`))
		if got := k.text.String(); !strings.Contains(got, `> q {"code":-32601`) {
			t.Errorf("got %s", got)
		}
	})
}
