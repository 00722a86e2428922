package tool

import (
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// policyInput is a policy (protocol/spec.md §4.10).
type policyInput struct {
	Mode     string      `json:"mode,omitempty" enum:"ask,allow_reads,allow_all,deny_all" jsonschema:"for approvals that no rule answers; ask, also when absent, leaves them to a person"`
	Rules    []ruleInput `json:"rules,omitempty" maxItems:"256" jsonschema:"the first that matches answers, before the mode"`
	Deadline int64       `json:"deadline,omitempty" minimum:"1000" maximum:"604800000" jsonschema:"milliseconds that an approval waits for a person; absent: as long as the agent waits"`
	Default  string      `json:"default,omitempty" enum:"deny,deny_stop,allow" jsonschema:"what is answered then; absent: deny"`
}

type ruleInput struct {
	Tool    string `json:"tool,omitempty" maxLength:"1024" jsonschema:"glob over the tool's name or its kind: read, search, edit, execute, fetch, other"`
	Pattern string `json:"pattern,omitempty" maxLength:"1024" jsonschema:"glob over what the tool works on: the command line, the path or the URL"`
	Action  string `json:"action" enum:"allow,deny,deny_stop,ask"`
}

// policy is what a session takes, checked; nil: none.
func (in *policyInput) policy() (*protocol.Policy, error) {
	if in == nil {
		return nil, nil
	}
	p := &protocol.Policy{Mode: protocol.PolicyMode(in.Mode), Deadline: in.Deadline, Default: protocol.PolicyAction(in.Default)}
	for _, r := range in.Rules {
		p.Rules = append(p.Rules, protocol.PolicyRule{Tool: r.Tool, Pattern: r.Pattern, Action: protocol.PolicyAction(r.Action)})
	}
	return p, p.Check()
}

// patch puts the policy in the place of the one that a session has.
func (in *policyInput) patch() (*session.PolicyPatch, error) {
	p, err := in.policy()
	if p == nil || err != nil {
		return nil, err
	}
	return &session.PolicyPatch{Clear: true, Mode: &p.Mode, Rules: &p.Rules, Deadline: &p.Deadline, Default: &p.Default}, nil
}
