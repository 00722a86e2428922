package api

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// policyOf is what the session takes, checked.
func policyOf(p *resource.NewPolicy) (*protocol.Policy, error) {
	if p == nil {
		return nil, nil
	}
	out := &protocol.Policy{Mode: p.Mode, Rules: policyRules(p.Rules), Deadline: p.Deadline, Default: p.Default}
	return out, out.Check()
}

func policyRules(list []resource.NewPolicyRule) []protocol.PolicyRule {
	var rules []protocol.PolicyRule
	for _, r := range list {
		rules = append(rules, protocol.PolicyRule{Tool: r.Tool, Pattern: r.Pattern, Action: r.Action})
	}
	return rules
}

// policyChange is a merge patch of a policy: absent members stay, and a null takes one away. Rules are replaced as a whole.
type policyChange struct {
	Mode     *protocol.PolicyMode     `json:"mode,omitempty" nullable:"true" doc:"ask, allow_reads, allow_all or deny_all"`
	Rules    []resource.NewPolicyRule `json:"rules,omitempty" nullable:"true" maxItems:"256" doc:"All of them"`
	Deadline *int64                   `json:"deadline,omitempty" nullable:"true" doc:"Milliseconds, 1000 to 604800000"`
	Default  *protocol.PolicyAction   `json:"default,omitempty" nullable:"true" doc:"deny, deny_stop or allow"`

	given map[string]json.RawMessage
}

// Schema is that of the members, or null: for the generators an object of its own, since a reference cannot be null.
func (policyChange) Schema(r huma.Registry) *huma.Schema {
	type plain policyChange
	s := huma.SchemaFromType(r, reflect.TypeFor[plain]())
	s.Nullable = true
	s.PrecomputeMessages()
	return s
}

// UnmarshalJSON keeps apart what is null and what is absent.
func (c *policyChange) UnmarshalJSON(b []byte) error {
	type plain policyChange
	if err := json.Unmarshal(b, (*plain)(c)); err != nil {
		return err
	}
	return json.Unmarshal(b, &c.given)
}

// patch is what the session takes.
func (c *policyChange) patch() *session.PolicyPatch {
	if c == nil {
		return nil
	}
	p := &session.PolicyPatch{}
	if _, ok := c.given["mode"]; ok {
		p.Mode = orZero(c.Mode)
	}
	if _, ok := c.given["rules"]; ok {
		p.Rules = new(policyRules(c.Rules))
	}
	if _, ok := c.given["deadline"]; ok {
		p.Deadline = orZero(c.Deadline)
	}
	if _, ok := c.given["default"]; ok {
		p.Default = orZero(c.Default)
	}
	return p
}

func orZero[T any](p *T) *T {
	if p == nil {
		return new(T)
	}
	return p
}
