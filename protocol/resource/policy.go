package resource

import "github.com/ringmaster-agents/ringmaster/protocol"

// NewPolicy is the policy of a new session (protocol/spec.md §4.10).
type NewPolicy struct {
	Mode     protocol.PolicyMode   `json:"mode,omitempty" enum:"ask,allow_reads,allow_all,deny_all" doc:"For approvals that no rule answers; absent: ask"`
	Rules    []NewPolicyRule       `json:"rules,omitempty" maxItems:"256" doc:"The first that matches answers, before the mode"`
	Deadline int64                 `json:"deadline,omitempty" minimum:"1000" maximum:"604800000" doc:"Milliseconds that an approval waits for a person; absent: as long as the agent waits"`
	Default  protocol.PolicyAction `json:"default,omitempty" enum:"deny,deny_stop,allow" doc:"What is answered then; absent: deny"`
}

// NewPolicyRule answers the approvals that it matches (protocol/spec.md §4.10).
type NewPolicyRule struct {
	Tool    string                `json:"tool,omitempty" maxLength:"1024" example:"execute" doc:"Glob over the tool's name or its kind: read, search, edit, execute, fetch, other"`
	Pattern string                `json:"pattern,omitempty" maxLength:"1024" example:"go test *" doc:"Glob over the subject: the command line, the path or the URL"`
	Action  protocol.PolicyAction `json:"action" enum:"allow,deny,deny_stop,ask" doc:"What becomes of the approvals that it matches; ask leaves them to a person"`
}
