package codex

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// questionIDs are the server's ids of the questions of one request, in order.
type questionIDs []string

// userAnswers is the answer to item/tool/requestUserInput.
type userAnswers struct {
	Answers map[string]userAnswer `json:"answers"`
}

type userAnswer struct {
	Answers []string `json:"answers"`
}

func (ids questionIDs) result(a adapters.Answer) any {
	r := userAnswers{Answers: map[string]userAnswer{}}
	if a.Outcome == protocol.OutcomeAnswered {
		for i, id := range ids {
			if i < len(a.Answers) {
				r.Answers[id] = userAnswer{a.Answers[i]}
			}
		}
	}
	return r
}

func (ids questionIDs) read(result []byte) (protocol.Outcome, string, [][]string) {
	var r userAnswers
	if _ = native.Decode(result, &r); len(r.Answers) == 0 {
		return protocol.OutcomeCancelled, "", nil
	}
	answers := make([][]string, len(ids))
	for i, id := range ids {
		answers[i] = r.Answers[id].Answers
	}
	return protocol.OutcomeAnswered, "", answers
}

// maxAsked bounds the questions of one request.
const maxAsked = 100

// askedUser are the parameters of item/tool/requestUserInput, of the request_user_input tool. It has no item of its own.
type askedUser struct {
	TurnID    string `json:"turnId"`
	ItemID    string `json:"itemId"`
	Within    int64  `json:"autoResolutionMs"`
	Questions []struct {
		ID       string `json:"id"`
		Header   string `json:"header"`
		Question string `json:"question"`
		IsOther  bool   `json:"isOther"`
		Options  []struct {
			Label       string `json:"label"`
			Description string `json:"description"`
		} `json:"options"`
	} `json:"questions"`
}

// ask is what is asked; there is at least one question.
func (p *askedUser) ask(limit int) ask {
	q := protocol.RequestOpened{Kind: protocol.RequestQuestion, Title: native.Head(p.Questions[0].Question, maxNoticed)}
	var ids questionIDs
	for _, asked := range p.Questions[:min(len(p.Questions), maxAsked)] {
		one := protocol.Question{
			Text: native.Head(asked.Question, limit), Header: native.Head(asked.Header, maxTitle),
			FreeText: asked.IsOther || len(asked.Options) == 0,
		}
		for _, o := range asked.Options {
			one.Options = append(one.Options, protocol.Option{ID: o.Label, Label: o.Label, Description: o.Description})
		}
		q.Questions = append(q.Questions, one)
		ids = append(ids, asked.ID)
	}
	return ask{shown: q, reply: ids, within: p.Within}
}
