package policy

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSource: what of a policy has decided is named: the rule that matched, the mode where none did, and of several subjects what decided the most careful one.
func TestSource(t *testing.T) {
	p := &protocol.Policy{Mode: protocol.PolicyAllowReads, Rules: []protocol.PolicyRule{
		{Tool: "edit", Pattern: "*.go", Action: protocol.PolicyAllow}, {Tool: "edit", Pattern: "secret*", Action: protocol.PolicyDeny}, {Tool: "edit", Pattern: "*.md", Action: protocol.PolicyAllow},
	}}
	for _, c := range []struct {
		kind     protocol.ToolKind
		subjects string
		action   protocol.PolicyAction
		by       Source
	}{
		{protocol.ToolEdit, "a.go", protocol.PolicyAllow, Source{Rule: 1}},
		{protocol.ToolEdit, "a.md\nb.go", protocol.PolicyAllow, Source{Rule: 3}},
		{protocol.ToolEdit, "a.md\nsecret.txt\nb.go", protocol.PolicyDeny, Source{Rule: 2}},
		{protocol.ToolEdit, "a.md\nother.txt", protocol.PolicyLeave, Source{Mode: protocol.PolicyAllowReads}},
		{protocol.ToolRead, "a.txt", protocol.PolicyAllow, Source{Mode: protocol.PolicyAllowReads}},
	} {
		action, by := Decide(p, &Request{RequestOpened: approval(c.kind, "tool", c.subjects), Folder: cwd})
		if action != c.action || by != c.by {
			t.Errorf("%s %q: %s by %+v, want %s by %+v", c.kind, c.subjects, action, by, c.action, c.by)
		}
	}
	if _, by := Decide(nil, &Request{RequestOpened: approval(protocol.ToolRead, "tool", "a"), Folder: cwd}); by != (Source{}) {
		t.Errorf("no policy decides by %+v", by)
	}
}

// TestSourceIsTrue: over random policies, the part that is named is the one without which the answer would have been another one.
func TestSourceIsTrue(t *testing.T) {
	tools := []string{"", "execute", "read", "edit", "bash", "Bash", "b*", "mcp__*", "other", "grep"}
	patterns := []string{"", "*", "go test *", "/src/a*", "/src/**", "rm *"}
	actions := []protocol.PolicyAction{protocol.PolicyAllow, protocol.PolicyDeny, protocol.PolicyDenyStop, protocol.PolicyLeave}
	modes := []protocol.PolicyMode{"", protocol.PolicyAsk, protocol.PolicyAllowReads, protocol.PolicyAllowAll, protocol.PolicyDenyAll}
	requests := []*protocol.RequestOpened{
		approval(protocol.ToolExecute, "Bash", "go test ./..."), approval(protocol.ToolRead, "read", "/src/a.go"), approval(protocol.ToolSearch, "grep", ""),
		approval(protocol.ToolEdit, "read", "/src/a.go"), approval("", "mcp__do", "anything"), approval(protocol.ToolRead, "read", "/src/a.go\n/src/b.go"),
	}
	r := rand.New(rand.NewPCG(1, 2))
	byRule := 0
	for range 40_000 {
		p := &protocol.Policy{Mode: modes[r.IntN(len(modes))]}
		for range r.IntN(5) {
			p.Rules = append(p.Rules, protocol.PolicyRule{Tool: tools[r.IntN(len(tools))], Pattern: patterns[r.IntN(len(patterns))], Action: actions[r.IntN(len(actions))]})
		}
		q := &Request{RequestOpened: requests[r.IntN(len(requests))], Folder: "/src"}
		action, by := Decide(p, q)
		if action == protocol.PolicyLeave || action != protocol.PolicyAllow && strings.Contains(q.Subject, "\n") { // another path may be denied by another rule
			continue
		}
		without := *p
		without.Rules = slices.Clone(p.Rules)
		if by.Rule > 0 {
			without.Rules[by.Rule-1].Action = protocol.PolicyLeave
			byRule++
		} else {
			without.Mode = protocol.PolicyAsk
		}
		if decided(&without, q) == action {
			t.Fatalf("%+v of %+v: %+v has decided %s, and without it the answer is the same", p, q.RequestOpened, by, action)
		}
	}
	if byRule < 5000 {
		t.Errorf("only %d were decided by a rule", byRule)
	}
}
