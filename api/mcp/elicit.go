package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// form is the elicitation of a request of a session. It says whose it is, by what does not change: clients of tasks take a form that was another
// one a moment ago for a mistake.
func (s *Service) form(ctx context.Context, id string, r *protocol.RequestOpened) (*sdk.ElicitParams, error) {
	sum, err := s.cfg.Backend.Look(ctx, id)
	if err != nil {
		return nil, err
	}
	p := elicitation(r)
	by := sum.Agent
	if r.SessionID != "" {
		by = "a session that works for " + by
	}
	p.Message += fmt.Sprintf("\n\n(%s, in %s)", by, sum.Cwd)
	return p, nil
}

// elicitation asks a client's user what an agent asks: an approval is a choice of its options, each question a field.
func elicitation(r *protocol.RequestOpened) *sdk.ElicitParams {
	form := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	message := r.Title
	if r.Text != "" {
		message += "\n\n" + protocol.Head(r.Text, maxElicited)
	}
	if r.Kind == protocol.RequestApproval {
		options := r.Options
		if len(options) == 0 {
			options = []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow"}, {ID: protocol.DenyContinue, Label: "Deny"}}
		}
		form.Properties["option"] = choice(options, "What to answer")
		form.Required = []string{"option"}
		return &sdk.ElicitParams{Message: message, RequestedSchema: form}
	}
	for i := range r.Questions {
		q := &r.Questions[i]
		name := questionName(i)
		form.PropertyOrder = append(form.PropertyOrder, name)
		form.Required = append(form.Required, name)
		text := strings.TrimSpace(q.Header + " " + q.Text)
		switch {
		case len(q.Options) == 0 || q.FreeText:
			form.Properties[name] = &jsonschema.Schema{Type: "string", Title: q.Header, Description: withOptions(text, q.Options)}
		case q.Multiple:
			form.Properties[name] = &jsonschema.Schema{
				Type: "array", Title: q.Header, Description: text, Items: &jsonschema.Schema{AnyOf: titled(q.Options)},
			}
		default:
			form.Properties[name] = choice(q.Options, text)
		}
	}
	return &sdk.ElicitParams{Message: message, RequestedSchema: form}
}

// maxElicited is how much of what an agent wants to do is shown in a form, in bytes.
const maxElicited = 8 << 10

func questionName(i int) string { return fmt.Sprintf("answer_%d", i+1) }

func choice(options []protocol.Option, description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description, OneOf: titled(options)}
}

func titled(options []protocol.Option) (list []*jsonschema.Schema) {
	for _, o := range options {
		list = append(list, &jsonschema.Schema{Const: new(any(o.ID)), Title: cmp.Or(o.Label, o.ID)})
	}
	return list
}

func withOptions(text string, options []protocol.Option) string {
	for _, o := range options {
		text += "\n- " + o.ID
	}
	return text
}

// elicited makes the answer to a request of what a client's user did with the form; nil: who closes it answers nothing, and others may.
func elicited(r *protocol.RequestOpened, res *sdk.ElicitResult, by string) *control.Answer {
	m := &control.Answer{RequestID: r.RequestID, By: by}
	switch res.Action {
	case "accept":
	case "decline":
		m.Outcome = protocol.OutcomeCancelled
		if r.Kind == protocol.RequestApproval {
			m.Outcome = protocol.OutcomeDenied
		}
		return m
	default:
		return nil
	}
	if r.Kind == protocol.RequestApproval {
		m.Option, _ = res.Content["option"].(string)
		if m.Option == "" {
			m.Outcome = protocol.OutcomeDenied
		}
		return m
	}
	m.Outcome = protocol.OutcomeAnswered
	for i := range r.Questions {
		m.Answers = append(m.Answers, answersIn(res.Content[questionName(i)]))
	}
	return m
}

func answersIn(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		list := []string{}
		for _, x := range v {
			if s, ok := x.(string); ok {
				list = append(list, s)
			}
		}
		return list
	case nil:
		return []string{}
	}
	return []string{fmt.Sprint(v)}
}

const answerGrace = 5 * time.Second // for a session to take an answer

// answerForm passes on what a client's user did with a form; false: nothing that is an answer.
func (s *Service) answerForm(ctx context.Context, id string, r *protocol.RequestOpened, res *sdk.ElicitResult) bool {
	m := elicited(r, res, "client:mcp")
	if m == nil {
		return false
	}
	// The answer's own event takes the form away, and must not take away the word that it was heard.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerGrace)
	defer cancel()
	ctx, verb := s.cfg.Audit.Begin(ctx, "elicitation", true)
	outcome := protocol.Code("")
	err := s.resolve(ctx, id, m)
	if err != nil {
		_ = s.tell.Tool("elicitation", err) // logs what is the daemon's own fault
		outcome = problem.Of(err).Code
	}
	verb.End(outcome)
	return err == nil
}

// resolve passes an answer on. That somebody else was first is no error here.
func (s *Service) resolve(ctx context.Context, id string, m *control.Answer) error {
	if err := s.mayAnswer(ctx, id, m.RequestID); err != nil {
		return err
	}
	_, err := s.door.Resolve(ctx, id, *m)
	if err != nil && problem.Of(err).Code == protocol.CodeRequestAlreadyResolved {
		return nil
	}
	return err
}
