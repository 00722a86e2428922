package api

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// shownBudget is what session_get shows of what a session may use and has used.
type shownBudget struct {
	Budget *struct {
		Session, Tree map[string]int64
		Action        string
		WarnAt        int `json:"warn_at"`
	}
	Marks []struct {
		Scope, Limit, State, Action string
		Spent, Max                  int64
	}
	Usage struct {
		TotalTokens int64 `json:"total_tokens"`
	}
}

// TestMCPBudget: who makes a session by a tool says what it may use, also an agent, and sees what it has used and which limits are near. Nobody gives a budget later by a
// tool.
//
// Proves: I13.11/mcp
func TestMCPBudget(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		made := callTool[changed](c, "session_create", args{
			"agent": "echo", "cwd": "/work", "budget": args{"session": args{"turns": 1}, "tree": args{"cost_micros": 5_000_000}, "action": "warn", "warn_at": 90},
		})
		m := callTool[told](c, "session_message", args{"session_id": made.ID, "message": "hello"})
		c.settled(m.SessionID, m.LastEventIndex)
		r := c.call("session_get", args{"session_id": made.ID})
		if said := resultText(r); !strings.Contains(said, "budget reached: 1 of 1 turns of the session (warn)") {
			t.Errorf("said: %s", said)
		}
		s := callTool[shownBudget](c, "session_get", args{"session_id": made.ID})
		if b := s.Budget; b == nil || b.Session["turns"] != 1 || b.Tree["cost_micros"] != 5_000_000 || b.Action != "warn" || b.WarnAt != 90 {
			t.Errorf("budget: %+v", b)
		}
		if len(s.Marks) != 1 || s.Marks[0].Scope != "session" || s.Marks[0].Limit != "turns" || s.Marks[0].State != "reached" || s.Marks[0].Spent != 1 || s.Marks[0].Action != "warn" {
			t.Errorf("marks: %+v", s.Marks)
		}
		if other := callTool[shownBudget](c, "session_get", args{"session_id": h.create("echo")}); other.Budget != nil || other.Marks != nil {
			t.Errorf("a session without a budget: %+v", other)
		}

		child := callTool[changed](h.agentOf(made.ID, version).mcpClient, "session_create", args{"agent": "echo", "cwd": "/work", "budget": args{"tree": args{"tokens": 100}}})
		if w := h.tree.wanted; !w.Spawned || w.Budget == nil || w.Budget.Tree == nil || w.Budget.Tree.Tokens != 100 || w.ParentID != made.ID {
			t.Errorf("of an agent: %+v", w)
		}
		if b := callTool[shownBudget](c, "session_get", args{"session_id": child.ID}).Budget; b == nil || b.Tree["tokens"] != 100 || b.Action != "pause" {
			t.Errorf("of an agent: %+v", b)
		}
		for _, bad := range []args{{"session": args{"turns": -1}}, {"warn_at": 101}, {"action": "explode"}, {"tree": args{"turnz": 1}}} {
			c.fails(protocol.CodeInvalidRequest, "session_create", args{"agent": "echo", "cwd": "/work", "budget": bad})
		}
	}
}
