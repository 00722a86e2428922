package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

type changeInput struct {
	SessionPath
	Body sessionChange `contentType:"application/merge-patch+json"`
}

// sessionChange is what is to be different: absent members stay as they are.
type sessionChange struct {
	Title  *string            `json:"title,omitempty" nullable:"true" maxLength:"500" doc:"Stays whatever the agent calls its session; null takes it away, and the agent's next one counts again"`
	Labels map[string]*string `json:"labels,omitempty" doc:"Merged into the labels; a null takes one away"`
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

func (a *API) changeSession(ctx context.Context, in *changeInput) (*struct{ Body resource.SessionDetail }, error) {
	change := control.Change{Title: in.Body.Title, Labels: in.Body.Labels, Policy: in.Body.Policy.patch()}
	if in.Body.policyIsNull {
		change.Policy = &session.PolicyPatch{Clear: true}
	}
	if in.Body.Title == nil && in.Body.titleIsNull {
		change.Title = new(string)
	}
	for k, v := range in.Body.Labels {
		if v != nil && !labelFits(k, *v) {
			return nil, badLabel()
		}
	}
	if err := a.door.Change(ctx, in.ID, change); err != nil {
		return nil, err
	}
	return a.detail(ctx, in.ID)
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
