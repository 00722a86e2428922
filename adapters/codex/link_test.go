package codex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// lose loses the connection and opens it again, up to the answer to thread/resume.
func (c *wire) lose() {
	c.t.Helper()
	c.agent(lostLine)
	c.comeBack()
}

func (c *wire) comeBack() {
	c.t.Helper()
	c.lines = nil
	c.agent(openLine)
	if len(c.lines) < 2 || c.lines[0] != openLine || !strings.Contains(c.lines[1], `"initialize"`) {
		c.t.Fatalf("heard %q", c.lines)
	}
	c.answer("initialize", `{}`)
}

func user(id, client, text string) string {
	return fmt.Sprintf(`{"type":"userMessage","id":%q,"clientId":%q,"content":[{"type":"text","text":%q}]}`, id, client, text)
}

// drafts describes what a lane said, without what is said of each loss.
func (c *wire) drafts(lane adapters.Lane) string {
	var list []string
	for l := range strings.SplitSeq(c.all(lane), "\n") {
		if !strings.Contains(l, "connection_lost") && !strings.Contains(l, "caught_up") {
			list = append(list, l)
		}
	}
	return strings.Join(list, "\n")
}

// TestPromptUnderWay: a prompt whose answer was lost is found in the thread, or sent again.
func TestPromptUnderWay(t *testing.T) {
	const began = `turn began
entry 1 opened: user_message id u {"role":"user","text":"hi","recovered":true}
entry 1 closed: {"role":"user","text":"hi","recovered":true}
`
	again := `"method":"turn/start","params":{"threadId":"A","input":[{"type":"text","text":"hi"}],"clientUserMessageId":"p"}}`
	for _, x := range []struct{ name, result, said, heard string }{
		{"never taken", resumed("idle", ""), "", again},
		{"taken", resumed("active", "", pastTurn("1", "inProgress", user("u", "p", "hi"))), began + "prompt p started", ""},
		{"about to begin", resumed("active", "", pastTurn("1", "inProgress")), "turn began\nprompt p started", ""},
		{"over", resumed("idle", "", pastTurn("1", "completed", user("u", "p", "hi"))), began + "turn ended: completed\nprompt p started", ""},
		{
			"behind somebody else's", resumed("idle", "", pastTurn("1", "completed", user("u", "other", "hi"))),
			strings.Replace(began, "turn began", `turn began: "hi"`, 1) + "turn ended: completed", again,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := ready(t)
			a := c.session("A")
			c.command(a, adapters.Prompt{ID: "p", Text: "hi"})
			c.lose()
			c.all(a)
			c.answer("thread/resume", x.result)
			same(t, c.drafts(a), x.said)
			if got := c.heard(); !strings.HasSuffix(got, x.heard) || strings.Contains(got, "turn/start") != (x.heard != "") {
				t.Errorf("heard %s", got)
			}
		})
	}
}

// TestPromptAgainAndAgain: what is never answered is not sent for ever.
func TestPromptAgainAndAgain(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.command(a, adapters.Prompt{ID: "p", Text: "hi"})
	for range 5 {
		c.lose()
		c.answer("thread/resume", resumed("idle", ""))
	}
	if got := c.all(a); !strings.HasSuffix(got, "prompt p refused the connection to the agent was lost again and again") {
		t.Errorf("got %s", got)
	}
}

// TestSteerUnderWay: a steer that a running turn may have taken is not sent again before the turn is over.
func TestSteerUnderWay(t *testing.T) {
	for _, taken := range []bool{true, false} {
		c := ready(t)
		a := c.session("A")
		c.agent(started("A", "1"), item("started", "A", "1", `"type":"agentMessage","id":"m"`), delta("A", "1", "m", "one"))
		c.command(a, adapters.Prompt{ID: "s", Text: "left", Steer: true})
		c.lose()
		c.answer("thread/resume", resumed("active", "", pastTurn("1", "inProgress")))
		c.lose()
		c.answer("thread/resume", resumed("active", "", pastTurn("1", "inProgress")))
		if got := c.heard(); strings.Contains(got, "turn/") {
			t.Fatalf("heard %s", got)
		}
		c.all(a)
		if taken {
			c.agent(item("started", "A", "1", `"type":"userMessage","id":"u","clientId":"s","content":[]`), completed("A", "1", "completed"))
			same(t, c.all(a), `prompt s handled
entry 1 left (steered): {"role":"assistant","text":"one","gap":true}
entry 2 opened: user_message id u {"role":"user","text":""}
turn ended: completed`)
			same(t, c.heard(), "")
			continue
		}
		c.agent(completed("A", "1", "completed"))
		same(t, c.all(a), "turn ended: completed")
		if got := c.heard(); !strings.Contains(got, `"turn/start"`) || !strings.Contains(got, `"clientUserMessageId":"s"`) {
			t.Errorf("heard %s", got)
		}
	}
}

// TestCommandsWhileAway wait until the thread is joined again, in order.
func TestCommandsWhileAway(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.agent(started("A", "1"))
	c.command(a, adapters.SetMode{ID: "under way", Mode: "read-only"})
	c.agent(lostLine)
	c.all(a)
	c.heard()
	c.command(a, adapters.Interrupt{})
	c.command(a, adapters.SetModel{ID: "m", Model: "big"})
	c.command(a, adapters.Prompt{ID: "p", Text: "next", Steer: true})
	same(t, c.heard(), "")
	c.comeBack()
	c.answer("thread/resume", resumed("active", "", pastTurn("1", "inProgress")))
	var methods []string
	for l := range strings.SplitSeq(c.heard(), "\n") {
		for _, m := range []string{"turn/interrupt", `"readOnly"`, `"big"`, "turn/steer"} {
			if strings.Contains(l, m) {
				methods = append(methods, m)
			}
		}
	}
	same(t, strings.Join(methods, " "), `turn/interrupt "readOnly" "big" turn/steer`)
	same(t, c.all(a), "phase: responding")

	c.agent(completed("A", "1", "interrupted"), lostLine)
	c.all(a)
	for i := range 65 {
		c.command(a, adapters.Prompt{ID: fmt.Sprint(i), Text: "x"})
	}
	const why = "the connection to the agent is lost"
	// Two settings whose answers were lost wait as well.
	same(t, c.all(a), "prompt 62 refused "+why+"\nprompt 63 refused "+why+"\nprompt 64 refused "+why)
	c.command(a, adapters.Interrupt{})
	if got := strings.Count(c.all(a), "refused interrupted while the connection to the agent was lost"); got != 62 {
		t.Errorf("%d refused", got)
	}
}

// TestInterruptBehindPrompt: an interrupted prompt is not sent again, and its turn is stopped where it has begun.
func TestInterruptBehindPrompt(t *testing.T) {
	for _, taken := range []bool{true, false} {
		c := ready(t)
		a := c.session("A")
		c.command(a, adapters.Prompt{ID: "p", Text: "hi"})
		c.agent(lostLine)
		c.command(a, adapters.Interrupt{})
		c.comeBack()
		c.all(a)
		if taken {
			c.answer("thread/resume", resumed("active", "", pastTurn("1", "inProgress")))
			same(t, c.all(a), "turn began\nprompt p started")
			if got := c.heard(); !strings.Contains(got, `"turn/interrupt","params":{"threadId":"A","turnId":"1"}`) {
				t.Errorf("heard %s", got)
			}
			continue
		}
		c.answer("thread/resume", resumed("idle", ""))
		same(t, c.all(a), "prompt p refused interrupted while the connection to the agent was lost")
		c.agent(started("A", "2")) // somebody else's
		if got := c.heard(); strings.Contains(got, "turn/") {
			t.Errorf("heard %s", got)
		}
	}
}

// TestLostEarly: a thread that has not begun is begun again, one that is resumed is resumed again.
func TestLostEarly(t *testing.T) {
	c := newWire(t)
	c.do(func(out *adapters.Split) { c.s.Start(out) })
	a := c.join(adapters.Spec{Cwd: "/w"})
	c.agent(lostLine)
	b := c.join(adapters.Spec{Cwd: "/b"}) // while it is away
	c.comeBack()
	got := c.heard()
	if strings.Count(got, `"cwd":"/w"`) != 1 || strings.Count(got, `"cwd":"/b"`) != 1 {
		t.Fatalf("heard %s", got)
	}
	c.agent(lostLine)
	c.comeBack()
	c.answer("thread/start", `{"thread":{"id":"B"},"model":"m"}`)
	c.answer("thread/start", `{"thread":{"id":"A"},"model":"m"}`)
	for _, lane := range []adapters.Lane{a, b} {
		if got := c.drafts(lane); !strings.HasPrefix(got, "ready: session ") {
			t.Errorf("lane %d: got %s", lane, got)
		}
	}

	c, a = resume(t, "m1")
	c.answer("thread/resume", resumed("idle", "older", pastTurn("3", "completed", message("m3", "three"))))
	c.lose() // a page was under way
	c.answer("thread/resume", resumed("idle", "", pastTurn("3", "completed", message("m3", "three")), pastTurn("2", "completed", message("m1", "one"))))
	same(t, c.drafts(a), `entry 1 opened: assistant_message id m3 {"role":"assistant","text":"three","recovered":true}
entry 1 closed: {"role":"assistant","text":"three","recovered":true}
ready: session "A" version "" model "m" mode ""`)
	c.lose()
	c.answer("thread/resume", resumed("idle", "older", pastTurn("4", "completed", message("m4", "four"))))
	c.agent(lostLine)
	c.comeBack() // a page of the rejoin was
	c.answer("thread/resume", resumed("idle", "older", pastTurn("4", "completed", message("m4", "four"))))
	c.answer("thread/turns/list", `{"data":[`+pastTurn("3", "completed", message("m3", "three"))+`],"nextCursor":"more"}`)
	same(t, c.drafts(a), `turn began
entry 2 opened: assistant_message id m4 {"role":"assistant","text":"four","recovered":true}
entry 2 closed: {"role":"assistant","text":"four","recovered":true}
turn ended: completed`)
}

// TestNotRejoined: a thread that the server has lost is begun anew, what else is refused ends the turn.
func TestNotRejoined(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.lose()
	c.all(a)
	c.refuse("thread/resume", "no rollout found for thread id A")
	c.command(a, adapters.Prompt{ID: "p", Text: "hi"})
	c.answer("thread/start", `{"thread":{"id":"B"},"model":"m"}`)
	same(t, c.all(a), `meta: "nativeSessionId":"B"}`)
	if got := c.heard(); !strings.Contains(got, `"turn/start","params":{"threadId":"B"`) {
		t.Errorf("heard %s", got)
	}

	c = ready(t)
	a = c.session("A")
	c.agent(started("A", "1"))
	c.command(a, adapters.Prompt{ID: "s", Text: "hi", Steer: true})
	c.lose()
	c.all(a)
	c.refuse("thread/resume", "the disk is on fire")
	same(t, c.all(a), `notice: error resume_failed "the disk is on fire"
turn ended: interrupted, lost the thread could not be joined again: the disk is on fire
prompt s refused the thread could not be joined again: the disk is on fire`)

	c = ready(t)
	a = c.session("A")
	c.agent(lostLine, openLine)
	c.all(a)
	c.refuse("initialize", "you again")
	same(t, c.all(a), `notice: error resume_failed "you again"`)
}

// TestHistoryLost: of a thread whose known turns are gone only what runs is taken.
func TestHistoryLost(t *testing.T) {
	for _, x := range []struct{ name, result, want string }{
		{
			"at work", resumed("active", "", pastTurn("9", "inProgress", user("u", "", "hi")), pastTurn("8", "completed", message("m", "old"))),
			"turn ended: interrupted, lost the end of the turn was not seen\nturn began: \"hi\"\nentry 1 opened: user_message id u",
		},
		{"idle", resumed("idle", "", pastTurn("8", "completed", message("m", "old"))), "turn ended: interrupted, lost the end of the turn was not seen"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := ready(t)
			a := c.session("A")
			c.agent(started("A", "1"))
			c.lose()
			c.all(a)
			c.answer("thread/resume", x.result)
			got := c.all(a)
			_, got, found := strings.Cut(got, "older entries are missing here.\"\n")
			if !found || !strings.HasPrefix(got, x.want) || strings.Contains(got, "old\"") {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestReviewRejoined: the turn of a review has two ids, of which the thread may tell either.
func TestReviewRejoined(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.all(a)
	c.agent(item("started", "A", "items", `"type":"enteredReviewMode","id":"r","review":"x"`))
	c.lose()
	c.answer("thread/resume", resumed("active", "", pastTurn("turn", "inProgress", `{"type":"enteredReviewMode","id":"r","review":"x"}`)))
	c.agent(item("completed", "A", "items", `"type":"agentMessage","id":"m","text":"fine"`), completed("A", "items", "completed"))
	if got := c.all(a); strings.Count(got, "turn began") != 1 || strings.Count(got, " opened: ") != 2 || !strings.HasSuffix(got, "turn ended: completed") {
		t.Errorf("got %s", got)
	}
}

// TestLeaveWhileAway: what a session leaves behind is ended when the server can be told.
func TestLeaveWhileAway(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	b := c.session("B")
	c.agent(started("A", "1"), lostLine)
	c.do(func(out *adapters.Split) { c.s.Leave(a, out) })
	c.heard()
	c.agent(openLine)
	c.answer("initialize", `{}`)
	var got []string
	for l := range strings.SplitSeq(c.heard(), "\n") {
		if strings.Contains(l, `"threadId":"A"`) {
			_, l, _ = strings.Cut(l, `"method":`)
			got = append(got, l)
		}
	}
	same(t, strings.Join(got, "\n"), `"turn/interrupt","params":{"threadId":"A","turnId":"1"}}
"thread/backgroundTerminals/clean","params":{"threadId":"A"}}
"thread/unsubscribe","params":{"threadId":"A"}}`)
	if len(c.lanes[b].said) == 0 {
		t.Error("the other one was not told")
	}
}

// TestTurnBeganMeanwhile: leaving a session ends also a turn that it has learned of only by joining again.
func TestTurnBeganMeanwhile(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.all(a)
	c.agent(started("A", "1"))
	c.lose()
	c.answer("thread/resume", resumed("active", "", pastTurn("2", "inProgress"), pastTurn("1", "failed")))
	same(t, c.drafts(a), "turn began\nphase: retrying\nturn ended: error the turn failed\nturn began")
	c.heard()
	c.do(func(out *adapters.Split) { c.s.Leave(a, out) })
	if got := c.heard(); !strings.Contains(got, `"turnId":"2"`) {
		t.Errorf("heard %s", got)
	}
}

// TestSubAgentRejoins: a sub-agent's thread is joined again as its parent's is.
func TestSubAgentRejoins(t *testing.T) {
	c := ready(t)
	a := c.session("A")
	c.agent(started("A", "1"), item("started", "A", "1", `"type":"subAgentActivity","id":"s","kind":"started","agentThreadId":"K","agentPath":"/k"`), started("K", "k1"))
	kid := a + 1
	c.lose()
	c.all(kid)
	c.answer("thread/resume", strings.Replace(resumed("idle", "", pastTurn("k1", "completed", message("m", "done"))), `"id":"A"`, `"id":"K"`, 1))
	same(t, c.drafts(kid), `meta: "model":"m"}
entry 1 opened: assistant_message id m {"role":"assistant","text":"done","recovered":true}
entry 1 closed: {"role":"assistant","text":"done","recovered":true}
turn ended: completed`)
}
