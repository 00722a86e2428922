package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func (a *API) registerRequests() {
	register(a, operation{
		id: "listRequests", method: http.MethodGet, path: "/sessions/{id}/requests", tag: "control",
		summary: "Read what waits for an answer", text: "Approvals, questions, elicitations and calls of callers' tools that are open.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body resource.RequestList }, error) {
		desc, err := a.door.Describe(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.RequestList }{resource.RequestList{Requests: append([]protocol.RequestOpened{}, desc.Requests...)}}, nil
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
	Body      resource.RequestAnswer
},
) (*struct{ Body resource.RequestResolution }, error) {
	b := &in.Body
	if b.Outcome == "" && b.Option == "" && len(b.Answers) == 0 && b.Result == nil {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "The answer says nothing.",
			`Send "outcome" (allowed, denied, answered, failed or cancelled), "option", "answers" or "result".`)
	}
	by := byClient(b.ClientID)
	done, err := a.door.Resolve(ctx, in.ID, control.Answer{
		RequestID: in.RequestID, Outcome: b.Outcome, Option: b.Option, Answers: b.Answers, Result: b.Result, Message: b.Message, By: by,
	})
	if err != nil {
		return nil, err
	}
	return &struct{ Body resource.RequestResolution }{resource.RequestResolution{
		RequestID: in.RequestID, Outcome: done.Outcome, Option: done.Option, By: by,
	}}, nil
}
