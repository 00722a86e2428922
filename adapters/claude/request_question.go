package claude

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// questionTool is the tool by which the model asks questions.
const questionTool = "AskUserQuestion"

// readQuestions reads its input. Any text is an answer: the program's own dialog has a line for it, too. limit is that of a text, in bytes; texts are
// the questions' own.
func readQuestions(raw json.RawMessage, limit int) (list []protocol.Question, texts []string) {
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
		question.Text, _ = native.Cut(q.Question, limit)
		for _, o := range q.Options {
			question.Options = append(question.Options, protocol.Option{
				ID: o.Label, Label: o.Label, Description: native.Head(o.Description, maxNotice),
			})
		}
		list, texts = append(list, question), append(texts, q.Question)
	}
	return list, texts
}

// withAnswers is the input with the answers in it: by question, several ones with commas between.
func withAnswers(input json.RawMessage, texts []string, answers [][]string) json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = native.Decode(input, &members)
	given := map[string]string{}
	for i, text := range texts {
		if i < len(answers) {
			given[text] = strings.Join(answers[i], ", ")
		}
	}
	members["answers"] = encode(given)
	return encode(members)
}

// answersIn reads the answers to the questions out of the input that somebody gave back.
func answersIn(input json.RawMessage, texts []string) [][]string {
	var in struct {
		Answers map[string]string `json:"answers"`
	}
	_ = native.Decode(input, &in)
	list := make([][]string, len(texts))
	for i, text := range texts {
		list[i] = []string{in.Answers[text]}
	}
	return list
}
