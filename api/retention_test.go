package api

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestPin: a session is pinned over HTTP and by a tool, also where it has ended, and says so.
// Proves: I15.2/pins
func TestPin(t *testing.T) {
	h := newHarness(t)
	id := h.create("choosy")
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	pinned := func(status int, body string) bool {
		t.Helper()
		var s resource.SessionDetail
		h.want(status, "PATCH", "/sessions/"+id, body).into(t, &s)
		return s.Pinned
	}
	if !pinned(http.StatusOK, `{"pinned":true}`) {
		t.Error("it is not pinned")
	}
	if r := h.do("PATCH", "/sessions/"+id, `{"title":"more"}`); r.code() != protocol.CodeSessionEnded {
		t.Errorf("an ended session takes a title: %d %s", r.StatusCode, r.body)
	}
	if r := h.do("PATCH", "/sessions/00000000-0000-4000-8000-999999999999", `{"pinned":true}`); r.code() != protocol.CodeSessionNotFound {
		t.Errorf("no session is pinned: %d %s", r.StatusCode, r.body)
	}
	if pinned(http.StatusOK, `{"pinned":false}`) {
		t.Error("it is pinned still")
	}
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		for _, on := range []bool{true, false} {
			type out struct{ Pinned bool }
			if got := callTool[out](c, "session_change", args{"session_id": id, "pinned": on}); got.Pinned != on {
				t.Errorf("%s: %+v", version, got)
			}
		}
	}
}

// TestCollectSessions: a dry run removes nothing and names what would go; a rule of the caller's is taken as it is, and one that is none is refused.
// Proves: I15.2/dry-run
func TestCollectSessions(t *testing.T) {
	h := newHarness(t)
	for range 3 {
		h.create("choosy")
	}
	var c resource.Collection
	h.want(http.StatusOK, "POST", "/gc", `{"dryRun":true,"keepFor":"90m"}`).into(t, &c)
	if c.Begun || c.Sessions != 2 || c.Archives != 1 || c.Freed != 300 || c.Total != 3000 || c.KeepFor != "1h30m0s" || len(c.Going) != 3 ||
		c.Going[0].What != "native_lines" || c.Going[1].What != "session" || c.Going[1].Reason != "age" {
		t.Errorf("%+v", c)
	}
	if len(h.tree.collected) > 0 {
		t.Error("a dry run removes")
	}
	h.want(http.StatusOK, "POST", "/gc", `{"keepBytes":`+strconv.Itoa(5<<30)+`}`).into(t, &c)
	h.want(http.StatusOK, "POST", "/gc", `{}`).into(t, &c)
	if got := h.tree.collected; len(got) != 2 || got[0] == nil || got[0].Bytes != 5<<30 || got[0].For != 0 || got[1] != nil || !c.Begun {
		t.Errorf("%+v, %+v", got, c)
	}
	for _, bad := range []string{"soon", "0s", "-1h", time.Duration(0).String()} {
		if r := h.do("POST", "/gc", `{"keepFor":"`+bad+`"}`); r.code() != protocol.CodeInvalidRequest {
			t.Errorf("%s: %d %s", bad, r.StatusCode, r.body)
		}
	}
}
