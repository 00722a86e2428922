package form

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Elicitation asks a client's user what an agent asks: an approval is a choice of its options, each question a field.
func Elicitation(r *protocol.RequestOpened) *sdk.ElicitParams {
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

// Elicited makes the answer to a request of what a client's user did with the form; nil: who closes it answers nothing, and others may.
func Elicited(r *protocol.RequestOpened, res *sdk.ElicitResult, by string) *control.Answer {
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
