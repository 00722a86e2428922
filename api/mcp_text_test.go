package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestMCPTexts: whoever is shown the text of results alone has what leads on, and not the JSON of the structured content.
func TestMCPTexts(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		tried := map[string]bool{}
		both := func(tool string, in args) (text string, data args) {
			t.Helper()
			tried[tool] = true
			r := c.call(tool, in)
			if text = resultText(r); r.IsError || json.Valid([]byte(text)) {
				t.Fatalf("%s: %s", tool, text)
			}
			return text, resultOf[args](t, r)
		}
		has := func(tool, text string, words ...any) {
			t.Helper()
			for _, w := range words {
				if !strings.Contains(text, fmt.Sprint(w)) {
					t.Errorf("%s: the text lacks %v: %s", tool, w, text)
				}
			}
		}
		said, m := both("session_message", args{"agent": "echo", "cwd": "/work", "message": "hello", "new_session": true})
		id := m["session_id"].(string)
		has("session_message", said, id, m["prompt_id"], m["last_event_index"])
		said, j := both("session_join", args{"session_ids": []string{id}})
		one := j["sessions"].([]any)[0].(map[string]any)
		has("session_join", said, id, one["last_index"], one["text"])
		said, e := both("session_events", args{"session_id": id})
		has("session_events", said, id, e["last_index"], "idle", "completion", one["text"])
		said, e = both("session_events", args{"session_id": id, "max_events": 2})
		has("session_events", said, fmt.Sprint("last_index ", e["last_index"]), "has_more true")
		_, asks := both("session_message", args{"agent": "asking", "cwd": "/work", "message": "rm x", "new_session": true})
		said, _ = both("session_join", args{"session_ids": []any{asks["session_id"]}})
		has("session_join", said, "r1", "approval", "May I?", "rm x", "allow_once")
		said, _ = both("session_events", args{"session_id": asks["session_id"]})
		has("session_events", said, "r1", "allow_once", "May I?")
		said, _ = both("session_get", args{"session_id": asks["session_id"]})
		has("session_get", said, "r1", "approval", "May I?", "rm x", "allow_once")
		said, _ = both("session_answer", args{"session_id": asks["session_id"], "outcome": "denied"})
		has("session_answer", said, "r1", "denied")
		for _, x := range []struct {
			tool string
			in   args
		}{
			{"session_get", args{"session_id": id}},
			{"session_list", args{}},
			{"session_prompts", args{"session_id": id}},
			{"agent_list", args{}},
			{"session_interrupt", args{"session_id": id}},
			{"session_change", args{"session_id": id, "title": "t"}},
			{"session_create", args{"agent": "echo", "cwd": "/work"}},
			{"session_watch", args{"session_id": id}},
			{"session_end", args{"session_id": id}},
			{"session_cleanup", args{}},
			{"session_delete", args{"session_id": id}},
		} {
			said, data := both(x.tool, x.in)
			if one, ok := data["session_id"]; ok {
				has(x.tool, said, one)
			}
		}
		for name := range c.tools() {
			if !tried[name] && name != "caller_tool_response" {
				t.Logf("%s is in no row of this test", name)
			}
		}
	}
}
