package policy

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// FuzzDecide: what a pattern allows, the same pattern keeps from happening where it is in a rule that denies; and a policy that is told nothing
// of a subject allows it by no pattern.
func FuzzDecide(f *testing.F) {
	for _, c := range [][2]string{
		{"git *", "git status"},
		{"echo test *", "echo test ${x:=1}"},
		{"bash -c *", "bash -c 'rm x'"},
		{"src/**", "src/../.git/x"},
		{"src/*.go", "ſrc/é.go"},
		{"https://a.b/*", "HTTPS://A.b:443/x?y#z"},
		{"find *", "find . -exec rm {} +"},
		{`a\*'b c'`, "a*b c"},
	} {
		f.Add(c[0], c[1])
	}
	kinds := []protocol.ToolKind{
		protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit, protocol.ToolExecute, protocol.ToolFetch, protocol.ToolOther,
	}
	f.Fuzz(func(t *testing.T, pattern, subject string) {
		if len(pattern) > 1000 || len(subject) > 10_000 {
			return
		}
		for _, kind := range kinds {
			r := &Request{RequestOpened: approval(kind, "tool", subject), Folder: cwd}
			allow := &protocol.Policy{Mode: protocol.PolicyAsk, Rules: []protocol.PolicyRule{{Pattern: pattern, Action: protocol.PolicyAllow}}}
			if decided(allow, r) != protocol.PolicyAllow {
				continue
			}
			if subject == "" && !anyPattern(pattern) {
				t.Fatalf("%q allows a %s of which nothing is known", pattern, kind)
			}
			deny := &protocol.Policy{Mode: protocol.PolicyAllowAll, Rules: []protocol.PolicyRule{{Pattern: pattern, Action: protocol.PolicyDeny}}}
			if decided(deny, r) == protocol.PolicyAllow {
				t.Fatalf("%q allows a %s of %q, and does not deny it", pattern, kind, subject)
			}
		}
	})
}
