package tool

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/join"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type changeInput struct {
	SessionID    string            `json:"session_id" jsonschema:"the session, as session_message or session_list gives it"`
	Title        *string           `json:"title,omitempty" maxLength:"500" jsonschema:"another title; an empty one takes it away"`
	Labels       map[string]string `json:"labels,omitempty" jsonschema:"labels to set; the others stay. At most 64 in all, keys of at most 128 bytes and without a colon, values of at most 1024"`
	RemoveLabels []string          `json:"remove_labels,omitempty" jsonschema:"keys of labels to take away"`
	Pinned       *bool             `json:"pinned,omitempty" jsonschema:"true: the daemon keeps the session, and those above and below it, whatever it removes of old ones; false: no more"`
	Model        string            `json:"model,omitempty" maxLength:"256" jsonschema:"another model: one of agent_list, or another that the agent knows"`
	Mode         string            `json:"mode,omitempty" maxLength:"256" jsonschema:"another mode: one of agent_list"`
	When         string            `json:"when,omitempty" enum:"now,idle" jsonschema:"of model and mode. now (the default): from the next model request on, as far as the agent can; idle: when no turn runs"`
	Policy       *policyInput      `json:"policy,omitempty" jsonschema:"what answers approvals that open from now on, in the place of the policy that the session has; an empty one: everything is asked"`
	call.Once
}

// About is for calls with a key.
func (in *changeInput) About() call.About { return call.About{Session: in.SessionID} }

type changeOutput struct {
	output.Session
	Applied map[string]string `json:"applied,omitempty" jsonschema:"when the model and the mode take effect. now: from the next model request on; next_turn: so the agent says; when_idle: when the running turn has ended; at_start: when the agent is ready"`
}

func (o *changeOutput) Words() string {
	var b strings.Builder
	b.WriteString(o.Line() + "\n")
	for _, what := range []session.Setting{session.SettingModel, session.SettingMode} {
		if when := o.Applied[string(what)]; when != "" {
			fmt.Fprintf(&b, "The %s takes effect: %s.\n", what, when)
		}
	}
	return b.String()
}

func (s *sessions) addChange(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_change", Title: "Change a session", Annotations: call.Changes,
		Description: "Changes what a session is called, its labels, its agent's model and mode, its policy, and whether it is kept for good. What is not given stays as it is.",
	}, s.change)
}

func (s *sessions) change(ctx context.Context, c *call.Call, in *changeInput) (*changeOutput, error) {
	if err := problem.CheckID(in.SessionID); err != nil {
		return nil, err
	}
	change, err := s.changeOf(c, in)
	if err != nil {
		return nil, err
	}
	out := &changeOutput{Applied: map[string]string{}}
	var done []string
	for _, x := range []struct {
		what  session.Setting
		value string
	}{{session.SettingModel, in.Model}, {session.SettingMode, in.Mode}} {
		if x.value == "" {
			continue
		}
		applied, err := s.door.Choose(ctx, in.SessionID, x.what, x.value, session.When(in.When))
		if err != nil {
			return nil, doneBefore(err, done)
		}
		c.Acted()
		out.Applied[string(x.what)] = string(applied)
		done = append(done, string(x.what))
	}
	if change != nil {
		if err := s.door.Change(ctx, in.SessionID, *change); err != nil {
			return nil, doneBefore(err, done)
		}
		c.Acted()
		done = append(done, "what else was to be changed")
	}
	d, err := s.told(ctx, in.SessionID, done, nil)
	if err != nil {
		return nil, err
	}
	out.Session = output.SessionOf(&d.Summary)
	return out, nil
}

// changeOf is what is changed besides model and mode; nil: nothing. What is approved, and how an agent works, people decide.
func (s *sessions) changeOf(c *call.Call, in *changeInput) (*control.Change, error) {
	policy, err := in.Policy.patch()
	switch {
	case err != nil:
		return nil, err
	case in.When != "" && in.When != string(session.WhenNow) && in.When != string(session.WhenIdle):
		return nil, problem.Invalid("There is no such when.", "when is now or idle.")
	case c.Who.Scope == access.Agent && (policy != nil || in.Mode != "" || in.Pinned != nil):
		return nil, &protocol.Problem{
			Code: protocol.CodeForbidden, Detail: "An agent decides neither what is approved nor in which mode others work, nor what is kept.",
			Hint: "Leave policy, mode and pinned out.",
		}
	case in.Title != nil && !s.backend.TitleFits(*in.Title):
		return nil, problem.Invalid("The title is too long.", "At most 500 characters.")
	}
	if err := s.backend.CheckLabels(in.Labels); err != nil {
		return nil, err
	}
	labels := map[string]*string{}
	for _, k := range in.RemoveLabels {
		labels[k] = nil
	}
	for k, v := range in.Labels {
		labels[k] = &v
	}
	if in.Title == nil && len(labels) == 0 && policy == nil && in.Pinned == nil {
		if in.Model == "" && in.Mode == "" {
			return nil, problem.Invalid("Nothing is to be changed.", "Give title, labels, remove_labels, model, mode, policy or pinned.")
		}
		return nil, nil
	}
	return &control.Change{Title: in.Title, Labels: labels, Policy: policy, Pinned: in.Pinned}, nil
}

// told describes a session behind a change, once that is what is known of it; nil: whatever is. What this node knows of one that another node has may come a
// moment later.
func (s *sessions) told(ctx context.Context, id string, done []string, isKnown func(*session.Description) bool) (d session.Description, err error) {
	for away := (join.Absence{}); ; {
		if d, err = s.door.Describe(ctx, id); err == nil && isKnown != nil && !isKnown(&d) {
			err = errOld
		}
		if err == nil || away.IsOver(err) || away.Wait(ctx) != nil {
			return d, doneBefore(err, done)
		}
	}
}

var errOld = protocol.NewProblem(protocol.CodeUnavailable, "This node does not know yet what has become of the session.", "Look at it in a moment.")

// doneBefore is an error after something was done.
func doneBefore(err error, done []string) error {
	if err == nil || len(done) == 0 {
		return err
	}
	p := *problem.Of(err)
	p.Hint = strings.TrimSpace(p.Hint + " Changed before that: " + strings.Join(done, " and ") + ".")
	return &p
}
