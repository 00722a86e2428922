package api

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type changeInput struct {
	operation.SessionPath
	Body sessionChange `contentType:"application/merge-patch+json"`
}

// sessionChange is what is to be different: absent members stay as they are.
type sessionChange struct {
	Title  *string            `json:"title,omitempty" nullable:"true" maxLength:"500" doc:"Stays whatever the agent calls its session; null takes it away, and the agent's next one counts again"`
	Labels map[string]*string `json:"labels,omitempty" doc:"Merged into the labels; a null takes one away"`
	Pinned *bool              `json:"pinned,omitempty" doc:"Retention leaves the session, and those above and below it; also of a session that has ended"`
	Policy *policyChange      `json:"policy,omitempty" nullable:"true" doc:"Merged into the policy; null takes it away"`

	titleIsNull, policyIsNull bool
}

// UnmarshalJSON keeps apart a title or a policy of null, which takes it away, and none.
func (c *sessionChange) UnmarshalJSON(b []byte) error {
	type plain sessionChange
	if err := json.Unmarshal(b, (*plain)(c)); err != nil {
		return err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil {
		return err
	}
	c.titleIsNull, c.policyIsNull = string(keys["title"]) == "null", string(keys["policy"]) == "null"
	return nil
}

// change is what the session takes, checked.
func (c *sessionChange) change() (control.Change, error) {
	change := control.Change{Title: c.Title, Labels: c.Labels, Policy: c.Policy.patch(), Pinned: c.Pinned}
	if c.policyIsNull {
		change.Policy = &session.PolicyPatch{Clear: true}
	}
	if c.Title == nil && c.titleIsNull {
		change.Title = new(string)
	}
	for k, v := range c.Labels {
		if v != nil && !labelFits(k, *v) {
			return control.Change{}, badLabel()
		}
	}
	return change, nil
}

func checkLabels(labels map[string]string) error {
	if len(labels) > session.MaxLabels {
		return protocol.NewProblem(protocol.CodeInvalidRequest, "There are too many labels.", fmt.Sprintf("At most %d.", session.MaxLabels))
	}
	for k, v := range labels {
		if !labelFits(k, v) {
			return badLabel()
		}
	}
	return nil
}

func labelFits(key, value string) bool {
	return key != "" && len(key) <= 128 && len(value) <= 1024 && !strings.Contains(key, ":")
}

func badLabel() error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, "A label does not fit.",
		"Keys have 1 to 128 bytes and no colon, values at most 1024 bytes.")
}
