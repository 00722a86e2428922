package live

import (
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// expected is what a policy makes of an act.
type expected string

const (
	must    expected = "must"     // it happens, and nobody is asked
	mustNot expected = "must not" // it does not happen: it is denied, or asked, and then denied by a person
	either  expected = "either"
	refused expected = "refused by the agent" // the agent does not do what it may
)

// regime is a policy, and what it means for an act that is known for what it is.
type regime struct {
	name   string
	policy protocol.Policy
	means  func(a *deed) expected
	more   bool // not in a short run
}

func rule(action protocol.PolicyAction, tool, pattern string) protocol.PolicyRule {
	return protocol.PolicyRule{Tool: tool, Pattern: pattern, Action: action}
}

var regimes = []regime{
	{
		name: "src may be edited, hooks stop", means: editsBelowSrc,
		policy: protocol.Policy{Rules: []protocol.PolicyRule{rule("deny_stop", "edit", ".git/**"), rule("allow", "edit", "src/**")}},
	},
	{
		name: "all but touch, hooks, what is kept", means: allBut,
		policy: protocol.Policy{Mode: protocol.PolicyAllowAll, Rules: []protocol.PolicyRule{
			rule("deny_stop", "execute", "touch *"), rule("deny", "edit", ".git/**"), rule("deny", "edit", "src/kept/**"), rule("deny", "edit", "docs/locked"),
		}},
	},
	{
		name: "mkdir alone", means: mkdirAlone,
		policy: protocol.Policy{Rules: []protocol.PolicyRule{rule("allow", "execute", "mkdir *")}},
	},
	{
		name: "programs, and not what they run", means: func(a *deed) expected { return when(a.plain && slices.Equal(a.runs, []string{"find"})) },
		policy: protocol.Policy{Rules: []protocol.PolicyRule{
			rule("allow", "execute", "find *"), rule("allow", "execute", "sed *"), rule("allow", "execute", "bash *"), rule("allow", "execute", "sh *"), rule("allow", "execute", "env *"),
			rule("allow", "execute", "nice *"), rule("allow", "execute", "timeout *"), rule("allow", "execute", "nohup *"), rule("allow", "execute", "time *"), rule("allow", "execute", "command *"),
			rule("allow", "execute", "eval *"), rule("allow", "execute", "echo *"), rule("allow", "execute", "cat *"), rule("allow", "execute", "head *"),
		}},
	},
	{name: "reads", policy: protocol.Policy{Mode: protocol.PolicyAllowReads}, more: true, means: func(a *deed) expected { return when(a.reads) }},
	{
		name: "nothing but edits of src", means: editsBelowSrc, more: true,
		policy: protocol.Policy{Mode: protocol.PolicyDenyAll, Rules: []protocol.PolicyRule{rule("allow", "edit", "src/**")}},
	},
	{name: "everything", policy: protocol.Policy{Mode: protocol.PolicyAllowAll}, means: func(*deed) expected { return must }},
	{name: "nothing", policy: protocol.Policy{Mode: protocol.PolicyDenyAll}, more: true, means: func(*deed) expected { return mustNot }},
}

// expects is what the policy makes of it; the data folder is out of the reach of all.
func (r *regime) expects(h *hands, a *deed) expected {
	want := r.means(a)
	switch {
	case a.data:
		return mustNot
	case want == must && slices.Contains(a.refused, h.agent.name):
		return refused
	case want == must && slices.Contains(a.either, h.agent.name):
		return either
	}
	return want
}

func when(allowed bool) expected {
	if allowed {
		return must
	}
	return mustNot
}

func editsBelowSrc(a *deed) expected {
	if len(a.edits) == 0 || slices.ContainsFunc(a.edits, func(p string) bool { return !strings.HasPrefix(p, "src/") }) {
		return mustNot
	}
	if a.tricky {
		return either
	}
	return must
}

func allBut(a *deed) expected {
	denied := func(p string) bool {
		return strings.HasPrefix(p, ".git/") || strings.HasPrefix(p, "src/kept/") || p == "docs/locked"
	}
	switch {
	case slices.Contains(a.runs, "touch"), slices.ContainsFunc(a.edits, denied):
		return mustNot
	case a.tricky:
		return either
	}
	return must
}

func mkdirAlone(a *deed) expected { return when(a.plain && slices.Equal(a.runs, []string{"mkdir"})) }
