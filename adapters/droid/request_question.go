package droid

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type question struct {
	Index    int      `json:"index"` // from 1
	Topic    string   `json:"topic"`
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Multiple bool     `json:"multiSelect"`
}

type askResult struct {
	Answers   []collected `json:"answers"`
	Cancelled bool        `json:"cancelled"`
}

type collected struct {
	Index    int    `json:"index"`
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// readQuestions reads the questions of a call to AskUser, which are one request; r is nil where there are none.
func readQuestions(params json.RawMessage) (r *request, list []asked) {
	var p struct {
		ToolCallID string     `json:"toolCallId"`
		Questions  []question `json:"questions"`
	}
	_ = native.Decode(params, &p)
	if len(p.Questions) == 0 {
		return nil, nil
	}
	a := asked{p.ToolCallID, protocol.RequestOpened{Kind: protocol.RequestQuestion, Title: native.Head(p.Questions[0].Question, maxNoticed)}}
	for _, q := range p.Questions {
		// Droid's own screen takes any words as an answer, beside the options.
		x := protocol.Question{Text: q.Question, Header: q.Topic, Multiple: q.Multiple, FreeText: true}
		for _, o := range q.Options {
			x.Options = append(x.Options, protocol.Option{ID: o, Label: o})
		}
		a.Questions = append(a.Questions, x)
	}
	return &request{questions: p.Questions}, []asked{a}
}

// collect puts the answers to questions together. Several options are one text, as on Droid's own screen.
func collect(questions []question, c adapters.Answer) askResult {
	r := askResult{Answers: []collected{}, Cancelled: c.Outcome != protocol.OutcomeAnswered}
	if r.Cancelled {
		return r
	}
	for i, q := range questions {
		if i < len(c.Answers) {
			r.Answers = append(r.Answers, collected{q.Index, q.Question, strings.Join(c.Answers[i], ", ")})
		}
	}
	return r
}

// readAnswers reads the answers to questions that somebody else gave.
func readAnswers(questions []question, e *envelope) adapters.RequestClosed {
	var r askResult
	_ = native.Decode(e.Result, &r)
	if r.Cancelled || e.Error != nil {
		return adapters.RequestClosed{Outcome: protocol.OutcomeCancelled}
	}
	c := adapters.RequestClosed{Outcome: protocol.OutcomeAnswered, Answers: make([][]string, len(questions))}
	for i, q := range questions {
		c.Answers[i] = []string{}
		for _, x := range r.Answers {
			if x.Index == q.Index {
				c.Answers[i] = append(c.Answers[i], x.Answer)
			}
		}
	}
	return c
}
