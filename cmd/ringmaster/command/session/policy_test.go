package session

import (
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestParseRule(t *testing.T) {
	for text, want := range map[string]protocol.PolicyRule{
		"allow":                             {Action: protocol.PolicyAllow},
		"ask:execute":                       {Action: protocol.PolicyLeave, Tool: "execute"},
		"deny::**/.env":                     {Action: protocol.PolicyDeny, Pattern: "**/.env"},
		"allow:fetch:https://go.dev/**":     {Action: protocol.PolicyAllow, Tool: "fetch", Pattern: "https://go.dev/**"},
		"deny_stop:execute:git push *:main": {Action: protocol.PolicyDenyStop, Tool: "execute", Pattern: "git push *:main"},
	} {
		if got := parseRule(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
