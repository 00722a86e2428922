package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requestList is what a session waits for.
type requestList struct {
	Requests []protocol.RequestOpened `json:"requests" doc:"In the order in which they were opened"`
}

// requestAnswer is an answer to what the agent asks.
type requestAnswer struct {
	Outcome  protocol.Outcome `json:"outcome,omitempty" enum:"allowed,denied,answered,failed,cancelled" doc:"May be left out where option, answers or result say it"`
	Option   string           `json:"option,omitempty" maxLength:"256" doc:"Of an approval: the id of one of its options"`
	Answers  [][]string       `json:"answers,omitempty" maxItems:"64" doc:"Of questions: one list each, in order, of option ids or free text"`
	Result   json.RawMessage  `json:"result,omitempty" doc:"Of the call of a caller tool: what it has given, any JSON"`
	Message  string           `json:"message,omitempty" maxLength:"65536" doc:"For the agent, where it takes one; of a call that failed: why"`
	ClientID string           `json:"clientId,omitempty" maxLength:"128" doc:"Who answers, for the log"`
}

// requestResolution is how a request was resolved.
type requestResolution struct {
	RequestID string           `json:"requestId" doc:"The request"`
	Outcome   protocol.Outcome `json:"outcome" doc:"What became of it"`
	Option    string           `json:"option,omitempty" doc:"Of an approval: what the agent was told"`
	By        string           `json:"by" doc:"Who answered, as the log names it"`
}

func (a *API) registerRequests() {
	register(a, operation{
		id: "listRequests", method: http.MethodGet, path: "/sessions/{id}/requests", tag: "control",
		summary: "Read what waits for an answer", text: "Approvals, questions, elicitations and calls of callers' tools that are open.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body requestList }, error) {
		desc, err := a.describe(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body requestList }{requestList{append([]protocol.RequestOpened{}, desc.Requests...)}}, nil
	})
	register(a, operation{
		id: "answerRequest", method: http.MethodPost, path: "/sessions/{id}/requests/{rid}", tag: "control",
		summary: "Answer a request",
		text: "The first answer wins; a later one gets 409 request_already_resolved with who answered. The answer is in the log before the agent hears it. " +
			"Of an approval, the outcome or the option is enough. The call of a caller tool is answered with its result, " +
			"or with the outcome failed and a message. What a sub-agent asks can be answered here and at its root session.",
		errors: []int{http.StatusNotFound, http.StatusConflict}, maxBody: 1 << 20,
	}, a.answerRequest)
}

func (a *API) answerRequest(ctx context.Context, in *struct {
	SessionPath
	RequestID string `path:"rid" maxLength:"64" doc:"The request's id"`
	Body      requestAnswer
},
) (*struct{ Body requestResolution }, error) {
	b := &in.Body
	if b.Outcome == "" && b.Option == "" && len(b.Answers) == 0 && b.Result == nil {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "The answer says nothing.",
			`Send "outcome" (allowed, denied, answered, failed or cancelled), "option", "answers" or "result".`)
	}
	by := byClient(b.ClientID)
	done, err := question(ctx, a, in.ID, func(r ask.Reply[session.Resolution]) session.Message {
		return &session.Resolve{
			Reply: r, RequestID: in.RequestID, Outcome: b.Outcome, Option: b.Option, Answers: b.Answers, Result: b.Result, Message: b.Message, By: by,
		}
	})
	if err != nil {
		return nil, err
	}
	return &struct{ Body requestResolution }{requestResolution{in.RequestID, done.Outcome, done.Option, by}}, nil
}
