package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

type changed struct {
	ID      string `json:"session_id"`
	Title   string
	Labels  map[string]string
	Model   string
	Applied map[string]string
}

// TestMCPChange: what HTTP can change, a tool can; what is refused half way says what was done.
// Proves: I10.2/changes
func TestMCPChange(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		id := h.create("choosy")
		change := func(in args) changed {
			t.Helper()
			in["session_id"] = id
			return callTool[changed](c, "session_change", in)
		}
		if got := change(args{"title": "tests", "labels": args{"team": "core", "run": "7"}}); got.Title != "tests" || got.Labels["team"] != "core" || got.Applied != nil {
			t.Errorf("%+v", got)
		}
		if got := change(args{"labels": args{"run": "8"}, "remove_labels": []string{"team"}}); got.Title != "tests" || len(got.Labels) != 1 || got.Labels["run"] != "8" {
			t.Errorf("%+v", got)
		}
		if got := change(args{"title": "", "model": "big", "mode": "plan"}); got.Title != "" || got.Applied["model"] == "" || got.Applied["mode"] == "" {
			t.Errorf("%+v", got)
		}
		change(args{"policy": args{"mode": "allow_reads", "rules": []args{{"tool": "execute", "pattern": "go test *", "action": "allow"}}, "deadline": 60000, "default": "deny"}})
		var s resource.SessionDetail
		h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(t, &s)
		if p := s.Policy; p == nil || p.Mode != protocol.PolicyAllowReads || len(p.Rules) != 1 || p.Deadline != 60000 || p.Default != protocol.PolicyDeny {
			t.Errorf("%+v", s.Policy)
		}
		change(args{"policy": args{}})
		s.Policy = nil
		h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(t, &s)
		if p := s.Policy; p != nil && (p.Mode != "" || len(p.Rules) > 0 || p.Deadline != 0 || p.Default != "") {
			t.Errorf("%+v", s.Policy)
		}
		for _, bad := range []args{
			{},
			{"title": strings.Repeat("é", 501)},
			{"labels": args{"a:b": "c"}},
			{"when": "later", "title": "x"},
			{"policy": args{"mode": "perhaps"}},
			{"policy": args{"rules": []args{{"tool": "x"}}}},
			{"mode": "--dance"},
		} {
			bad["session_id"] = id
			c.fails(protocol.CodeInvalidRequest, "session_change", bad)
		}
		r := c.call("session_change", args{"session_id": id, "model": "small", "mode": "dance"})
		if said := resultText(r); !r.IsError || !strings.Contains(said, "Changed before that: model.") {
			t.Error(said)
		}
	}
}

// TestMCPAgentsChange their sessions, but not what is approved in them.
// Proves: I10.2/changes
func TestMCPAgentsChange(t *testing.T) {
	h := newHarness(t)
	mine := h.owned("ann", "")
	secret, revoke := h.api.cfg.Tokens.Grant(mine, "ann")
	defer revoke()
	c := h.connectAs(secret, h.base, newEra)
	kid := h.owned("ann", mine)
	if got := callTool[changed](c, "session_change", args{"session_id": kid, "title": "kid"}); got.Title != "kid" {
		t.Errorf("%+v", got)
	}
	c.fails(protocol.CodeForbidden, "session_change", args{"session_id": kid, "policy": args{"mode": "allow_all"}})
	c.fails(protocol.CodeForbidden, "session_change", args{"session_id": kid, "mode": "anything-goes"})
	c.fails(protocol.CodeSessionNotFound, "session_change", args{"session_id": mine, "title": "up"})
	callTool[args](c, "session_delete", args{"session_id": kid})
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/"+kid, "")
}

// TestMCPCleanup removes what has ended and is old, of one's own, and nothing else.
// Proves: D4.2.cleanup, T36
func TestMCPCleanup(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.holdersOf(h.owned("ann", ""), version)["owner"]
		ended := func(owner string) string {
			id := h.owned(owner, "")
			h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
			return id
		}
		old, other, bobs, active := ended("ann"), ended("ann"), ended("bob"), h.owned("ann", "")
		type cleaned struct {
			Deleted int
			IDs     []string `json:"session_ids"`
		}
		if got := callTool[cleaned](c, "session_cleanup", args{}); got.Deleted != 0 || len(got.IDs) != 0 {
			t.Errorf("what ended a moment ago is removed: %+v", got)
		}
		if got := callTool[cleaned](c, "session_cleanup", args{"max_age_hours": 0, "dry_run": true}); got.Deleted != 0 || !slices.Contains(got.IDs, old) || slices.Contains(got.IDs, bobs) || slices.Contains(got.IDs, active) {
			t.Errorf("%+v", got)
		}
		if got := callTool[cleaned](c, "session_cleanup", args{"max_age_hours": 0}); got.Deleted != 2 || !slices.Contains(got.IDs, other) {
			t.Errorf("%+v", got)
		}
		for id, status := range map[string]int{old: http.StatusNotFound, other: http.StatusNotFound, bobs: http.StatusOK, active: http.StatusOK} {
			h.want(status, "GET", "/sessions/"+id, "")
		}
		c.fails(protocol.CodeInvalidRequest, "session_cleanup", args{"max_age_hours": -1})
		h.holdersOf(active, version)["owner:ro"].fails(protocol.CodeForbidden, "session_cleanup", args{"max_age_hours": 0})
	}
}

// TestMCPCleanupLeavesWhatBeganAgain: a session that has changed between the list and its turn is not removed, and said to be left.
func TestMCPCleanupLeavesWhatBeganAgain(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	again, old := h.create("echo"), h.create("echo")
	for _, id := range []string{again, old} {
		h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	}
	h.tree.beforeDelete = func(id string) {
		if id == again {
			h.tree.mu.Lock()
			h.tree.sessions[id].summary.Seq++
			h.tree.mu.Unlock()
		}
	}
	got := callTool[struct {
		IDs    []string `json:"session_ids"`
		Failed []string
	}](c, "session_cleanup", args{"max_age_hours": 0})
	if len(got.IDs) != 1 || got.IDs[0] != old || len(got.Failed) != 1 || !strings.HasPrefix(got.Failed[0], again) {
		t.Errorf("%+v", got)
	}
	h.want(http.StatusOK, "GET", "/sessions/"+again, "")
}
