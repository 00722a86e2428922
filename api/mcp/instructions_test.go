package mcp

import (
	"strings"
	"testing"
)

// TestInstructionsBeginWithDelegation: what a model of Codex sees first is what this is for; joining is taught before reading events.
// Proves: I10.2/words
func TestInstructionsBeginWithDelegation(t *testing.T) {
	for who, text := range map[string]string{"clients": instructions([]string{"codex", "pi"}), "agents": agentInstructions} {
		if !strings.HasPrefix(text, "Ringmaster runs other coding agents for you") {
			t.Errorf("%s: %.60s", who, text)
		}
		const shown = 247
		for _, word := range []string{"delegate", "session_message", "session_join", "agent_list"} {
			if i := strings.Index(text, word); i < 0 || i > shown-len(word) {
				t.Errorf("%s: %s is not among the first %d characters", who, word, shown)
			}
		}
		if strings.Index(text, "session_join") > strings.Index(text, "session_events") {
			t.Errorf("%s: events before join", who)
		}
		if len(text) > 4096 {
			t.Errorf("%s: %d bytes", who, len(text))
		}
	}
}
