package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// registerRequests serves what agents ask, and takes the answers.
func registerRequests(t *operation.Table, door *control.Door, sup *access.Gate) {
	operation.Register(t, operation.Operation{
		ID: "listRequests", Method: http.MethodGet, Path: "/sessions/{id}/requests", Tag: "control",
		Summary: "Read what waits for an answer", Text: "Approvals, questions, elicitations and calls of callers' tools that are open.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{ Body resource.RequestList }, error) {
		desc, err := door.Describe(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.RequestList }{resource.RequestList{Requests: append([]protocol.RequestOpened{}, desc.Requests...)}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "answerRequest", Method: http.MethodPost, Path: "/sessions/{id}/requests/{rid}", Tag: "control",
		Summary: "Answer a request",
		Text: "The first answer wins; a later one gets 409 request_already_resolved with who answered. The answer is in the log before the agent hears it. " +
			"Of an approval, the outcome or the option is enough. The call of a caller tool is answered with its result, " +
			"or with the outcome failed and a message. What a sub-agent asks can be answered here and at its root session.",
		Errors: []int{http.StatusNotFound, http.StatusConflict}, MaxBody: 1 << 20,
	}, func(ctx context.Context, in *answerInput) (*struct{ Body resource.RequestResolution }, error) {
		out, err := answerRequest(ctx, door, in)
		if err == nil {
			out.Body.InCore, _ = sup.InCore(ctx, in.ID) // an error: the session has gone since, and the answer was taken all the same
		}
		return out, err
	})
}

type answerInput struct {
	operation.SessionPath
	RequestID string `path:"rid" maxLength:"64" doc:"The request's id"`
	Body      resource.RequestAnswer
}

func answerRequest(ctx context.Context, door *control.Door, in *answerInput) (*struct{ Body resource.RequestResolution }, error) {
	b := &in.Body
	if b.Outcome == "" && b.Option == "" && len(b.Answers) == 0 && b.Result == nil {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "The answer says nothing.",
			`Send "outcome" (allowed, denied, answered, failed or cancelled), "option", "answers" or "result".`)
	}
	by := byClient(b.ClientID)
	done, err := door.Resolve(ctx, in.ID, control.Answer{
		RequestID: in.RequestID, Outcome: b.Outcome, Option: b.Option, Answers: b.Answers, Result: b.Result, Message: b.Message, By: by,
	})
	if err != nil {
		return nil, err
	}
	return &struct{ Body resource.RequestResolution }{resource.RequestResolution{
		RequestID: in.RequestID, Outcome: done.Outcome, Option: done.Option, By: by,
	}}, nil
}
