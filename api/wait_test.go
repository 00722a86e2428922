package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// waits calls wait beside the test.
func (h *harness) waits(body string) <-chan resource.WaitAnswer {
	done := make(chan resource.WaitAnswer, 1)
	req := h.request("POST", "/wait", body).WithContext(h.t.Context())
	go func() { // ends with the call
		defer close(done)
		res, err := h.http.Do(req)
		if err != nil {
			h.t.Error(err)
			return
		}
		defer res.Body.Close()
		var a resource.WaitAnswer
		if b, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(b, &a) != nil {
			h.t.Errorf("wait: %d %s %v", res.StatusCode, b, err)
			return
		}
		done <- a
	}()
	return done
}

// wait looks once.
func (h *harness) wait(body string) (a resource.WaitAnswer) {
	h.t.Helper()
	h.want(http.StatusOK, "POST", "/wait", body).into(h.t, &a)
	return a
}

// atDesk returns once n calls wait.
func (h *harness) atDesk(n int) {
	h.t.Helper()
	for begun := time.Now(); h.api.streams.Open() != n; runtime.Gosched() {
		if time.Since(begun) > patience {
			h.t.Fatalf("%d calls wait, not %d", h.api.streams.Open(), n)
		}
	}
}

// TestWaitConditions: each condition holds at once where it holds, else when it comes to hold, and never before.
// Proves: I13.3/conditions
func TestWaitConditions(t *testing.T) {
	h := newHarness(t)
	id := h.create("asking")
	h.turnless(id)
	body := func(until string, ms int) string {
		return fmt.Sprintf(`{"sessions":[%q],"until":%s,"timeoutMs":%d}`, id, until, ms)
	}
	conditions := map[resource.WaitReason]string{
		resource.BecauseStates:  `{"states":["awaiting_approval","awaiting_input"]}`,
		resource.BecauseRequest: `{"request":true}`,
		resource.BecauseSeq:     `{"seq":` + strconv.FormatUint(seqOf(h, id)+3, 10) + `}`,
	}
	calls := map[resource.WaitReason]<-chan resource.WaitAnswer{}
	for because, until := range conditions {
		if a := h.wait(body(until, 0)); a.Held || a.Sessions[0].Because != "" || a.Sessions[0].State != protocol.StateIdle {
			t.Errorf("%s before it comes: %+v", because, a)
		}
		calls[because] = h.waits(body(until, 20_000))
	}
	h.atDesk(len(calls))
	var p resource.PromptAccepted
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`).into(t, &p)
	for because, call := range calls {
		if a := <-call; !a.Held || len(a.Sessions) != 1 || a.Sessions[0].Because != because || a.Sessions[0].Cursor == "" {
			t.Errorf("%s when it comes: %+v", because, a)
		}
		if a := h.wait(body(conditions[because], 0)); !a.Held {
			t.Errorf("%s once it is there: %+v", because, a)
		}
	}
	later := map[resource.WaitReason]string{
		resource.BecausePrompt: `{"prompt":"` + p.PromptID + `"}`,
		resource.BecauseTurn:   `{"turn":"current"}`,
		resource.BecauseStates: `{"states":["idle"]}`,
	}
	calls = map[resource.WaitReason]<-chan resource.WaitAnswer{}
	for because, until := range later {
		if a := h.wait(body(until, 0)); a.Held {
			t.Errorf("%s before it comes: %+v", because, a)
		}
		calls[because] = h.waits(body(until, 20_000))
	}
	h.atDesk(len(calls))
	h.answerAll(id)
	for because, call := range calls {
		a := <-call
		if !a.Held || a.Sessions[0].Because != because {
			t.Fatalf("%s when it comes: %+v", because, a)
		}
		if o := a.Sessions[0].Outcome; (o != nil) != (because == resource.BecausePrompt) {
			t.Errorf("%s: outcome %+v", because, o)
		}
	}
	if a := h.wait(body(`{"rest":true}`, 0)); !a.Held || a.Sessions[0].Because != resource.BecauseRest {
		t.Errorf("at rest: %+v", a)
	}
	if a := h.wait(body(`{"turn":"t1"}`, 0)); !a.Held {
		t.Errorf("a turn that is over: %+v", a)
	}
	if a := h.wait(body(`{"turn":"t2"}`, 20)); a.Held {
		t.Errorf("a turn that is to come: %+v", a)
	}
	ends := h.waits(body(`{"ended":true}`, 20_000))
	h.atDesk(1)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", `{}`)
	if a := <-ends; !a.Held || a.Sessions[0].Because != resource.BecauseEnded {
		t.Errorf("ended: %+v", a)
	}
}

// turnless returns once a session is idle.
func (h *harness) turnless(id string) {
	h.t.Helper()
	if a := h.wait(fmt.Sprintf(`{"sessions":[%q],"until":{"states":["idle"]},"timeoutMs":20000}`, id)); !a.Held {
		h.t.Fatalf("%+v", a)
	}
}

// answerAll allows what a session asks until it is idle.
func (h *harness) answerAll(id string) {
	h.t.Helper()
	for {
		a := h.wait(fmt.Sprintf(`{"sessions":[%q],"until":{"states":["idle"],"request":true},"timeoutMs":20000}`, id))
		if a.Sessions[0].Because != resource.BecauseRequest {
			return
		}
		var list resource.RequestList
		h.want(http.StatusOK, "GET", "/sessions/"+id+"/requests", "").into(h.t, &list)
		for _, r := range list.Requests {
			h.do("POST", "/sessions/"+id+"/requests/"+r.RequestID, `{"outcome":"cancelled"}`)
		}
	}
}

// TestWaitForSeveral: all holds when it holds of each at once, any when it holds of one, also of a session that comes later; what was deleted is said.
// Proves: I13.3/several
func TestWaitForSeveral(t *testing.T) {
	h := newHarness(t)
	one, two := h.createWith(`{"agent":"asking","cwd":"/work/x","labels":{"team":"a"}}`), h.create("asking")
	both := fmt.Sprintf(`{"sessions":[%q,%q],"until":{"ended":true},"timeoutMs":20000`, one, two)
	all, some := h.waits(both+`}`), h.waits(both+`,"of":"any"}`)
	chosen := h.waits(`{"select":{"labels":{"team":"b"}},"until":{"ended":true},"timeoutMs":20000}`)
	lost := h.waits(fmt.Sprintf(`{"sessions":[%q],"until":{"seq":100000},"timeoutMs":20000}`, two))
	h.atDesk(4)
	h.want(http.StatusOK, "POST", "/sessions/"+one+"/end", `{}`)
	if a := <-some; !a.Held || len(a.Sessions) != 1 || a.Sessions[0].SessionID != one {
		t.Errorf("any: %+v", a)
	}
	h.atDesk(3)
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+two, "")
	if a := <-all; !a.Held || len(a.Sessions) != 2 || !a.Sessions[1].Deleted || a.Sessions[1].Because != resource.BecauseEnded {
		t.Errorf("all: %+v", a)
	}
	if a := <-lost; a.Held || !a.Never || !a.Sessions[0].Deleted {
		t.Errorf("a number of a session that was deleted: %+v", a)
	}
	later := h.createWith(`{"agent":"asking","cwd":"/work/x","labels":{"team":"b"}}`)
	h.atDesk(1)
	h.want(http.StatusOK, "POST", "/sessions/"+later+"/end", `{}`)
	if a := <-chosen; !a.Held || len(a.Sessions) != 1 || a.Sessions[0].SessionID != later {
		t.Errorf("a session that came later: %+v", a)
	}
}

// TestWaitIsRefused where it asks for what is not there.
func TestWaitIsRefused(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	for body, code := range map[string]protocol.Code{
		`{"until":{"ended":true}}`:                                       protocol.CodeInvalidRequest,
		`{"sessions":["` + id + `"],"until":{}}`:                         protocol.CodeInvalidRequest,
		`{"sessions":["` + id + `"],"until":{"turn":"x"}}`:               protocol.CodeInvalidRequest,
		`{"sessions":["` + id + `","` + id + `"],"until":{"rest":true}}`: protocol.CodeInvalidRequest,
		`{"select":{},"until":{"prompt":"p1"}}`:                          protocol.CodeInvalidRequest,
	} {
		h.refused(http.StatusBadRequest, code, "POST", "/wait", body)
	}
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "POST", "/wait", `{"sessions":["`+missingID+`"],"until":{"ended":true}}`)
	h.refused(http.StatusNotFound, protocol.CodePromptNotFound, "POST", "/wait", `{"sessions":["`+id+`"],"until":{"prompt":"p9"}}`)
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "POST", "/wait", `{"sessions":["`+id+`"],"until":{"ended":true},"timeoutMs":600001}`)
}

// TestWaitEndsWithItsConnection: nobody waits for a client that has gone.
func TestWaitEndsWithItsConnection(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { // ends with the context
		res, err := h.http.Do(h.request("POST", "/wait", `{"sessions":["`+id+`"],"until":{"ended":true}}`).WithContext(ctx))
		if err == nil {
			res.Body.Close()
		}
		done <- err
	}()
	h.atDesk(1)
	cancel()
	if err := <-done; err == nil {
		t.Error("it was answered")
	}
	h.atDesk(0)
}

// TestWaitLetsSessionsRest: a session that was put away is not taken up by being waited for, and what comes once it is taken up is seen.
// Proves: I13.3/rest
func TestWaitLetsSessionsRest(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	h.turn(id, "one")
	h.awaitReaders(id, "stream", 0) // the one of the turn would take it up again
	h.tree.passivate(id)
	body := func(until string) string {
		return `{"sessions":["` + id + `"],"until":` + until + `,"timeoutMs":20000}`
	}
	if a := h.wait(body(`{"rest":true}`)); !a.Held {
		t.Errorf("%+v", a)
	}
	calls := []<-chan resource.WaitAnswer{
		h.waits(body(fmt.Sprintf(`{"seq":%d}`, h.tree.roster.Find(id).Cursor().Seq+1))), h.waits(body(`{"turn":"t2"}`)), h.waits(body(`{"ended":true}`)),
	}
	h.atDesk(len(calls))
	if h.tree.isUp(id) {
		t.Error("it was taken up")
	}
	h.turn(id, "two")
	for i, call := range calls[:2] {
		if a := <-call; !a.Held {
			t.Errorf("call %d: %+v", i, a)
		}
	}
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", `{}`)
	if a := <-calls[2]; !a.Held {
		t.Errorf("%+v", a)
	}
}

// TestWaitWithinReach: a token waits for sessions that it can reach, also where it selects all of them, and those of others are not there.
// Proves: I13.3/reach
func TestWaitWithinReach(t *testing.T) {
	h := newHarness(t)
	mine, other := h.owned("ann", ""), h.owned("bob", "")
	ann := holders(t, h.api.cfg.Tokens, mine)[holder(access.Owner)]
	for _, c := range []struct {
		body string
		code protocol.Code
		ids  []string
	}{
		{body: `{"sessions":["` + mine + `"],"until":{"ended":true},"timeoutMs":0}`, ids: []string{mine}},
		{body: `{"sessions":["` + mine + `","` + other + `"],"until":{"ended":true},"timeoutMs":0}`, code: protocol.CodeSessionNotFound},
		{body: `{"select":{},"until":{"ended":true},"timeoutMs":0}`, ids: []string{mine}},
		{body: `{"select":{"owner":"bob"},"until":{"ended":true},"timeoutMs":0}`},
	} {
		r := h.ask(ann, "POST", "/wait", c.body)
		if r.code() != c.code {
			t.Errorf("%s: %s", c.body, r.body)
		}
		if c.code != "" {
			continue
		}
		var a resource.WaitAnswer
		r.into(t, &a)
		var ids []string
		for _, s := range a.Sessions {
			ids = append(ids, s.SessionID)
		}
		if !slices.Equal(ids, c.ids) {
			t.Errorf("%s: %v", c.body, ids)
		}
	}
}

// TestWaitsAreBounded together with streams, and one that has ended makes room.
func TestWaitsAreBounded(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.MaxStreams = 2 })
	id := h.create("echo")
	body := `{"sessions":["` + id + `"],"until":{"ended":true},"timeoutMs":20000}`
	one, two := h.waits(body), h.waits(body)
	h.atDesk(2)
	h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "POST", "/wait", body)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", `{}`)
	for _, call := range []<-chan resource.WaitAnswer{one, two} {
		if a := <-call; !a.Held {
			t.Errorf("%+v", a)
		}
	}
	h.atDesk(0)
	h.wait(body)
}

// TestWaitNamesTheCurrentTurn, so that a client that calls again waits for the same one.
func TestWaitNamesTheCurrentTurn(t *testing.T) {
	h := newHarness(t)
	id := h.create("asking")
	h.turnless(id)
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`)
	current := `{"sessions":["` + id + `"],"until":{"turn":"current"},"timeoutMs":0}`
	if a := h.wait(current); a.Held || a.Sessions[0].Turn != "t1" {
		t.Errorf("%+v", a)
	}
	h.answerAll(id)
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"y"}`)
	if a := h.wait(current); a.Held || a.Sessions[0].Turn != "t2" {
		t.Errorf("the next one: %+v", a)
	}
	if a := h.wait(`{"sessions":["` + id + `"],"until":{"turn":"t1"},"timeoutMs":0}`); !a.Held || a.Never {
		t.Errorf("the first one: %+v", a)
	}
}

// TestWaitTellsWhatIsWritten: for a client that has the receipt of its prompt, the session is not what it was before it.
func TestWaitTellsWhatIsWritten(t *testing.T) {
	h := newHarness(t)
	for range 50 {
		id := h.create("asking")
		h.turnless(id)
		var p resource.PromptAccepted
		h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`).into(t, &p)
		for _, until := range []string{`{"states":["idle"]}`, `{"turn":"current"}`, `{"prompt":"` + p.PromptID + `"}`} {
			if a := h.wait(fmt.Sprintf(`{"sessions":[%q],"until":%s,"timeoutMs":0}`, id, until)); a.Held {
				t.Fatalf("%s after %s: %+v", until, p.PromptID, a)
			}
		}
	}
}

// TestWaitAndJoinAgree: session_join of MCP and wait say the same of a session's rest, and of what became of a prompt, whatever the session does.
// Proves: I13.3/join
func TestWaitAndJoinAgree(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	agree := func(what, id string, rests bool) {
		t.Helper()
		a := h.wait(`{"sessions":["` + id + `"],"until":{"rest":true},"timeoutMs":0}`)
		j := callTool[joinedSessions](c, "session_join", args{"session_ids": []string{id}, "wait_ms": 0})
		if a.Held != rests || j.Done != rests || string(a.Sessions[0].State) != j.Sessions[0].State {
			t.Errorf("%s: wait says %v (%s), session_join %v (%s), want %v", what, a.Held, a.Sessions[0].State, j.Done, j.Sessions[0].State, rests)
		}
	}
	settled := func(what, id, prompt, outcome string) {
		t.Helper()
		a := h.wait(`{"sessions":["` + id + `"],"until":{"prompt":"` + prompt + `"},"timeoutMs":0}`)
		j := callTool[joinedSessions](c, "session_join", args{"session_ids": []string{id}, "prompt_id": prompt, "wait_ms": 0})
		got := ""
		if a.Sessions[0].Outcome != nil {
			got = a.Sessions[0].Outcome.Outcome
		}
		if a.Held != (outcome != "") || got != outcome || outcome != "" && j.Sessions[0].Outcome != outcome || j.Done && outcome == "" && j.Sessions[0].Outcome != "waiting" {
			t.Errorf("%s: wait says %q, session_join %q, want %q", what, got, j.Sessions[0].Outcome, outcome)
		}
	}
	prompt := func(id string) string {
		t.Helper()
		var p resource.PromptAccepted
		h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"x"}`).into(t, &p)
		return p.PromptID
	}
	busy := h.create("busy")
	h.turnless(busy)
	agree("new", busy, true)
	first, second := prompt(busy), prompt(busy)
	h.reaches(busy, `{"states":["queued"]}`)
	agree("at work", busy, false)
	settled("at work", busy, first, "")
	settled("in the queue", busy, second, "")
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+busy+"/prompts/"+second, "")
	settled("taken out of the queue", busy, second, "cancelled")
	h.agent(busy).say(append(h.agent(busy).message("done", 1), adapters.TurnEnded{Status: protocol.TurnCompleted})...)
	h.reaches(busy, `{"prompt":"`+first+`"}`)
	settled("over", busy, first, "completed")
	h.turnless(busy)
	agree("idle again", busy, true)

	asking := h.create("asking")
	h.turnless(asking)
	asked := prompt(asking)
	h.reaches(asking, `{"request":true}`)
	agree("asking", asking, true)
	settled("asking", asking, asked, "")
	h.want(http.StatusOK, "POST", "/sessions/"+asking+"/end", `{}`)
	agree("ended", asking, true)
	h.tree.passivate(busy)
	agree("put away", busy, true)
}

// reaches returns once a condition holds of a session.
func (h *harness) reaches(id, until string) {
	h.t.Helper()
	if a := h.wait(`{"sessions":["` + id + `"],"until":` + until + `,"timeoutMs":20000}`); !a.Held {
		h.t.Fatalf("%s: %+v", until, a)
	}
}
