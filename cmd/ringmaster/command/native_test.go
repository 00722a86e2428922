package command

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// The hint of a list can be copied: it names what no session works with yet, and a folder with blanks is one word.
func TestNativeHints(t *testing.T) {
	const session = "38918bb5-922c-4c5b-bcf2-484a37500edf"
	var list []resource.NativeSession
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"sessions": list})
	}))
	t.Cleanup(srv.Close)
	taken := resource.NativeSession{Agent: "claude", ID: "n-1", Cwd: "/work", Title: "newest", SessionID: session}
	free := resource.NativeSession{Agent: "codex", ID: "n-2", Cwd: "/my work/it's", Title: "older"}
	for _, c := range []struct {
		list []resource.NativeSession
		want []string
	}{
		{[]resource.NativeSession{taken, free}, []string{"n-1", " 38918bb5  newest", `go on with the newest: ringmaster run --agent codex --cwd '/my work/it'\''s' --native n-2 "…"`}},
		{[]resource.NativeSession{taken}, []string{`ringmaster send 38918bb5 "…"`}},
	} {
		list = c.list
		r := newBench(t).run([]string{"native", "ls", "--address", srv.URL})
		for _, want := range c.want {
			if !strings.Contains(r.out+r.err, want) {
				t.Errorf("%q is missing in\n%s%s", want, r.out, r.err)
			}
		}
	}
}

// TestNativeTitle: a session that goes on with one of the agent's own keeps the title that it has there, unless another one is given.
func TestNativeTitle(t *testing.T) {
	var made client.New
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			made = client.New{}
			_ = json.NewDecoder(r.Body).Decode(&made)
			w.WriteHeader(http.StatusCreated)
			_ = json.NewEncoder(w).Encode(resource.SessionSummary{ID: "38918bb5-922c-4c5b-bcf2-484a37500edf"})
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"sessions": []resource.NativeSession{
			{Agent: "codex", ID: "n-1", Title: "another agent's"}, {Agent: "claude", ID: "n-1", Title: "tidy up"},
		}})
	}))
	t.Cleanup(srv.Close)
	for _, c := range []struct {
		args  []string
		title string
	}{
		{[]string{"--native", "n-1"}, "tidy up"},
		{[]string{"--native", "n-1", "--title", "mine"}, "mine"},
		{[]string{"--native", "n-1", "--key", "k"}, ""},
		{[]string{"--native", "n-2"}, ""},
		{nil, ""},
	} {
		b := newBench(t)
		b.run(append([]string{"new", "--agent", "claude", "--address", srv.URL}, c.args...)).want(t, exit.OK, "38918bb5")
		if made.Agent != "claude" || made.Title != c.title {
			t.Errorf("%v: %+v, want the title %q", c.args, made, c.title)
		}
	}
}
