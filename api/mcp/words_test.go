package mcp

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Who calls tools is told of tools, whoever wrote the hint.
func TestHintsNameTools(t *testing.T) {
	for hint, want := range map[string]string{
		"GET /sessions lists the sessions.":               "session_list lists the sessions.",
		"GET /sessions/{id}/requests lists what is open.": "session_get lists what is open.",
		"End sessions with POST /sessions/{id}/end.":      "End sessions with session_end.",
		"GET /agents lists the agents: pi.":               "agent_list lists the agents: pi.",
		"Send less.":                                      "Send less.",
	} {
		err := &modelError{&protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: "No.", Hint: hint}}
		if got := err.Error(); got != "No. "+want+" (invalid_request)" || strings.Contains(got, " /") {
			t.Errorf("%q: got %q", hint, got)
		}
	}
}
