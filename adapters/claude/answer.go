package claude

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// permission is the answer to can_use_tool.
type permission struct {
	Behavior    string            `json:"behavior"` // allow or deny
	Input       json.RawMessage   `json:"updatedInput,omitempty"`
	Permissions []json.RawMessage `json:"updatedPermissions,omitempty"`
	Message     string            `json:"message,omitempty"`
	Interrupt   bool              `json:"interrupt,omitempty"`
}

// questions reads the input of AskUserQuestion. Any text is an answer: the program's own dialog has a line for it, too.
func (t *Translator) questions(raw json.RawMessage) (list []protocol.Question, texts []string) {
	var in struct {
		Questions []struct {
			Question string `json:"question"`
			Header   string `json:"header"`
			Multiple bool   `json:"multiSelect"`
			Options  []struct {
				Label       string `json:"label"`
				Description string `json:"description"`
			} `json:"options"`
		} `json:"questions"`
	}
	_ = native.Decode(raw, &in)
	for _, q := range in.Questions {
		question := protocol.Question{Header: native.Head(q.Header, maxTitle), Multiple: q.Multiple, FreeText: true}
		question.Text, _ = native.Cut(q.Question, t.spec.TextLimit())
		for _, o := range q.Options {
			question.Options = append(question.Options, protocol.Option{
				ID: o.Label, Label: o.Label, Description: native.Head(o.Description, maxNotice),
			})
		}
		list, texts = append(list, question), append(texts, q.Question)
	}
	return list, texts
}

// answerAsk sends the answer to a request; one that is no longer open needs none.
func (t *Translator) answerAsk(c adapters.Answer, out *adapters.Output) {
	a := t.asks.open[t.asks.ids[c.Key]]
	if a == nil {
		return
	}
	t.asks.forget(a)
	switch {
	case a.form != nil:
		answer(out, a.id, a.form.answer(c))
	case c.Outcome == protocol.OutcomeAllowed && a.kind == protocol.RequestApproval:
		p := permission{Behavior: "allow", Input: a.given()}
		if c.Option == protocol.AllowAlways {
			p.Permissions = a.always
		}
		answer(out, a.id, p)
	case c.Outcome == protocol.OutcomeAnswered && a.kind == protocol.RequestQuestion:
		answer(out, a.id, permission{Behavior: "allow", Input: a.withAnswers(c.Answers)})
	case a.kind == protocol.RequestQuestion:
		a.deny(cmp.Or(c.Message, "The user gave no answer."), false, out)
	default:
		a.deny(cmp.Or(c.Message, "The user refused this."), c.Option == protocol.DenyStop, out)
	}
}

// given is the input of the tool as the agent wants it back.
func (a *ask) given() json.RawMessage {
	if len(a.input) == 0 || a.input[0] != '{' {
		return json.RawMessage("{}")
	}
	return a.input
}

// withAnswers is the input of AskUserQuestion with the answers in it: by question, several ones with commas between.
func (a *ask) withAnswers(answers [][]string) json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = native.Decode(a.given(), &members)
	given := map[string]string{}
	for i, text := range a.texts {
		if i < len(answers) {
			given[text] = strings.Join(answers[i], ", ")
		}
	}
	members["answers"] = encode(given)
	return encode(members)
}

func (a *ask) deny(message string, stop bool, out *adapters.Output) {
	if a.form != nil {
		answer(out, a.id, elicited{Action: "cancel"})
		return
	}
	answer(out, a.id, permission{Behavior: "deny", Message: message, Interrupt: stop})
}

// answered reports that somebody else answered.
func (t *Translator) answered(r *reply, out *adapters.Output) {
	a := t.asks.open[r.RequestID]
	if a == nil {
		return
	}
	t.asks.forget(a)
	closed := adapters.RequestClosed{Key: a.key, Outcome: protocol.OutcomeCancelled}
	var p permission
	_ = native.Decode(r.Response, &p)
	switch {
	case r.Subtype == "error":
	case a.form != nil:
		closed.Outcome, closed.Answers = a.form.answered(r.Response)
	case p.Behavior == "allow" && a.kind == protocol.RequestQuestion:
		closed.Outcome, closed.Answers = protocol.OutcomeAnswered, a.answersIn(p.Input)
	case p.Behavior == "allow" && len(p.Permissions) > 0:
		closed.Outcome, closed.Option = protocol.OutcomeAllowed, protocol.AllowAlways
	case p.Behavior == "allow":
		closed.Outcome, closed.Option = protocol.OutcomeAllowed, protocol.AllowOnce
	case p.Behavior == "deny" && a.kind == protocol.RequestApproval:
		closed.Outcome, closed.Option = protocol.OutcomeDenied, protocol.DenyContinue
		if p.Interrupt {
			closed.Option = protocol.DenyStop
		}
	}
	out.Draft(closed)
}

// answersIn reads the answers to the questions out of the input that somebody gave back.
func (a *ask) answersIn(input json.RawMessage) [][]string {
	var in struct {
		Answers map[string]string `json:"answers"`
	}
	_ = native.Decode(input, &in)
	list := make([][]string, len(a.texts))
	for i, text := range a.texts {
		list[i] = []string{in.Answers[text]}
	}
	return list
}
