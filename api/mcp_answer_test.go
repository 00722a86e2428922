package api

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestMCPAnswersAsHinted: what a refusal says is to be sent is taken, in the words of the tool.
func TestMCPAnswersAsHinted(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		for want, answer := range map[string]args{
			"allowed":   {"outcome": "allowed"},
			"denied":    {"outcome": "denied", "message": "not now"},
			"cancelled": {"outcome": "cancelled"},
		} {
			m := callTool[told](c, "session_message", args{"agent": "asking", "cwd": "/work", "message": "go", "new_session": true})
			c.settledRequest(m.SessionID)
			refused := c.call("session_answer", args{"session_id": m.SessionID, "answers": [][]string{{"yes"}}})
			if said := resultText(refused); !refused.IsError || !strings.Contains(said, `{"outcome":"allowed"}`) {
				t.Fatalf("an approval is answered as a question: %s", said)
			}
			c.fails(protocol.CodeInvalidRequest, "session_answer", args{"session_id": m.SessionID, "outcome": "allowed", "cancel": true})
			answer["session_id"] = m.SessionID
			if got := callTool[args](c, "session_answer", answer); got["outcome"] != want {
				t.Errorf("%s: %v", want, got)
			}
		}
	}
}

// TestHTTPWordsAreRoutes: the routes that hints name are there.
func TestHTTPWordsAreRoutes(t *testing.T) {
	h := newHarness(t)
	n := 0
	for _, term := range protocol.Terms() {
		word := protocol.HTTPWords.Say(term)
		if _, path, routed := strings.Cut(word, " /"); routed && !strings.Contains(path, " ") {
			n++
			if h.api.routes.Row(word) == nil {
				t.Errorf("%s is worded with %q, which is no route", term, word)
			}
		}
	}
	if n < 8 {
		t.Errorf("only %d routes", n)
	}
}
