package protocol

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Policy answers approvals in the name of the session's owner (spec §4.10). Without members it asks
// for everything. Questions and elicitations are never answered by a policy.
type Policy struct {
	Mode     PolicyMode   `json:"mode,omitempty"`     // for what no rule answers; absent: ask
	Rules    []PolicyRule `json:"rules,omitempty"`    // the first that matches answers
	Deadline int64        `json:"deadline,omitempty"` // milliseconds that an approval waits for a person; absent: as long as the agent waits
	Default  PolicyAction `json:"default,omitempty"`  // what is answered then: deny (also when absent), deny_stop or allow
	Extra    []Member     `json:"-"`
}

// PolicyMode says what becomes of approvals that no rule answers.
type PolicyMode string

// The modes of a policy.
const (
	PolicyAsk        PolicyMode = "ask"
	PolicyAllowReads PolicyMode = "allow_reads" // allows tools of the kinds read and search, and asks for all else
	PolicyAllowAll   PolicyMode = "allow_all"
	PolicyDenyAll    PolicyMode = "deny_all"
)

// PolicyRule answers the approvals that it matches (spec §4.10).
type PolicyRule struct {
	Tool    string       `json:"tool,omitempty"`    // glob over the tool's name or its kind, letter case aside; absent: every tool
	Pattern string       `json:"pattern,omitempty"` // glob over the subject; absent: every subject, and none
	Action  PolicyAction `json:"action"`            // what becomes of the approvals that it matches; ask leaves them to a person
	Extra   []Member     `json:"-"`
}

// PolicyAction is what a policy does with an approval.
type PolicyAction string

// The actions of a policy.
const (
	PolicyAllow    PolicyAction = "allow"
	PolicyDeny     PolicyAction = "deny"      // this call; the agent goes on
	PolicyDenyStop PolicyAction = "deny_stop" // and the turn is stopped
	PolicyLeave    PolicyAction = "ask"       // leave it to a person
)

// Limits of a policy.
const (
	MaxPolicyRules    = 256
	MaxPolicyPattern  = 1024              // bytes of a tool or a pattern
	MinPolicyDeadline = 1000              // milliseconds
	MaxPolicyDeadline = 7 * 24 * 3600_000 // milliseconds: a week
)

const ruleHint = "A rule is {tool, pattern, action}; actions are allow, deny, deny_stop and ask. A tool is a kind (read, search, edit, execute, " +
	"fetch, other), a tool of the agent's (Bash, apply_patch), or a glob: mcp__*; that of a server whose name is one plain word is given as one: deploy*."

// Check says what is wrong with a policy that a client sent: a *Problem with CodeInvalidRequest, or nil.
func (p *Policy) Check() error {
	bad := func(detail, hint string) error { return NewProblem(CodeInvalidRequest, detail, hint) }
	switch p.Mode {
	case "", PolicyAsk, PolicyAllowReads, PolicyAllowAll, PolicyDenyAll:
	default:
		return bad("The policy has no such mode.", "Modes are ask, allow_reads, allow_all and deny_all.")
	}
	if len(p.Rules) > MaxPolicyRules {
		return bad("The policy has too many rules.", fmt.Sprintf("At most %d.", MaxPolicyRules))
	}
	for i := range p.Rules {
		if problem := p.Rules[i].problem(); problem != "" {
			return bad(fmt.Sprintf("Rule %d of the policy %s.", i+1, problem), ruleHint)
		}
	}
	if p.Deadline != 0 && (p.Deadline < MinPolicyDeadline || p.Deadline > MaxPolicyDeadline) {
		return bad("The policy's deadline is out of range.", "In milliseconds: 1,000 (a second) to 604,800,000 (a week).")
	}
	switch p.Default {
	case "", PolicyAllow, PolicyDeny, PolicyDenyStop:
	default:
		return bad("The policy has no such default.", "Defaults are deny, deny_stop and allow.")
	}
	if len(p.Extra) > 0 {
		return bad(fmt.Sprintf("The policy has the unknown member %.64q.", p.Extra[0].Key), "Its members are mode, rules, deadline and default.")
	}
	if p.Default != "" && p.Deadline == 0 {
		return bad("The policy has a default and no deadline.", "The default is what is answered when the deadline has passed: give both.")
	}
	return nil
}

func (r *PolicyRule) problem() string {
	switch r.Action {
	case PolicyAllow, PolicyDeny, PolicyDenyStop, PolicyLeave:
	default:
		return "has no such action"
	}
	if len(r.Tool) > MaxPolicyPattern || len(r.Pattern) > MaxPolicyPattern {
		return fmt.Sprintf("is longer than %d bytes", MaxPolicyPattern)
	}
	if !utf8.ValidString(r.Tool) || !utf8.ValidString(r.Pattern) {
		return "is not UTF-8"
	}
	if len(r.Extra) > 0 {
		return fmt.Sprintf("has the unknown member %.64q", r.Extra[0].Key)
	}
	if !knownTool(r.Tool) {
		return fmt.Sprintf("is about a tool that no agent has, %.64q", r.Tool)
	}
	return ""
}

// agentTools are the agents' own tools and permissions whose names are one plain word, in lower case.
var agentTools = strings.Fields(`read search edit execute fetch other
	agent applypatch apply_patch askuser askuserquestion bash codesearch create enterplanmode exitplanmode exitspecmode fetchurl find glob grep
	killshell list ls lsp monitor multiedit notebookedit notebookread patch permissions plan powershell proposemission question script shell skill slashcommand
	startmissionrun task taskoutput tasks todo todoread todowrite toolsearch webfetch websearch webfetchtool workflow write`)

// knownTool says that a rule's tool can be that of an agent. Servers' tools are called as they like: a name of several words may be one of them, and a
// pattern means what it matches. One plain word that no agent knows is a slip, and a rule that forbids would forbid nothing.
func knownTool(tool string) bool {
	plain := !strings.ContainsFunc(tool, func(r rune) bool { return !unicode.IsLetter(r) })
	return tool == "" || !plain || slices.Contains(agentTools, strings.ToLower(tool))
}

func (p *Policy) code(c *coder) {
	c.optStr("mode", (*string)(&p.Mode))
	optObjects(c, "rules", &p.Rules)
	c.optInt64("deadline", &p.Deadline)
	c.optStr("default", (*string)(&p.Default))
	c.rest(&p.Extra)
}

func (r *PolicyRule) code(c *coder) {
	c.optStr("tool", &r.Tool)
	c.optStr("pattern", &r.Pattern)
	c.str("action", (*string)(&r.Action))
	c.rest(&r.Extra)
}
