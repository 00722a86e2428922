package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// bodies are what the routes that take one are sent: the matrix below asks for one of each.
var bodies = map[string]string{
	"POST /nodes/{node}/drain":               `{"waitMs":1}`,
	"POST /gc":                               `{"dryRun":true}`,
	"POST /sessions":                         `{"agent":"echo","cwd":"/work"}`,
	"PATCH /sessions/{id}":                   `{"title":"t"}`,
	"PUT /sessions/{id}/budget":              `{"session":{"tokens":1}}`,
	"POST /sessions/{id}/end":                `{}`,
	"POST /sessions/{id}/interrupt":          `{}`,
	"POST /sessions/{id}/prompts":            `{"text":"hi"}`,
	"POST /sessions/{id}/prompts/{pid}/move": `{"position":1}`,
	"POST /sessions/{id}/requests/{rid}":     `{"outcome":"cancelled"}`,
	"POST /sessions/{id}/model":              `{"model":"m"}`,
	"POST /sessions/{id}/mode":               `{"mode":"m"}`,
	"PUT /budgets/{owner}":                   `{"limits":{"tokens":1}}`,
	"POST /tokens":                           `{"name":"n","scope":"admin"}`,
	"POST /login":                            `{"code":"wrong","name":"n"}`,
	"POST /stream":                           `{"select":{}}`,
	"POST /wait":                             `{"select":{},"until":{"ended":true},"timeoutMs":0}`,
	"POST /webhooks":                         `{"url":"no URL","kinds":["budget"]}`,
	"PATCH /webhooks/{wid}":                  `{"name":"n"}`,
	"POST /webhooks/{wid}/secret":            `{}`,
	"POST /roots":                            `{"path":"/srv"}`,
}

// missingID is no session's.
const missingID = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11"

// owned makes a session of somebody, past the gate.
func (h *harness) owned(owner, parent string) string {
	h.t.Helper()
	sum, err := h.tree.Create(context.Background(), supervisor.NewSession{Agent: "echo", Cwd: "/work", Owner: owner, ParentID: parent})
	if err != nil {
		h.t.Fatal(err)
	}
	return sum.ID
}

// at is the path of a pattern for a session.
func at(pattern, id string) (method, path string) {
	method, path, _ = strings.Cut(pattern, " ")
	return method, strings.NewReplacer("{id}", id, "{pid}", "p1", "{rid}", "r1", "{digest}", strings.Repeat("0", 64), "{entryId}", "e1", "{tid}", "t1", "{owner}", "ann", "{wid}", "w1", "{did}", "d1", "{$}", "", "{name}", "n", "{rest...}", "e/e1").Replace(path)
}

// ask does a request as a holder and reads the answer, of a stream the beginning.
func (h *harness) ask(bearer, method, path, body string) reply {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	defer cancel()
	res, err := h.http.Do(h.request(method, path, body, "Authorization", bearer).WithContext(ctx))
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	var read []byte
	if res.Header.Get("Content-Type") != "text/event-stream" {
		if read, err = io.ReadAll(res.Body); err != nil {
			h.t.Fatal(err)
		}
	}
	return reply{res, read}
}

// code is the problem of an answer; empty: there is none.
func (r reply) code() protocol.Code {
	var p operation.Problem
	if r.Header.Get("Content-Type") != protocol.ProblemType || json.Unmarshal(r.body, &p) != nil {
		return ""
	}
	return p.Code
}

// TestScopeMatrix: every scope, every route of the mux, one's own session and a foreign one. What is foreign is answered in the very
// words of what is not there.
// Proves: C49, T31
func TestScopeMatrix(t *testing.T) {
	h := newHarness(t)
	bearers := holders(t, h.api.cfg.Tokens, h.owned("ann", ""))
	fresh := func() []string { return []string{h.owned("ann", ""), h.owned("bob", ""), h.owned("", ""), missingID} }
	kept := fresh()
	cells := 0
	for pattern, rt := range h.api.routes.Patterns() {
		if strings.HasSuffix(pattern, " /mcp") {
			continue // TestMCPScopeMatrix
		}
		body, given := bodies[pattern]
		switch takes := rt.MaxBody > 0; {
		case takes && !given:
			t.Errorf("bodies has none for %s, which takes one", pattern)
		case given && !takes:
			t.Errorf("bodies has one for %s, which takes none", pattern)
		}
		for _, who := range []holder{"admin", "admin:ro", "owner", "owner:ro", "agent"} {
			ids := []string{""}
			switch {
			case !strings.Contains(pattern, "{id}"):
			case rt.Changes:
				ids = fresh()
			default:
				ids = kept
			}
			var answers []string
			for _, id := range ids {
				cells++
				method, path := at(pattern, id)
				r := h.ask(bearers[who], method, path, body)
				answers = append(answers, fmt.Sprintf("%d %s", r.StatusCode, r.body))
				want := who.expected(pattern)
				switch reached := id == ids[0] || id != missingID && strings.HasPrefix(string(who), "admin"); {
				case rt.Open:
					want = 0
				case want == 0 && id != "" && !reached:
					want = http.StatusNotFound
				}
				switch got := r.code(); {
				case want == http.StatusForbidden && (r.StatusCode != want || got != protocol.CodeForbidden),
					want == http.StatusNotFound && (r.StatusCode != want || got != protocol.CodeSessionNotFound),
					want == 0 && (got == protocol.CodeForbidden || got == protocol.CodeSessionNotFound || got == protocol.CodeUnauthorized || got == protocol.CodeInternal):
					t.Errorf("%s: %s of %s: %s, want %d", who, pattern, id, answers[len(answers)-1], want)
				}
			}
			if who == "owner" && len(ids) > 1 && (answers[1] != answers[3] || answers[2] != answers[3]) {
				t.Errorf("%s: a foreign session is not as one that is missing: %q", pattern, answers)
			}
		}
	}
	t.Logf("%d cells", cells)
}

// TestScopesOfLists: a list has what is within reach, and a new session is its maker's.
func TestScopesOfLists(t *testing.T) {
	h := newHarness(t)
	mine := h.owned("ann", "")
	child := h.owned("ann", mine)
	foreign, nobodys := h.owned("bob", ""), h.owned("", "")
	bearers := holders(t, h.api.cfg.Tokens, mine)
	var made resource.SessionDetail
	r := h.ask(bearers["owner"], "POST", "/sessions", `{"agent":"echo","cwd":"/work"}`)
	r.into(t, &made)
	if r.StatusCode != http.StatusCreated || made.Owner != "ann" {
		t.Fatalf("%d %s", r.StatusCode, r.body)
	}
	for _, row := range []struct {
		who   holder
		query string
		want  []string
	}{
		{"admin", "", []string{mine, child, foreign, nobodys, made.ID}},
		{"admin:ro", "?owner=bob", []string{foreign}},
		{"admin", "?under=" + mine, []string{child}},
		{"owner", "", []string{mine, child, made.ID}},
		{"owner:ro", "", []string{mine, child, made.ID}},
		{"owner", "?owner=bob", nil},
		{"owner", "?owner=ann&under=" + mine, []string{child}},
		{"owner", "?under=" + foreign, nil},
	} {
		var page resource.SessionPage
		r := h.ask(bearers[row.who], "GET", "/sessions"+row.query, "")
		r.into(t, &page)
		var got []string
		for _, s := range page.Sessions {
			got = append(got, s.ID)
		}
		slices.Sort(got)
		slices.Sort(row.want)
		if !slices.Equal(got, row.want) || page.Total != len(row.want) {
			t.Errorf("%s%s: %v of %d, want %v", row.who, row.query, got, page.Total, row.want)
		}
	}
	for _, parent := range []string{foreign, missingID} {
		r := h.ask(bearers["owner"], "POST", "/sessions", `{"agent":"echo","cwd":"/work","parentSessionId":"`+parent+`"}`)
		if r.StatusCode != http.StatusNotFound || r.code() != protocol.CodeSessionNotFound {
			t.Errorf("a session for %s: %d %s", parent, r.StatusCode, r.body)
		}
	}
}

// TestTokens over HTTP: the secret is shown once, works, and is void when it is revoked.
func TestTokens(t *testing.T) {
	h := newHarness(t)
	var made resource.CreatedToken
	h.want(http.StatusCreated, "POST", "/tokens", `{"name":"phone","scope":"owner","owner":"ann","expiresAt":"2999-01-01T00:00:00Z"}`).into(t, &made)
	if made.Name != "phone" || access.Scope(made.Scope) != access.Owner || made.Owner != "ann" || made.ExpiresAt == nil || made.ExpiresAt.Year() != 2999 {
		t.Errorf("%+v", made)
	}
	r := h.want(http.StatusOK, "GET", "/tokens", "")
	var list resource.TokenList
	r.into(t, &list)
	if len(list.Tokens) != 1 || list.Tokens[0].ID != made.ID || strings.Contains(string(r.body), made.Token) {
		t.Errorf("%s", r.body)
	}
	bearer := "Bearer " + made.Token
	if r := h.ask(bearer, "GET", "/sessions", ""); r.StatusCode != http.StatusOK {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	h.want(http.StatusNoContent, "DELETE", "/tokens/"+made.ID, "")
	if r := h.ask(bearer, "GET", "/sessions", ""); r.StatusCode != http.StatusUnauthorized || !strings.Contains(string(r.body), "revoked") {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "DELETE", "/tokens/"+made.ID, "")
	for body, status := range map[string]int{
		`{"name":"n","scope":"agent"}`: 422, `{"name":"n"}`: 422, `{"scope":"admin"}`: 422, `{"name":"n","scope":"owner"}`: 400,
		`{"name":"n","scope":"admin","owner":"ann"}`: 400, `{"name":"n","scope":"admin","expiresAt":"2001-01-01T00:00:00Z"}`: 400,
	} {
		h.refused(status, protocol.CodeInvalidRequest, "POST", "/tokens", body)
	}
}

// TestRevokedInMidStream: a stream ends with its token, in order; others go on.
func TestRevokedInMidStream(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	made, secret, err := h.api.cfg.Tokens.Create(access.Token{Name: "n", Scope: access.AdminRead})
	if err != nil {
		t.Fatal(err)
	}
	other := h.stream(id, "")
	defer other.close()
	st := h.stream(id, "", "Authorization", "Bearer "+secret)
	defer st.close()
	st.untilSeq(1)
	if err := h.api.cfg.Tokens.Revoke(made.ID); err != nil {
		t.Fatal(err)
	}
	st.rest() // no frame is cut
	if r := h.ask("Bearer "+secret, "GET", "/sessions", ""); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("%d", r.StatusCode)
	}
	h.turn(id, "on")
	other.until(func(e *protocol.Event) bool { return e.Payload.Type() == protocol.TypeTurnEnd })
}

// TestRevokedInMidAnswer: nothing more of a long answer is written once its token is void.
func TestRevokedInMidAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := access.NewTokens()
		_, secret, err := k.Create(access.Token{Name: "n", Scope: access.Admin, Expires: time.Now().Add(time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
		sink := &sink{header: http.Header{}}
		w := answer.New(sink, time.Hour)
		w.Until, w.Route = k.Find(secret).Revoked, &guard.Route{Stream: true}
		if _, err := w.Write([]byte("before")); err != nil {
			t.Error(err)
		}
		<-w.Until.Done() // it expires
		if _, err := w.Write([]byte("after")); !answer.IsLost(err) {
			t.Errorf("written, %v", err)
		}
		if _, err := w.ReadFrom(strings.NewReader("after")); !answer.IsLost(err) || string(sink.got) != "before" {
			t.Errorf("sent %q, %v", sink.got, err)
		}
		w.Route = &guard.Route{}
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("a cut answer looks whole: %v", p)
			}
		}()
		_, _ = w.Write([]byte("after"))
	})
}

// sink takes an answer, from readers too.
type sink struct {
	header http.Header
	got    []byte
}

func (s *sink) Header() http.Header { return s.header }
func (s *sink) WriteHeader(int)     {}

func (s *sink) Write(b []byte) (int, error) {
	s.got = append(s.got, b...)
	return len(b), nil
}

func (s *sink) ReadFrom(r io.Reader) (int64, error) {
	b, err := io.ReadAll(r)
	s.got = append(s.got, b...)
	return int64(len(b)), err
}

// lines are the audit's lines of a test.
type lines struct{ *observer.ObservedLogs }

func audited() (lines, func(*Config)) {
	core, logs := observer.New(zap.InfoLevel)
	return lines{logs}, func(c *Config) { c.Log = zap.New(core) }
}

// take gives the lines since the last call.
func (l lines) take() (out []map[string]any) {
	for _, e := range l.TakeAll() {
		if e.LoggerName == "audit" {
			out = append(out, e.ContextMap())
		}
	}
	return out
}

// TestAuditOfRoutes: each route that changes something makes one line, done or refused; each that reads makes none. None has a text of
// the client.
func TestAuditOfRoutes(t *testing.T) {
	logs, keep := audited()
	h := newHarness(t, keep)
	const marker = "MARKER4711"
	for pattern, rt := range h.api.routes.Patterns() {
		if strings.HasSuffix(pattern, " /mcp") {
			continue // TestMCPAudit
		}
		id := h.owned("", "")
		method, path := at(pattern, id)
		body := strings.NewReplacer("hi", marker, `"t"`, `"`+marker+`"`, `"n"`, `"`+marker+`"`).Replace(bodies[pattern])
		logs.take()
		r := h.ask("Bearer "+testToken, method, path, body)
		got := logs.take()
		if !rt.Changes {
			if len(got) != 0 {
				t.Errorf("%s: %v", pattern, got)
			}
			continue
		}
		if len(got) != 1 {
			t.Errorf("%s: %d lines: %v", pattern, len(got), got)
			continue
		}
		line := got[0]
		outcome := string(r.code())
		if outcome == "" {
			outcome = "ok"
		}
		if line["principal"] != "admin" || line["scope"] != "admin" || line["operation"] != rt.Name || line["outcome"] != outcome ||
			line["request"] != r.Header.Get("X-Request-Id") {
			t.Errorf("%s: %v of %d %s", pattern, line, r.StatusCode, r.body)
		}
		if strings.Contains(pattern, "{id}") && line["session"] != id || pattern == "POST /sessions" && !strings.HasSuffix(r.Header.Get("Location"), fmt.Sprint(line["session"])) {
			t.Errorf("%s: of session %v", pattern, line["session"])
		}
		if strings.Contains(fmt.Sprint(line), marker) {
			t.Errorf("%s: the line has the client's text: %v", pattern, line)
		}
	}
	bearers := holders(t, h.api.cfg.Tokens, "s")
	logs.take()
	for _, row := range []struct {
		who             holder
		method, path    string
		operation, want string
	}{
		{"admin:ro", "POST", "/sessions", "createSession", "forbidden"},
		{"owner", "GET", "/metrics", "GET /metrics", "forbidden"},
		{"agent", "GET", "/sessions", "listSessions", "forbidden"},
		{"owner", "GET", "/sessions/" + h.owned("bob", ""), "getSession", "session_not_found"},
		{"owner", "POST", "/tokens", "createToken", "forbidden"},
		{"root", "POST", "/sessions", "createSession", "invalid_request"},
	} {
		body := ""
		if row.method == "POST" {
			body = `{"` + marker + `":1}`
		}
		h.ask(bearers[row.who], row.method, row.path, body)
		if got := logs.take(); len(got) != 1 || got[0]["operation"] != row.operation || got[0]["outcome"] != row.want || strings.Contains(fmt.Sprint(got), marker) {
			t.Errorf("%+v: %v", row, got)
		}
	}
	if h.ask("Bearer "+marker, "POST", "/sessions", bodies["POST /sessions"]); len(logs.take()) != 0 {
		t.Error("nobody makes a line")
	}
}
