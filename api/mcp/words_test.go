package mcp

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Who calls tools is told of tools, whoever wrote the hint.
// Proves: I10.2/words
func TestHintsNameTools(t *testing.T) {
	s := New(Config{Backend: hollow{}})
	defer s.Close()
	for _, term := range protocol.Terms() {
		err := s.tell.Tool("", &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: "No " + term + ".", Hint: "Look at " + term + "."})
		got := err.Error()
		word := problem.Words.Say(term)
		if got != "No "+word+". Look at "+word+". (invalid_request)" || strings.ContainsAny(got, "{}/") {
			t.Errorf("%s: got %q", term, got)
		}
		for _, name := range toolName.FindAllString(word, -1) {
			if _, is := s.catalog.Own(name); !is {
				t.Errorf("%s is worded with %s, which is no tool", term, name)
			}
		}
		if http := protocol.HTTPWords.Say(term); http == term {
			t.Errorf("%s has no words for HTTP", term)
		}
	}
	if got := s.tell.Tool("", &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: "No.", Hint: "Send less."}).Error(); got != "No. Send less. (invalid_request)" {
		t.Error(got)
	}
}

// toolName finds names of tools in a text.
var toolName = regexp.MustCompile(`\b(session_[a-z]+|agent_[a-z]+|caller_tool_[a-z]+)\b`)
