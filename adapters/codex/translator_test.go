package codex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// inTurn is a session in its first turn.
func inTurn(t *testing.T) (*wire, adapters.Lane) {
	t.Helper()
	c := ready(t)
	a := c.session("A")
	c.agent(started("A", "1"))
	c.heard()
	c.all(a)
	return c, a
}

func TestStart(t *testing.T) {
	c := ready(t)
	a := c.join(adapters.Spec{Cwd: "/w", Model: "m", Mode: "read-only"})
	same(t, c.heard(), `{"id":"rm1:st1","method":"thread/start","params":{"cwd":"/w","model":"m","sandbox":"read-only","approvalPolicy":"on-request"}}`)
	c.agent(`{"id":"rm1:st1","result":{"thread":{"id":"A","cliVersion":"0.169.0","name":null},"model":"m","sandbox":{"type":"readOnly"}}}`)
	c.answer("model/list", `{"data":[{"id":"m","model":"m","displayName":"M"},{"id":"h","model":"h","hidden":true}],"nextCursor":"2"}`)
	c.answer("model/list", `{"data":[{"id":"n"},{"id":"m"}]}`)
	got := c.all(a)
	if !strings.HasPrefix(got, `ready: session "A" version "0.169.0" model "m" mode "read-only"`) || !strings.Contains(got, "offered") {
		t.Errorf("got %s", got)
	}
	for _, id := range []string{"m", "n", "plan", "full-access"} {
		if !strings.Contains(got, id) {
			t.Errorf("%s is not offered: %s", id, got)
		}
	}
}

func TestStartInPlanMode(t *testing.T) {
	c := ready(t)
	c.join(adapters.Spec{Mode: "plan"})
	c.answer("thread/start", `{"thread":{"id":"A"},"model":"m","reasoningEffort":"low"}`)
	if got := c.heard(); !strings.Contains(got, `"method":"thread/settings/update","params":{"threadId":"A","collaborationMode":{"mode":"plan","settings":{"model":"m","reasoning_effort":"low"}}}`) {
		t.Errorf("heard %s", got)
	}
}

func TestPrompt(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.heard()
	c.all(a)
	c.command(a, adapters.Prompt{ID: "p1", Text: "look", Images: []adapters.Image{{Ref: "sha256:00;image/png", MediaType: "image/png", Data: []byte{1, 2, 3}}}})
	same(t, c.heard(), `{"id":"rm1:st3","method":"turn/start","params":{"threadId":"A","input":[{"type":"text","text":"look"},{"type":"image","url":"data:image/png;base64,AQID"}],"clientUserMessageId":"p1"}}`)
	c.agent(`{"id":"rm1:st3","result":{"turn":{"id":"1"}}}`, started("A", "1"),
		item("started", "A", "1", `"type":"userMessage","id":"u","clientId":"p1","content":[{"type":"text","text":"look"},{"type":"image","url":"data:image/png;base64,AQID"}]`))
	same(t, c.all(a), "prompt p1 started\nturn began\nentry 1 opened: user_message id u {\"role\":\"user\",\"text\":\"look\",\"images\":[\"sha256:00;image/png\"]}")
	c.command(a, adapters.Prompt{ID: "p2", Text: "x"})
	c.refuse("turn/start", "no room")
	c.agent(completed("A", "1", "completed"))
	c.refuse("turn/start", "no room") // sent again behind the turn
	same(t, c.all(a), "turn ended: completed\nprompt p2 refused no room")
}

func TestPromptsThatCannotBe(t *testing.T) {
	c := ready(t)
	a := c.join(adapters.Spec{})
	c.command(a, adapters.Prompt{ID: "p", Text: "x"})
	same(t, c.all(a), "prompt p refused the thread has not begun")
	b := c.session("B")
	c.agent(`{"method":"thread/started","params":{"thread":{"id":"K","parentThreadId":"B"}}}`)
	k := c.newest
	if k == b {
		t.Fatal("no child")
	}
	c.all(k)
	c.command(k, adapters.Prompt{ID: "p", Text: "x"})
	c.command(k, adapters.SetModel{ID: "s", Model: "m"})
	got := c.all(k)
	if !strings.Contains(got, "prompt p refused a sub-agent takes no prompts") || !strings.Contains(got, "refused") {
		t.Errorf("got %s", got)
	}
}

func steered(turn string) string {
	return `"method":"turn/steer","params":{"threadId":"A","expectedTurnId":"` + turn + `","input":[{"type":"text","text":"x"}],"clientUserMessageId":"s"}}`
}

func TestSteer(t *testing.T) {
	steer := adapters.Prompt{ID: "s", Text: "x", Steer: true}
	heard := func(t *testing.T, c *wire, want string) {
		t.Helper()
		if got := c.heard(); !strings.Contains(got, want) || want == "" && got != "" {
			t.Fatalf("heard %s, want %s", got, want)
		}
	}
	last := func(c *wire) string { return c.lines[len(c.lines)-1] }
	t.Run("taken", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, steer)
		if !strings.HasSuffix(last(c), steered("1")) {
			t.Fatal(last(c))
		}
		c.answer("turn/steer", `{"turnId":"1"}`)
		same(t, c.all(a), "prompt s handled")
	})
	t.Run("drops what was half said", func(t *testing.T) {
		c, a := inTurn(t)
		c.lanes[a].ledger.Interleaves = true
		c.agent(item("started", "A", "1", `"type":"reasoning","id":"r"`),
			`{"method":"item/reasoning/summaryTextDelta","params":{"threadId":"A","turnId":"1","itemId":"r","delta":"hm","summaryIndex":1}}`,
			item("started", "A", "1", `"type":"agentMessage","id":"m","text":""`), delta("A", "1", "m", "half"),
			item("started", "A", "1", `"type":"userMessage","id":"u","content":[{"type":"text","text":"x"}]`),
			item("completed", "A", "1", `"type":"agentMessage","id":"m","text":"half and more"`))
		same(t, c.all(a), `entry 1 opened: thinking id r {"text":""}
entry 1 changed: {"op":"summary_append","summaryIndex":1,"text":"hm"}
entry 2 opened: assistant_message id m {"role":"assistant","text":""}
entry 2 changed: {"op":"text_append","text":"half"}
entry 1 left (steered): {"text":"","summary":["","hm"]}
entry 2 left (steered): {"role":"assistant","text":"half"}
entry 3 opened: user_message id u {"role":"user","text":"x"}`)
	})
	t.Run("too late", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, steer)
		c.agent(completed("A", "1", "completed"))
		c.refuse("turn/steer", "no active turn to steer")
		c.answer("turn/start", `{"turn":{"id":"2"}}`)
		c.agent(started("A", "2"))
		same(t, c.all(a), "turn ended: completed\nprompt s started\nturn began")
	})
	t.Run("another turn", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, steer)
		c.refuse("turn/steer", "expected active turn id `1` but found `9`")
		heard(t, c, steered("9"))
	})
	t.Run("a turn that cannot be steered", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, steer)
		c.command(a, adapters.Prompt{ID: "s2", Text: "y", Steer: true})
		c.refuse("turn/steer", "cannot steer a compact turn")
		c.refuse("turn/steer", "cannot steer a compact turn")
		heard(t, c, "")
		c.agent(completed("A", "1", "completed"))
		c.answer("turn/start", `{"turn":{"id":"2"}}`)
		c.agent(started("A", "2"))
		heard(t, c, `"method":"turn/steer","params":{"threadId":"A","expectedTurnId":"2"`)
	})
	t.Run("taken back by an interrupt", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, steer)
		c.refuse("turn/steer", "cannot steer a review turn")
		c.command(a, adapters.Interrupt{})
		c.answer("turn/interrupt", `{}`)
		c.agent(completed("A", "1", "interrupted"))
		heard(t, c, "")
	})
	t.Run("for ever refused", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, steer)
		for i := range 4 {
			c.refuse("turn/steer", fmt.Sprintf("expected active turn id but found `%d`", i+2))
		}
		c.refuse("turn/steer", "no more")
		same(t, c.all(a), "prompt s refused no more")
	})
}

func TestInterrupt(t *testing.T) {
	const stop = `"method":"turn/interrupt","params":{"threadId":"A","turnId":"1"}}`
	t.Run("in a turn", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, adapters.Interrupt{})
		if got := c.heard(); !strings.HasSuffix(got, stop) || strings.Count(got, "\n") > 0 {
			t.Errorf("heard %s", got)
		}
		c.agent(`{"id":"rm1:st3","error":{"code":-32600,"message":"no active turn to interrupt"}}`)
		same(t, c.heard(), "") // its end is on the way
	})
	t.Run("before the turn is known", func(t *testing.T) {
		c := ready(t)
		a := c.session("A")
		c.command(a, adapters.Prompt{ID: "p", Text: "x"})
		c.command(a, adapters.Interrupt{})
		c.answer("turn/start", `{"turn":{"id":"1"}}`)
		same(t, c.heard(), "")
		c.agent(started("A", "1"))
		if got := c.heard(); !strings.HasSuffix(got, stop) || strings.Count(got, "\n") > 0 {
			t.Errorf("heard %s", got)
		}
	})
	t.Run("a prompt that is refused", func(t *testing.T) {
		c := ready(t)
		a := c.session("A")
		c.command(a, adapters.Prompt{ID: "p", Text: "x"})
		c.command(a, adapters.Interrupt{})
		c.refuse("turn/start", "no")
		c.agent(started("A", "1"))
		same(t, c.heard(), "")
	})
	t.Run("when nothing runs", func(t *testing.T) {
		c := ready(t)
		a := c.session("A")
		c.heard()
		c.command(a, adapters.Interrupt{})
		same(t, c.heard(), "")
	})
	t.Run("under another id", func(t *testing.T) {
		c, a := inTurn(t)
		c.command(a, adapters.Interrupt{})
		c.refuse("turn/interrupt", "expected active turn id 1 but found 9")
		if got := c.heard(); !strings.Contains(got, `"turnId":"9"`) {
			t.Errorf("heard %s", got)
		}
	})
}

// TestReview: the first items come before turn/started, which has another id than they and than the turn's end.
func TestReview(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.all(a)
	c.agent(item("started", "A", "R", `"type":"enteredReviewMode","id":"e","review":"current changes"`), item("completed", "A", "R", `"type":"enteredReviewMode","id":"e","review":"current changes"`),
		started("A", "S"), item("completed", "A", "R", `"type":"exitedReviewMode","id":"x","review":"fine"`), completed("A", "R", "completed"), completed("A", "S", "completed"))
	same(t, c.all(a), `turn began
entry 1 opened: system id e {"text":"current changes","level":"info","kind":"review_entered"}
entry 1 closed: {"text":"current changes","level":"info","kind":"review_entered"}
entry 2 opened: system id x {"text":"fine","level":"info","kind":"review_exited"}
entry 2 closed: {"text":"fine","level":"info","kind":"review_exited"}
turn ended: completed`)
}

// TestReviewInterrupted: a review is interrupted by the id of its turn/started.
func TestReviewInterrupted(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.agent(item("started", "A", "R", `"type":"enteredReviewMode","id":"e","review":"x"`), started("A", "S"))
	c.heard()
	c.command(a, adapters.Interrupt{})
	if got := c.heard(); !strings.Contains(got, `"turnId":"S"`) {
		t.Errorf("heard %s", got)
	}
	c.agent(completed("A", "R", "interrupted"))
	if got := c.all(a); !strings.HasSuffix(got, "turn ended: interrupted") {
		t.Errorf("got %s", got)
	}
}

// Proves: T26
func TestRequests(t *testing.T) {
	const (
		command = `{"method":"item/commandExecution/requestApproval","id":0,"params":{"threadId":"A","turnId":"1","itemId":"x","command":"rm a","cwd":"/w"%s}}`
		patch   = `{"method":"item/fileChange/requestApproval","id":0,"params":{"threadId":"A","turnId":"1","itemId":"f"}}`
		mcp     = `{"method":"mcpServer/elicitation/request","id":0,"params":{"threadId":"A","turnId":"1","serverName":"s","mode":"form","message":"ok?","_meta":{"codex_approval_kind":"mcp_tool_call","tool_name":"t","persist":["session","always"]},"requestedSchema":{"type":"object","properties":{}}}}`
		form    = `{"method":"mcpServer/elicitation/request","id":0,"params":{"threadId":"A","turnId":"1","serverName":"s","mode":"form","message":"who?","requestedSchema":{"type":"object","properties":{` +
			`"name":{"type":"string","default":"me"},"age":{"type":"integer"},"sure":{"type":"boolean"},"size":{"type":"string","oneOf":[{"const":"s","title":"Small"}]},"tags":{"type":"array","items":{"enum":["a","b"]}}}}}}`
		url   = `{"method":"mcpServer/elicitation/request","id":0,"params":{"threadId":"A","turnId":"1","serverName":"s","mode":"url","message":"log in","url":"https://example.invalid/"}}`
		grant = `{"method":"item/permissions/requestApproval","id":0,"params":{"threadId":"A","turnId":"1","itemId":"p","permissions":{"network":{"enabled":true}},"reason":"to fetch"}}`
		ask   = `{"method":"item/tool/requestUserInput","id":"q","params":{"threadId":"A","turnId":"1","itemId":"c","autoResolutionMs":5000,"questions":[{"id":"one","question":"1?"},{"id":"two","question":"2?","options":[{"label":"b"}]}]}}`
	)
	allow := func(option string) adapters.Answer {
		return adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed, Option: option}
	}
	deny := func(option string) adapters.Answer {
		return adapters.Answer{Key: 1, Outcome: protocol.OutcomeDenied, Option: option}
	}
	for _, x := range []struct {
		name, asked string
		answer      adapters.Answer
		want        string
	}{
		{"allow", fmt.Sprintf(command, ""), allow(""), `{"decision":"accept"}`},
		{"allow once", fmt.Sprintf(command, ""), allow(protocol.AllowOnce), `{"decision":"accept"}`},
		{"allow for the session", fmt.Sprintf(command, ""), allow(protocol.AllowAlways), `{"decision":"acceptForSession"}`},
		{
			"allow by a rule", fmt.Sprintf(command, `,"availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["rm"]}},"cancel"]`), allow(protocol.AllowAlways),
			`{"decision":{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["rm"]}}}`,
		},
		{"deny", fmt.Sprintf(command, ""), deny(""), `{"decision":"decline"}`},
		{"deny and stop", fmt.Sprintf(command, ""), deny(protocol.DenyStop), `{"decision":"cancel"}`},
		{"cancelled", fmt.Sprintf(command, ""), adapters.Answer{Key: 1, Outcome: protocol.OutcomeCancelled}, `{"decision":"cancel"}`},
		{"patch", patch, allow(protocol.AllowAlways), `{"decision":"acceptForSession"}`},
		{"MCP tool", mcp, allow(protocol.AllowOnce), `{"action":"accept","content":{},"_meta":null}`},
		{"MCP tool for the session", mcp, allow(protocol.AllowAlways), `{"action":"accept","content":{},"_meta":{"persist":"session"}}`},
		{"MCP tool denied for whatever reason", mcp, adapters.Answer{Key: 1, Outcome: protocol.OutcomeCancelled}, `{"action":"decline","content":null,"_meta":null}`},
		{"MCP tool denied", mcp, deny(protocol.DenyContinue), `{"action":"decline","content":null,"_meta":null}`},
		{
			"form", form,
			adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"you"}, {"7"}, {"true"}, {"s"}, {"a", "b"}}},
			`{"action":"accept","content":{"age":7,"name":"you","size":"s","sure":true,"tags":["a","b"]},"_meta":null}`,
		},
		{
			"form, some left out", form,
			adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{""}, {""}, {" "}}},
			`{"action":"accept","content":{"name":""},"_meta":null}`,
		},
		{"form cancelled", form, adapters.Answer{Key: 1, Outcome: protocol.OutcomeCancelled}, `{"action":"cancel","content":null,"_meta":null}`},
		{"URL", url, adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"accept"}}}, `{"action":"accept","content":{},"_meta":null}`},
		{"URL declined", url, adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"decline"}}}, `{"action":"decline","content":null,"_meta":null}`},
		{"permissions", grant, allow(protocol.AllowAlways), `{"permissions":{"network":{"enabled":true}},"scope":"session"}`},
		{"no permissions", grant, deny(""), `{"permissions":{}}`},
		{
			"questions", ask,
			adapters.Answer{Key: 1, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"x"}, {"b"}}},
			`{"answers":{"one":{"answers":["x"]},"two":{"answers":["b"]}}}`,
		},
		{"questions cancelled", ask, adapters.Answer{Key: 1, Outcome: protocol.OutcomeCancelled}, `{"answers":{}}`},
	} {
		t.Run(x.name, func(t *testing.T) {
			c, a := inTurn(t)
			c.agent(item("started", "A", "1", `"type":"mcpToolCall","id":"call","server":"s","tool":"t","status":"inProgress"`))
			c.agent(x.asked)
			c.agent(x.asked) // asked again after a rejoin: not another request
			c.heard()
			c.command(a, x.answer)
			c.command(a, x.answer) // of what is answered
			id := "0"
			if strings.Contains(x.asked, `"id":"q"`) {
				id = `"q"`
			}
			same(t, c.heard(), `{"id":`+id+`,"result":`+x.want+`}`)
			c.agent(`{"method":"serverRequest/resolved","params":{"threadId":"A","requestId":` + id + `}}`)
			if got := c.all(a); strings.Contains(got, "request 1 closed") {
				t.Errorf("our own answer was told back: %s", got)
			}
		})
	}
}

func TestRequestsThatEnd(t *testing.T) {
	const asks = `{"method":"item/commandExecution/requestApproval","id":3,"params":{"threadId":"A","turnId":"1","itemId":"x","command":"rm a"}}`
	open := item("started", "A", "1", `"type":"commandExecution","id":"x","command":"rm a","status":"inProgress","source":"agent"`)
	t.Run("withdrawn", func(t *testing.T) {
		c, a := inTurn(t)
		c.agent(open, asks, `{"method":"serverRequest/resolved","params":{"threadId":"A","requestId":3}}`)
		if got := c.all(a); !strings.HasSuffix(got, "request 1 closed: cancelled  []") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("its call ends", func(t *testing.T) {
		c, a := inTurn(t)
		c.agent(open, asks, item("completed", "A", "1", `"type":"commandExecution","id":"x","command":"rm a","status":"declined"`))
		if got := c.all(a); !strings.Contains(got, "request 1 closed: cancelled  []\nentry 1 closed") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a server asks beside its call, which ends", func(t *testing.T) {
		c, a := inTurn(t)
		c.agent(
			item("started", "A", "1", `"type":"mcpToolCall","id":"call","server":"s","tool":"t","status":"inProgress"`),
			`{"method":"mcpServer/elicitation/request","id":3,"params":{"threadId":"A","turnId":"1","serverName":"s","mode":"form","message":"who?","requestedSchema":{"type":"object","properties":{}}}}`,
			item("completed", "A", "1", `"type":"mcpToolCall","id":"call","server":"s","tool":"t","status":"completed"`),
		)
		if got := c.all(a); !strings.Contains(got, "entry 1 closed") || strings.Contains(got, "request 1 closed") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("of an item that was not seen", func(t *testing.T) {
		c, a := inTurn(t)
		c.agent(asks)
		if got := c.all(a); !strings.Contains(got, `entry 1 opened: tool_call id x {"toolName":"shell","callId":"x","command":"rm a","status":"running","gap":true}`) ||
			!strings.Contains(got, "request 1 opened: entry 1") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a call that waits does not outlive the turn, one that was allowed does", func(t *testing.T) {
		c, a := inTurn(t)
		c.agent(open, asks, completed("A", "1", "interrupted"))
		if got := c.all(a); !strings.HasSuffix(got, "turn ended: interrupted") {
			t.Errorf("got %s", got)
		}
		c, a = inTurn(t)
		c.agent(open, asks)
		c.command(a, adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed})
		c.agent(completed("A", "1", "interrupted"))
		if got := c.all(a); !strings.HasSuffix(got, "turn ended: interrupted (running on: [1])") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a tool of nobody", func(t *testing.T) {
		c, _ := inTurn(t)
		c.agent(`{"method":"item/tool/call","id":4,"params":{"threadId":"A","turnId":"1","callId":"c","tool":"weather","arguments":{}}}`)
		same(t, c.heard(), `{"id":4,"result":{"contentItems":[{"type":"inputText","text":"nobody here has this tool"}],"success":false}}`)
	})
}

func TestSettings(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.all(a)
	c.heard()
	c.command(a, adapters.SetModel{ID: "1", Model: "n"})
	c.answer("thread/settings/update", `{}`)
	c.command(a, adapters.SetMode{ID: "2", Mode: "full-access"})
	same(t, c.heard(), `{"id":"rm1:st4","method":"thread/settings/update","params":{"threadId":"A","approvalPolicy":"never","sandboxPolicy":{"type":"dangerFullAccess"}}}`)
	c.agent(`{"id":"rm1:st4","error":{"code":-32600,"message":"not allowed"}}`)
	c.command(a, adapters.SetMode{ID: "3", Mode: "workspace-write"}) // which it is: the operator's own policy stays
	same(t, c.heard(), `{"id":"rm1:st5","method":"thread/settings/update","params":{"threadId":"A"}}`)
	c.command(a, adapters.SetMode{ID: "4", Mode: "lazy"})
	c.command(a, adapters.SetModel{ID: "5"})
	same(t, c.all(a), `setting 1 next turn
setting 2 refused not allowed
setting 4 refused there is no such mode
setting 5 refused nothing to set`)
	const settings = `{"method":"thread/settings/updated","params":{"threadId":"A","threadSettings":{"model":"n","effort":"high","sandboxPolicy":{"type":"workspaceWrite"},"collaborationMode":{"mode":%q}}}}`
	c.agent(fmt.Sprintf(settings, "plan"), fmt.Sprintf(settings, "plan"))
	same(t, c.all(a), `meta: "model":"n","mode":"plan"}`)
	c.command(a, adapters.SetMode{ID: "6", Mode: "workspace-write"})
	if got := c.heard(); !strings.HasSuffix(got, `"params":{"threadId":"A","collaborationMode":{"mode":"default","settings":{"model":"n","reasoning_effort":"high"}}}}`) {
		t.Errorf("heard %s", got)
	}
	c.agent(fmt.Sprintf(settings, "default"), `{"method":"thread/name/updated","params":{"threadId":"A","threadName":"Heron"}}`)
	same(t, c.all(a), "meta: \"mode\":\"workspace-write\"}\nmeta: \"title\":\"Heron\"}")
}

func TestConnection(t *testing.T) {
	name := func(s adapters.Spec) string { return codex.Agent{}.Connection(s) }
	spec := func(env ...string) adapters.Spec {
		return adapters.Spec{Program: "/bin/codex", Cwd: "/a", SessionID: "1", Env: env}
	}
	base := name(spec("A=1", "B=2", adapters.MarkerEnv+"=x"))
	if other := spec("B=2", "A=1", adapters.MarkerEnv+"=y"); name(other) != base || base == "" {
		t.Error("an equal environment is another connection")
	}
	other := spec("A=1", "B=2")
	other.Cwd, other.SessionID, other.Model = "/b", "2", "m"
	if name(other) != base {
		t.Error("another folder is another connection")
	}
	attached := spec("A=1", "B=2")
	attached.Endpoint = &adapters.Endpoint{URL: "ws://127.0.0.1:1"}
	args := spec("A=1", "B=2")
	args.Args = []string{"-c", "x=1"}
	for what, s := range map[string]adapters.Spec{"environment": spec("A=2", "B=2"), "endpoint": attached, "arguments": args} {
		if name(s) == base {
			t.Errorf("another %s is the same connection", what)
		}
	}
	if strings.Contains(name(spec("KEY=secret")), "secret") {
		t.Error("the name tells the environment")
	}
}

// TestLimits: no text is longer than the session wants it, and what was cut says so.
func TestLimits(t *testing.T) {
	tr := codex.Agent{}.Translator(adapters.Spec{NativeSessionID: "A", Child: true, MaxText: 100})
	var out adapters.Output
	tr.Start(&out)
	long := strings.Repeat("é", 400)
	for _, l := range []string{
		started("A", "1"), item("started", "A", "1", `"type":"commandExecution","id":"x","command":"c","status":"inProgress"`),
		item("completed", "A", "1", `"type":"commandExecution","id":"x","command":"`+long+`","status":"completed","aggregatedOutput":"`+long+`"`),
		item("completed", "A", "1", `"type":"reasoning","id":"r","summary":["`+long+`","b"],"content":["`+long+`"]`),
		item("completed", "A", "1", `"type":"fileChange","id":"f","changes":[{"path":"p","kind":{"type":"add"},"diff":"`+long+`"}],"status":"completed"`),
	} {
		tr.Line([]byte(l), &out)
	}
	n := 0
	for _, d := range out.Drafts {
		closed, ok := d.(adapters.EntryClosed)
		if !ok {
			continue
		}
		n++
		switch e := closed.Data.(type) {
		case *protocol.ToolCallData:
			if len(e.Output) > 100 || len(e.Command) > 100 || len(e.Diff) > 100 || e.Output != "" && (!e.Truncated || e.Bytes != 800) ||
				e.Diff != "" && !extra(e.Extra, "diffTruncated", "true") {
				t.Errorf("got %+v", e)
			}
		case *protocol.ThinkingData:
			if len(e.Text) > 100 || !e.Truncated || len(e.Summary) != 1 || len(e.Summary[0]) > 100 || !extra(e.Extra, "summaryTruncated", "true") {
				t.Errorf("got %+v", e)
			}
		default:
		}
	}
	if n != 3 {
		t.Errorf("%d entries ended", n)
	}
}

// TestDeltasInAnyOrder: a version that writes its members in another order is understood all the same.
func TestDeltasInAnyOrder(t *testing.T) {
	c, a := inTurn(t)
	c.agent(item("started", "A", "1", `"type":"agentMessage","id":"m","text":""`),
		`{"params":{"delta":"one","itemId":"m","turnId":"1","threadId":"A"},"method":"item/agentMessage/delta"}`,
		` {"method":"item/agentMessage/delta","params":{"delta":" two","itemId":"m","turnId":"1","threadId":"A"}} `)
	if got := c.all(a); strings.Count(got, "text_append") != 2 || !strings.Contains(got, " two") {
		t.Errorf("got %s", got)
	}
}
