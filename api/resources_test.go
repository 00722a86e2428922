package api

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func TestSessionLife(t *testing.T) {
	h := newHarness(t)
	r := h.want(http.StatusCreated, "POST", "/sessions",
		`{"agent":"echo","cwd":"/work/x","title":"T","model":"m1","labels":{"team":"core"},"prompt":"hi"}`)
	var s resource.CreatedSession
	r.into(t, &s)
	if r.Header.Get("Location") != "/sessions/"+s.ID || s.Agent != "echo" || s.Cwd != "/work/x" || s.Title != "T" || s.Labels["team"] != "core" {
		t.Fatalf("created %+v, Location %s", s, r.Header.Get("Location"))
	}
	if s.Prompt == nil || s.Prompt.PromptID != "p1" || s.Status.State == protocol.StateStarting {
		t.Fatalf("prompt %+v, state %s", s.Prompt, s.Status.State)
	}
	st := h.stream(s.ID, s.Prompt.Cursor)
	st.until(func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.TurnEnd); return ok })
	st.close()

	var got resource.SessionDetail
	h.want(http.StatusOK, "PATCH", "/sessions/"+s.ID, `{"title":null,"labels":{"team":null,"new":"1"}}`, "Content-Type", "application/merge-patch+json").into(t, &got)
	if got.Title != "" || len(got.Labels) != 1 || got.Labels["new"] != "1" {
		t.Fatalf("after the patch: %q %v", got.Title, got.Labels)
	}
	h.want(http.StatusOK, "PATCH", "/sessions/"+s.ID, `{"title":"Two"}`).into(t, &got)
	h.want(http.StatusOK, "GET", "/sessions/"+s.ID, "").into(t, &got)
	if got.Title != "Two" || got.Labels["new"] != "1" || got.Turns != 1 || got.NativeSessionID != "n1" {
		t.Fatalf("read back: %+v", got.SessionSummary)
	}
	h.want(http.StatusOK, "POST", "/sessions/"+s.ID+"/end", `{"reason":"done"}`).into(t, &got)
	if !got.Status.State.Ended() {
		t.Fatalf("ended: state %s", got.Status.State)
	}
	h.want(http.StatusOK, "POST", "/sessions/"+s.ID+"/end", "")
	h.refused(http.StatusConflict, protocol.CodeSessionEnded, "POST", "/sessions/"+s.ID+"/prompts", `{"text":"more"}`)
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+s.ID, "")
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/"+s.ID, "")
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "DELETE", "/sessions/"+s.ID, "")
}

func TestCreateRefused(t *testing.T) {
	h := newHarness(t)
	h.refused(http.StatusNotFound, protocol.CodeAgentNotFound, "POST", "/sessions", `{"agent":"none","cwd":"/work"}`)
	h.refused(http.StatusForbidden, protocol.CodeCwdNotAllowed, "POST", "/sessions", `{"agent":"echo","cwd":"/etc"}`)
	p := h.refused(http.StatusServiceUnavailable, protocol.CodeAgentUnavailable, "POST", "/sessions", `{"agent":"broken","cwd":"/work"}`)
	if !protocol.ValidSessionID(p.SessionID) || !strings.Contains(p.Detail+p.Hint, "no api key") {
		t.Fatalf("the problem does not tell why: %+v", p)
	}
	h.want(http.StatusOK, "GET", "/sessions/"+p.SessionID, "") // its log can be read
	p = h.refused(http.StatusServiceUnavailable, protocol.CodeAgentUnavailable, "POST", "/sessions", `{"agent":"broken","cwd":"/work","prompt":{"text":"x"}}`)
	if p.SessionID == "" {
		t.Fatal("no session id")
	}
}

// A prompt that waits does not hide that the agent never gets ready.
func TestCreateWithPromptWaitsForTheAgent(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.StartTimeout = time.Minute })
	born := make(chan *fakeAgent, 1)
	h.tree.agents["late"] = func(a *fakeAgent, m session.AdapterMessage) {
		if _, ok := m.(started); ok {
			born <- a
		}
	}
	answer := make(chan reply, 1)
	go func() {
		answer <- h.do("POST", "/sessions", `{"agent":"late","cwd":"/work","prompt":{"text":"x"}}`)
	}()
	a := received(t, born)
	var page resource.SessionPage
	h.want(http.StatusOK, "GET", "/sessions", "").into(t, &page)
	st := h.stream(page.Sessions[0].ID, "")
	defer st.close()
	st.until(func(e *protocol.Event) bool {
		s, ok := e.Payload.(*protocol.Status)
		return ok && s.State == protocol.StateQueued
	})
	a.exit(adapters.Exit{Code: 3, Stderr: []string{"no api key"}})
	r := received(t, answer)
	if p := r.problem(t); p.Code != protocol.CodeAgentUnavailable || p.SessionID != page.Sessions[0].ID || !strings.Contains(p.Hint, "no api key") {
		t.Fatalf("got %d %s", r.StatusCode, r.body)
	}
}

// The reader by which the daemon waits for the agent is not the client's.
func TestCreateShowsNoReaders(t *testing.T) {
	h := newHarness(t)
	if b := h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"echo","cwd":"/work"}`).body; !bytes.Contains(b, []byte(`"readers":[]`)) {
		t.Fatalf("got %s", b)
	}
}

func TestCreateDoesNotWaitForEver(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.StartTimeout = 1 })
	var s resource.SessionDetail
	h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"mute","cwd":"/work"}`).into(t, &s)
	if s.Status.State != protocol.StateStarting {
		t.Fatalf("state %s", s.Status.State)
	}
}

func TestListSessions(t *testing.T) {
	h := newHarness(t)
	a, b := h.create("echo"), h.create("busy")
	h.want(http.StatusOK, "PATCH", "/sessions/"+a, `{"title":"Alpha","labels":{"team":"core"}}`)
	h.want(http.StatusOK, "POST", "/sessions/"+b+"/end", "")
	for query, want := range map[string][]string{
		"":                               {b, a},
		"?agent=echo":                    {a},
		"?cwd=/work/x":                   {b, a},
		"?cwd=/work/y":                   {},
		"?active=true":                   {a},
		"?active=false":                  {b},
		"?state=idle":                    {a},
		"?state=idle&state=terminated":   {b, a},
		"?label=team:core":               {a},
		"?label=team:other":              {},
		"?q=Alpha":                       {a},
		"?limit=1":                       {b},
		"?limit=1&after=" + b:            {a},
		"?agent=echo&active=true&q=Alph": {a},
	} {
		var page resource.SessionPage
		h.want(http.StatusOK, "GET", "/sessions"+query, "").into(t, &page)
		got := []string{}
		for _, s := range page.Sessions {
			got = append(got, s.ID)
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: got %v, want %v", query, got, want)
		}
	}
	for _, bad := range []string{"?state=nope", "?label=nope", "?limit=0", "?limit=1001", "?limit=x", "?active=maybe", "?unknown=1"} {
		if r := h.do("GET", "/sessions"+bad, ""); r.StatusCode/100 != 4 || r.problem(t).Code != protocol.CodeInvalidRequest {
			t.Errorf("%s: %d", bad, r.StatusCode)
		}
	}
	if body := h.want(http.StatusOK, "GET", "/sessions?agent=nobody", "").body; !bytes.Contains(body, []byte(`"sessions":[]`)) {
		t.Errorf("an empty list is %s", body)
	}
}

func TestPrompts(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	var first, second, again resource.PromptAccepted
	r := h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"one","clientId":"c1"}`, "Idempotency-Key", "k1")
	r.into(t, &first)
	if first.PromptID != "p1" || first.Position != 0 || r.Header.Get("Location") != first.Stream ||
		first.Stream != "/sessions/"+id+"/stream?since="+first.Cursor {
		t.Fatalf("first: %+v, Location %s", first, r.Header.Get("Location"))
	}
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"two","streamingBehavior":"followUp"}`).into(t, &second)
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"one"}`, "Idempotency-Key", "k1").into(t, &again)
	if !again.Repeated || again.PromptID != first.PromptID || again.Cursor != first.Cursor {
		t.Fatalf("a repeated key: %+v after %+v", again, first)
	}
	var list resource.PromptList
	h.want(http.StatusOK, "GET", "/sessions/"+id+"/prompts", "").into(t, &list)
	if len(list.Prompts) != 1 || list.Prompts[0].PromptID != second.PromptID || list.Prompts[0].Text != "two" {
		t.Fatalf("queue %+v", list.Prompts)
	}
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+id+"/prompts/"+second.PromptID, "")
	h.refused(http.StatusNotFound, protocol.CodePromptNotFound, "DELETE", "/sessions/"+id+"/prompts/"+second.PromptID, "")
	// The cursor is where the prompt can be read from.
	st := h.stream(id, first.Cursor)
	defer st.close()
	e := st.next().(*protocol.Event)
	if q, ok := e.Payload.(*protocol.PromptQueued); !ok || q.PromptID != "p1" || q.ClientID != "c1" {
		t.Fatalf("after the cursor comes %+v", e.Payload)
	}
	for range 4 {
		h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"more"}`)
	}
	h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "POST", "/sessions/"+id+"/prompts", `{"text":"too much"}`)
	var in resource.InterruptAccepted
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/interrupt", `{"clientId":"c1"}`).into(t, &in)
	if in.TurnID != "t1" {
		t.Fatalf("interrupted %q", in.TurnID)
	}
	st.until(func(e *protocol.Event) bool {
		end, ok := e.Payload.(*protocol.TurnEnd)
		return ok && end.TurnID == "t1" && end.Status == protocol.TurnInterrupted
	})
}

func TestRequests(t *testing.T) {
	h := newHarness(t)
	id := h.create("asking")
	var p resource.PromptAccepted
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"do it"}`).into(t, &p)
	st := h.stream(id, p.Cursor)
	defer st.close()
	st.until(func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.RequestOpened); return ok })
	var list resource.RequestList
	h.want(http.StatusOK, "GET", "/sessions/"+id+"/requests", "").into(t, &list)
	if len(list.Requests) != 1 || list.Requests[0].Title != "May I?" {
		t.Fatalf("open: %+v", list.Requests)
	}
	path := "/sessions/" + id + "/requests/" + list.Requests[0].RequestID
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", path, `{"message":"hm"}`)
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "POST", path, `{"outcome":"answered","answers":[["x"]]}`)
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "POST", path, `{"outcome":"expired"}`)
	h.refused(http.StatusNotFound, protocol.CodeRequestNotFound, "POST", "/sessions/"+id+"/requests/r99", `{"outcome":"allowed"}`)
	var done resource.RequestResolution
	h.want(http.StatusOK, "POST", path, `{"option":"allow_once","clientId":"me"}`).into(t, &done)
	if done.Outcome != protocol.OutcomeAllowed || done.By != "client:me" {
		t.Fatalf("resolved: %+v", done)
	}
	if late := h.refused(http.StatusConflict, protocol.CodeRequestAlreadyResolved, "POST", path, `{"outcome":"denied"}`); late.By != "client:me" {
		t.Fatalf("the second answer is told %q", late.By)
	}
	st.until(func(e *protocol.Event) bool { _, ok := e.Payload.(*protocol.TurnEnd); return ok })
}

func TestState(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	h.turn(id, "hi")
	var now, begin protocol.SessionState
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", "")
	r.into(t, &now)
	if now.SessionID != id || len(now.Turns) != 1 || now.Turns[0].Status != protocol.TurnCompleted {
		t.Fatalf("state: %s", r.body)
	}
	h.want(http.StatusNotModified, "GET", "/sessions/"+id+"/state", "", "If-None-Match", r.Header.Get("ETag"))
	// Folding the log gives the same.
	var folded protocol.SessionState
	for e, err := range protocol.Events(bytes.NewReader(h.log(id, ""))) {
		if err != nil {
			t.Fatal(err)
		}
		folded.Apply(&e)
	}
	if got := string(folded.AppendJSON(nil)) + "\n"; got != string(r.body) {
		t.Fatalf("folded\n%s\nanswered\n%s", got, r.body)
	}
	h.want(http.StatusOK, "GET", "/sessions/"+id+"/state?at=1", "").into(t, &begin)
	if begin.Seq != 1 || len(begin.Turns) != 0 {
		t.Fatalf("at 1: %+v", begin)
	}
	p := h.refused(http.StatusGone, protocol.CodeCursorReset, "GET", "/sessions/"+id+"/state?at=9999", "")
	if p.Newest != now.Seq || p.Epoch != 1 || p.Oldest != 1 {
		t.Fatalf("reset: %+v", p)
	}
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/state?at=x", "")
}

func TestAgentsAndHealth(t *testing.T) {
	h := newHarness(t)
	var list resource.AgentList
	h.want(http.StatusOK, "GET", "/agents", "").into(t, &list)
	if len(list.Agents) != 2 || !list.Agents[0].Available || !list.Agents[0].Capabilities.Steer || list.Agents[1].Available || list.Agents[1].Hint != "npm install" {
		t.Fatalf("agents: %+v", list.Agents)
	}
	for _, path := range []string{"/health", "/ready"} {
		h.want(http.StatusOK, "GET", path, "", "Authorization", "")
	}
	h.tree.mu.Lock()
	h.tree.health.Ready, h.tree.health.Problem = false, "The daemon reads its sessions."
	h.tree.mu.Unlock()
	h.refused(http.StatusServiceUnavailable, protocol.CodeUnavailable, "GET", "/ready", "", "Authorization", "")
	h.tree.mu.Lock()
	h.tree.health.Ready, h.tree.health.NoRoom = true, "The disk of the data folder is full."
	h.tree.mu.Unlock()
	h.refused(http.StatusServiceUnavailable, protocol.CodeReadOnly, "GET", "/ready", "", "Authorization", "")
	h.want(http.StatusOK, "GET", "/health", "", "Authorization", "")
}

func TestMetrics(t *testing.T) {
	h := newHarness(t)
	h.create("echo")
	h.want(http.StatusUnauthorized, "GET", "/sessions", "", "Authorization", "")
	body := string(h.want(http.StatusOK, "GET", "/metrics", "").body)
	for _, want := range []string{
		`ringmaster_http_requests_total{route="POST /sessions",status="201"} 1`,
		`ringmaster_http_rejections_total{reason="token"} 1`,
		"ringmaster_http_streams 0", "ringmaster_ready 1", "ringmaster_illegal_transitions_total 0", "go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// TestSessionIDs: nothing but the canonical text of a UUID comes near a file name.
func TestSessionIDs(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	for _, bad := range []string{
		"..", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc", "x", strings.ToUpper(id), "{" + id + "}", "urn:uuid:" + id, strings.ReplaceAll(id, "-", ""),
		id + "%00", id + "%20", id + "%2f", "0", "%ff",
	} {
		for _, rest := range []string{"", "/log", "/stream", "/state", "/prompts", "/requests", "/images/" + strings.Repeat("0", 64)} {
			r := h.do("GET", "/sessions/"+bad+rest, "")
			if r.StatusCode != http.StatusNotFound {
				t.Errorf("GET %s%s: %d", bad, rest, r.StatusCode)
				continue
			}
			r.problem(t)
		}
		for _, post := range []string{"/end", "/interrupt"} {
			if r := h.do("POST", "/sessions/"+bad+post, ""); r.StatusCode != http.StatusNotFound {
				t.Errorf("POST %s%s: %d", bad, post, r.StatusCode)
			}
		}
	}
}
