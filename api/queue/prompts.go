package queue

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

type promptInput struct {
	operation.SessionPath
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"128" doc:"The same key never makes a second turn, also across a restart of the daemon"`
	Body           resource.NewPrompt
}

type promptOutput struct {
	Location string `header:"Location" doc:"The stream from the prompt on"`
	Replayed string `header:"Idempotency-Replayed" doc:"true: the receipt of an earlier call with this key"`
	Body     resource.PromptAccepted
}

func (q *Prompts) registerPrompts(t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "sendPrompt", Method: http.MethodPost, Path: "/sessions/{id}/prompts", Tag: "control", Status: http.StatusAccepted,
		Summary: "Send a prompt",
		Text:    "Accepted prompts are in the log before this answers. What becomes of one is read from the cursor on.",
		Errors:  []int{http.StatusNotFound, http.StatusConflict}, MaxBody: PromptBody,
	}, func(ctx context.Context, in *promptInput) (*promptOutput, error) {
		if err := Check(&in.Body); err != nil {
			return nil, err
		}
		r, err := q.Send(ctx, in.ID, &in.Body, in.IdempotencyKey)
		if err != nil {
			return nil, err
		}
		failpoint.Hit("queue/beforeAnswer")
		accepted, err := q.Accepted(ctx, in.ID, r)
		if err != nil {
			return nil, err
		}
		return &promptOutput{accepted.Stream, operation.Replayed(r.Repeated), accepted}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "listPrompts", Method: http.MethodGet, Path: "/sessions/{id}/prompts", Tag: "control",
		Summary: "Read the queue", Text: "The prompts that wait, in order.", Errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *operation.SessionPath) (*struct{ Body resource.PromptList }, error) {
		desc, err := q.door.Describe(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.PromptList }{resource.PromptList{Prompts: Waiting(desc.Queue)}}, nil
	})
	operation.Register(t, operation.Operation{
		ID: "cancelPrompt", Method: http.MethodDelete, Path: "/sessions/{id}/prompts/{pid}", Tag: "control",
		Summary: "Take a prompt out of the queue", Text: "A prompt that the agent has already is a conflict: interrupt the turn instead.",
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		operation.SessionPath
		PromptID string `path:"pid" maxLength:"64" doc:"The prompt's id"`
	},
	) (*struct{}, error) {
		return nil, q.door.Cancel(ctx, in.ID, in.PromptID)
	})
}

// Accepted is what a client is told of a prompt that was taken; of one that was taken before, the log says what became of it.
func (q *Prompts) Accepted(ctx context.Context, id string, r session.Receipt) (resource.PromptAccepted, error) {
	cursor := r.Cursor.String()
	a := resource.PromptAccepted{
		PromptID: r.PromptID, Cursor: cursor, Position: r.Position, Repeated: r.Repeated, Stream: "/sessions/" + id + "/stream?since=" + cursor,
	}
	a.InCore, _ = q.sup.InCore(ctx, id) // an error: the session has gone since, and the prompt was taken all the same
	if !r.Repeated {
		return a, nil
	}
	fate, err := q.fate(ctx, id, r.PromptID)
	if err != nil {
		return a, err
	}
	if a.Became = &fate; fate.State != resource.PromptQueued { // it has left the queue since
		a.Position = 0
	}
	return a, nil
}

// Waiting is a queue as clients see it.
func Waiting(queue []session.QueuedPrompt) []resource.WaitingPrompt {
	out := make([]resource.WaitingPrompt, len(queue))
	for i, q := range queue {
		out[i] = resource.WaitingPrompt{
			PromptID: q.ID, Text: q.Text, Images: q.Images, StreamingBehavior: q.Behavior, ClientID: q.ClientID,
			QueuedAt: q.Queued.UTC(), Sent: q.Sent, Origin: q.Origin, Notify: q.Notify,
		}
	}
	return out
}
