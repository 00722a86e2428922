package api

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestMCPCreate: a tool makes what HTTP makes, with a first message or without.
// Proves: I10.2/create
func TestMCPCreate(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		parent := h.create("echo")
		all := args{
			"agent": "choosy", "cwd": "/work", "model": "m-2", "mode": "plan", "title": "tests", "labels": args{"team": "core"}, "parent_session_id": parent,
			"policy": args{"mode": "deny_all"}, "native_session_id": "n1", "endpoint": args{"url": "http://127.0.0.1:4096", "username": "u", "password": "p"}, "mcp": true,
		}
		made := callTool[changed](c, "session_create", all)
		w := h.tree.wanted
		if e := w.Endpoint; e == nil || e.URL != "http://127.0.0.1:4096" || e.Username != "u" || e.Password != "p" || w.NativeSessionID != "n1" || w.Mode != "plan" ||
			w.ParentID != parent || w.Policy == nil || w.Policy.Mode != protocol.PolicyDenyAll || !w.MCP || w.Model != "m-2" {
			t.Errorf("%+v", w)
		}
		var s resource.SessionDetail
		h.want(http.StatusOK, "GET", "/sessions/"+made.ID, "").into(t, &s)
		if s.Title != "tests" || s.Labels["team"] != "core" || s.ParentSessionID != parent || s.PendingMode+s.Mode != "plan" {
			t.Errorf("%+v", s)
		}
		h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"choosy","cwd":"/work","mode":"plan"}`).into(t, &s)
		if s.PendingMode+s.Mode != "plan" {
			t.Errorf("over HTTP: %+v", s)
		}

		asked := callTool[told](c, "session_create", args{"agent": "echo", "cwd": "/work", "prompt": "hello"})
		if asked.PromptID != "p1" || asked.LastEventIndex < 0 {
			t.Errorf("%+v", asked)
		}
		c.settled(asked.SessionID, asked.LastEventIndex)

		all["message"], all["new_session"] = "hello", true
		m := callTool[told](c, "session_message", all)
		if w := h.tree.wanted; !m.Spawned || w.Endpoint == nil || w.NativeSessionID != "n1" || w.Mode != "plan" || w.ParentID != parent || w.Policy == nil {
			t.Errorf("%+v: %+v", m, w)
		}
		found := callTool[struct {
			Spawned bool
			Ignored []string
		}](c, "session_message", args{"session_id": asked.SessionID, "message": "more", "policy": args{}, "mode": "plan"})
		if found.Spawned || !slices.Contains(found.Ignored, "policy") || !slices.Contains(found.Ignored, "mode") {
			t.Errorf("%+v", found)
		}

		r := c.call("session_create", args{"agent": "broken", "cwd": "/work"})
		if said := resultText(r); !r.IsError || !strings.Contains(said, "(agent_unavailable)") || !strings.Contains(said, "go on with session_id ") {
			t.Errorf("an agent that fails: %s", said)
		}
		for _, bad := range []args{
			{"title": strings.Repeat("é", 501)}, {"labels": args{"a:b": "c"}}, {"policy": args{"deadline": 5}}, {"policy": args{"mode": "x"}},
		} {
			bad["agent"], bad["cwd"] = "echo", "/work"
			c.fails(protocol.CodeInvalidRequest, "session_create", bad)
		}
		c.fails(protocol.CodeTooLarge, "session_create", args{"agent": "echo", "cwd": "/work", "prompt": strings.Repeat("x", 1<<20+1)})
	}
}

// TestMCPAgentsCreate: what people decide is not an agent's to say.
func TestMCPAgentsCreate(t *testing.T) {
	h := newHarness(t)
	mine := h.owned("ann", "")
	secret, revoke := h.api.cfg.Tokens.Grant(mine, "ann")
	defer revoke()
	c := h.connectAs(secret, h.base, newEra)
	for what, value := range map[string]any{
		"policy": args{"mode": "allow_all"}, "mode": "anything-goes", "native_session_id": "n", "endpoint": args{"url": "http://127.0.0.1:1"},
	} {
		for _, tool := range []string{"session_create", "session_message"} {
			in := args{"agent": "echo", "cwd": "/work", "new_session": true, "message": "x", what: value}
			if tool == "session_create" {
				delete(in, "new_session")
				delete(in, "message")
			}
			c.fails(protocol.CodeForbidden, tool, in)
		}
	}
}
