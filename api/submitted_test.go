package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/submission"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// keyed asks with a key of idempotency.
func (h *harness) keyed(key, method, path, body string) reply {
	h.t.Helper()
	var header []string
	if body != "" {
		header = []string{"Content-Type", "application/json"}
	}
	return h.do(method, path, body, append(header, "Idempotency-Key", key)...)
}

func (r reply) replayed() bool { return r.Header.Get("Idempotency-Replayed") == "true" }

// TestSubmittedOnce: a call with a key is carried out once, a repeat gets its answer, and other content is a conflict; also in the daemon's next life.
//
// Proves: I13.4/once
func TestSubmittedOnce(t *testing.T) {
	dir := t.TempDir()
	tr := newTree(t)
	begin := func() (*harness, *submission.Submissions) {
		kept, err := submission.Open(dir, disk.OS(), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		return serveTree(t, tr, func(c *Config) { c.Submissions = kept }), kept
	}
	h, kept := begin()
	id := h.owned("", "")
	path := "/sessions/" + id
	first := h.keyed("k", http.MethodPatch, path, `{"title":"Cart"}`)
	if first.StatusCode != http.StatusOK || first.replayed() {
		t.Fatalf("%d %s", first.StatusCode, first.body)
	}
	if r := h.keyed("l", http.MethodPatch, path, `{"title":"Wagon"}`); r.StatusCode != http.StatusOK {
		t.Fatalf("another key: %d %s", r.StatusCode, r.body)
	}
	version := h.version(id)
	again := func(when string) {
		t.Helper()
		r := h.keyed("k", http.MethodPatch, path, `{"title":"Cart"}`)
		if r.StatusCode != http.StatusOK || !r.replayed() || string(r.body) != string(first.body) || r.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
			t.Errorf("%s: %d %s, first %s", when, r.StatusCode, r.body, first.body)
		}
		for name, r := range map[string]reply{
			"another body":   h.keyed("k", http.MethodPatch, path, `{"title":"Basket"}`),
			"another method": h.keyed("k", http.MethodDelete, path, ""),
			"another path":   h.keyed("k", http.MethodPost, path+"/interrupt", ""),
		} {
			if p := r.problem(t); p.Code != protocol.CodeConflict {
				t.Errorf("%s, %s: %s", when, name, r.body)
			}
		}
		if now := h.version(id); now != version {
			t.Errorf("%s: the log has %s events, before %s", when, now, version)
		}
	}
	again("at once")
	kept.Close()
	h, kept = begin()
	defer kept.Close()
	again("in the next life")
	for range 2 {
		if r := h.keyed("gone", http.MethodDelete, path, ""); r.StatusCode != http.StatusNoContent {
			t.Errorf("delete: %d %s", r.StatusCode, r.body)
		}
	}
	if r := h.keyed("k", http.MethodPatch, path, `{"title":"Cart"}`); r.problem(t).Code != protocol.CodeAnswerGone {
		t.Errorf("of a session that is gone: %d %s", r.StatusCode, r.body)
	}
	text, err := os.ReadFile(filepath.Join(dir, "submissions"))
	if err != nil || strings.Contains(string(text), "Cart") || !strings.Contains(string(text), "answered") {
		t.Errorf("what is kept of a session that is gone: %s, %v", text, err)
	}
}

// version is how many events a session has.
func (h *harness) version(id string) string {
	return h.do(http.MethodGet, "/sessions/"+id+"/log", "").Header.Get("X-Session-Version")
}

// TestSubmittedSecret: a token that was made under a key is not made again and its secret is not shown again, nor kept; of repeats that come at once one makes it.
//
// Proves: I13.4/secrets
func TestSubmittedSecret(t *testing.T) {
	dir := t.TempDir()
	kept, err := submission.Open(dir, disk.OS(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	h := newHarness(t, func(c *Config) { c.Submissions = kept })
	replies := make([]reply, 8)
	var wg sync.WaitGroup
	for i := range replies {
		wg.Go(func() { replies[i] = h.keyed("k", http.MethodPost, "/tokens", `{"name":"n","scope":"admin"}`) })
	}
	wg.Wait()
	made := ""
	for _, r := range replies {
		if r.StatusCode == http.StatusCreated {
			var token struct{ Token string }
			if err := json.Unmarshal(r.body, &token); err != nil || made != "" {
				t.Fatalf("made again: %s", r.body)
			}
			made = token.Token
			continue
		}
		if p := r.problem(t); p.Code != protocol.CodeAnswerGone || p.LookAt != "/tokens" || r.StatusCode != http.StatusGone {
			t.Errorf("%s", r.body)
		}
	}
	if made == "" || len(h.api.cfg.Tokens.List()) != 1 {
		t.Errorf("%d tokens, of which one was shown: %v", len(h.api.cfg.Tokens.List()), made != "")
	}
	kept.Close()
	if text, err := os.ReadFile(filepath.Join(dir, "submissions")); err != nil || len(text) == 0 || strings.Contains(string(text), made) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestSubmittedRefused: what was refused was not done, and its key may be used again.
//
// Proves: I13.4/refused
func TestSubmittedRefused(t *testing.T) {
	h := newHarness(t)
	for range 2 {
		if r := h.keyed("k", http.MethodPost, "/sessions/none/end", `{}`); r.replayed() || r.problem(t).Code != protocol.CodeSessionNotFound {
			t.Errorf("%d %s", r.StatusCode, r.body)
		}
	}
	if r := h.keyed("k", http.MethodPost, "/tokens", `{"name":"n","scope":"admin"}`); r.StatusCode != http.StatusCreated {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
	for name, key := range map[string]string{"long": strings.Repeat("k", 129), "no UTF-8": "\xff"} {
		if r := h.keyed(key, http.MethodPost, "/sessions/none/end", `{}`); r.problem(t).Code != protocol.CodeInvalidRequest {
			t.Errorf("%s: %s", name, r.body)
		}
	}
}

// TestKeysOfRoutes: every operation that changes something takes a key, in its own way or in that of all, and says so; MCP refuses one in the header, and what reads
// passes over it.
//
// Proves: I13.4/routes
func TestKeysOfRoutes(t *testing.T) {
	h := newHarness(t)
	described := h.api.table.Description().Paths
	for pattern, rt := range h.api.routes.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		want := guard.KeysIgnored
		switch {
		case pattern == "POST /mcp":
			want = guard.KeysRefused
		case pattern == "POST /sessions", pattern == "POST /sessions/{id}/prompts":
			want = guard.KeysOwn
		case rt.Changes && !strings.HasSuffix(path, "/mcp") && !rt.Open:
			want = guard.KeysKept
		}
		if rt.Keys != want {
			t.Errorf("%s: %d, want %d", pattern, rt.Keys, want)
		}
		if want != guard.KeysKept && want != guard.KeysOwn {
			continue
		}
		op := described[path]
		for _, o := range []struct {
			method string
			has    bool
		}{{http.MethodPost, op.Post != nil && op.Post.OperationID == rt.Name}, {http.MethodPatch, op.Patch != nil && op.Patch.OperationID == rt.Name}, {http.MethodDelete, op.Delete != nil && op.Delete.OperationID == rt.Name}} {
			if o.method != method || !o.has {
				continue
			}
			text, err := json.Marshal(op)
			if err != nil || !strings.Contains(string(text), `"Idempotency-Key"`) || !strings.Contains(string(text), `"Idempotency-Replayed"`) {
				t.Errorf("%s does not say that it takes a key", pattern)
			}
		}
	}
	if r := h.do(http.MethodPost, "/mcp", `{}`, "Content-Type", "application/json", "Idempotency-Key", "k"); r.problem(t).Code != protocol.CodeInvalidRequest {
		t.Errorf("mcp: %s", r.body)
	}
	wait := `{"select":{},"until":{"ended":true},"timeoutMs":0}`
	for range 2 {
		if r := h.keyed("k", http.MethodPost, "/wait", wait); r.StatusCode != http.StatusOK || r.replayed() {
			t.Errorf("wait: %d %s", r.StatusCode, r.body)
		}
	}
}

// TestSubmittedGoesOn: what was accepted under a key does not end with its client; a repeat waits for it. A handler that fails, or says that its time was over, leaves
// what nobody knows.
//
// Proves: I13.4/uncertain
func TestSubmittedGoesOn(t *testing.T) {
	h := newHarness(t)
	in := guard.Admission{Who: access.Root, Route: &guard.Route{Name: "end", Keys: guard.KeysKept, Changes: true}}
	ask := func(ctx context.Context, key string, next http.HandlerFunc) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/sessions/s/end", nil)
		r.Header.Set("Idempotency-Key", key)
		h.api.front.submitted(w, r, in, next)
		return w
	}
	gone, leave := context.WithCancel(t.Context())
	begun, goOn := make(chan struct{}), make(chan struct{})
	calls := 0
	slow := func(w http.ResponseWriter, r *http.Request) {
		calls++
		close(begun)
		<-goOn
		if err := r.Context().Err(); err != nil {
			t.Errorf("it ended with its client: %v", err)
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "done")
	}
	var wg sync.WaitGroup
	wg.Go(func() { ask(gone, "k", slow) })
	<-begun
	leave()
	answers := make(chan *httptest.ResponseRecorder, 1)
	wg.Go(func() { answers <- ask(t.Context(), "k", slow) })
	close(goOn)
	wg.Wait()
	if w := <-answers; w.Code != http.StatusAccepted || w.Body.String() != "done" || calls != 1 || w.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repeat got %d %s, of %d calls", w.Code, w.Body, calls)
	}

	failing := map[string]http.HandlerFunc{
		"panic": func(http.ResponseWriter, *http.Request) { panic("no") },
		"unavailable": func(w http.ResponseWriter, _ *http.Request) {
			operation.WriteProblem(w, &protocol.Problem{Code: protocol.CodeUnavailable})
		},
		"internal": func(w http.ResponseWriter, _ *http.Request) { operation.WriteProblem(w, operation.Internal()) },
	}
	for key, next := range failing {
		func() {
			defer func() { _ = recover() }()
			ask(t.Context(), key, next)
		}()
		w := ask(t.Context(), key, func(http.ResponseWriter, *http.Request) { t.Errorf("%s: done twice", key) })
		var p protocol.Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Code != protocol.CodeUncertain || p.LookAt != "/sessions/s" || w.Code != http.StatusConflict {
			t.Errorf("%s: %s", key, w.Body)
		}
	}
	for _, code := range []protocol.Code{protocol.CodeOverloaded, protocol.CodeReadOnly} {
		for range 2 {
			w := ask(t.Context(), string(code), func(w http.ResponseWriter, _ *http.Request) { operation.WriteProblem(w, &protocol.Problem{Code: code}) })
			if w.Header().Get("Idempotency-Replayed") != "" || w.Code != http.StatusServiceUnavailable {
				t.Errorf("%s: %d", code, w.Code)
			}
		}
	}
}
