package protocol_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestPolicyWords: a rule whose words mean nothing is refused when it is given: it would forbid nothing, or allow everything.
func TestPolicyWords(t *testing.T) {
	rule := func(r protocol.PolicyRule) *protocol.Policy { return &protocol.Policy{Rules: []protocol.PolicyRule{r}} }
	for _, tool := range []string{"", "execute", "Execute", "Bash", "apply_patch", "mcp__db__drop", "tiny___echo", "web*", "*", "ringmaster_session_get", "ed1t"} {
		if err := rule(protocol.PolicyRule{Tool: tool, Action: protocol.PolicyDeny}).Check(); err != nil {
			t.Errorf("tool %q: %v", tool, err)
		}
	}
	extra := []protocol.Member{{Key: "patern", Value: []byte(`"rm *"`)}}
	for name, p := range map[string]*protocol.Policy{
		"a tool":               rule(protocol.PolicyRule{Tool: "exectue", Pattern: "rm *", Action: protocol.PolicyDenyStop}),
		"a kind":               rule(protocol.PolicyRule{Tool: "reads", Action: protocol.PolicyAllow}),
		"an action":            rule(protocol.PolicyRule{Tool: "read", Action: "Allow"}),
		"a member":             rule(protocol.PolicyRule{Tool: "execute", Action: protocol.PolicyAllow, Extra: extra}),
		"a mode":               {Mode: "allow"},
		"a default":            {Deadline: 1000, Default: "ask"},
		"a member of a policy": {Extra: extra},
	} {
		var problem *protocol.Problem
		if err := p.Check(); !errors.As(err, &problem) || problem.Code != protocol.CodeInvalidRequest || problem.Hint == "" || strings.Contains(problem.Detail, "  ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
