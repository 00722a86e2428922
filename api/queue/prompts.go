package queue

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/tool"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// NewPrompt is a prompt that is wanted: text, images or both.
type NewPrompt struct {
	Text              string            `json:"text,omitempty" maxLength:"1048576" example:"Fix the failing test" doc:"What the user wrote"`
	Images            []PromptImage     `json:"images,omitempty" maxItems:"8" doc:"For agents with the capability images"`
	StreamingBehavior protocol.Behavior `json:"streamingBehavior,omitempty" enum:"steer,followUp" doc:"While a turn runs. steer: goes into it; followUp (the default): waits for its end"`
	ClientID          string            `json:"clientId,omitempty" maxLength:"128" doc:"Who asks, for the log"`
	Notify            string            `json:"notify,omitempty" enum:"prompt" doc:"prompt: once this prompt is settled, the session that this one works for is sent a prompt that says so; an agent's own session, where an agent asks"`
}

// Check refuses a prompt without content, and images that are not taken.
func (p *NewPrompt) Check() error {
	if p.Text == "" && len(p.Images) == 0 {
		return protocol.NewProblem(protocol.CodeInvalidRequest, "The prompt is empty.", "Send text, images or both.")
	}
	return checkImages(p.Images)
}

// Sum is of what the prompt says, whoever sends it.
func (p NewPrompt) Sum() string {
	p.ClientID, p.Notify = "", ""
	return supervisor.BodyOf(p)
}

// FirstPrompt is the prompt of a new session: its text alone, or a whole one.
type FirstPrompt struct{ NewPrompt }

// Schema is a text or a NewPrompt.
func (FirstPrompt) Schema(r huma.Registry) *huma.Schema {
	least, most := 1, 1<<20
	s := &huma.Schema{
		Description: "The first prompt: its text alone, or with images",
		OneOf: []*huma.Schema{
			{Type: huma.TypeString, MinLength: &least, MaxLength: &most},
			r.Schema(reflect.TypeFor[NewPrompt](), true, ""),
		},
	}
	s.PrecomputeMessages()
	return s
}

// UnmarshalJSON reads either form.
func (p *FirstPrompt) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Text)
	}
	return json.Unmarshal(b, &p.NewPrompt)
}

type promptInput struct {
	operation.SessionPath
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"128" doc:"The same key never makes a second turn, also across a restart of the daemon"`
	Body           NewPrompt
}

type promptOutput struct {
	Location string `header:"Location" doc:"The stream from the prompt on"`
	Body     resource.PromptAccepted
}

// Prompts takes prompts and their images into the queues of sessions, and serves both.
type Prompts struct {
	sup     *access.Gate
	door    *control.Door
	log     *zap.Logger
	storing storing
}

// New makes what takes prompts.
func New(sup *access.Gate, door *control.Door, log *zap.Logger) *Prompts {
	return &Prompts{sup: sup, door: door, log: log}
}

// Register serves prompts, their places in queues, and their images.
func (q *Prompts) Register(t *operation.Table) {
	operation.Register(t, operation.Operation{
		ID: "sendPrompt", Method: http.MethodPost, Path: "/sessions/{id}/prompts", Tag: "control", Status: http.StatusAccepted,
		Summary: "Send a prompt",
		Text:    "Accepted prompts are in the log before this answers. What becomes of one is read from the cursor on.",
		Errors:  []int{http.StatusNotFound, http.StatusConflict}, MaxBody: PromptBody,
	}, func(ctx context.Context, in *promptInput) (*promptOutput, error) {
		if err := in.Body.Check(); err != nil {
			return nil, err
		}
		r, err := q.Send(ctx, in.ID, &in.Body, in.IdempotencyKey)
		if err != nil {
			return nil, err
		}
		failpoint.Hit("queue/beforeAnswer")
		accepted := AcceptedOf(in.ID, r)
		return &promptOutput{accepted.Stream, accepted}, nil
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
	q.registerMove(t)
	q.registerImages(t)
}

// AcceptedOf is what a client is told of a prompt that was taken.
func AcceptedOf(id string, r session.Receipt) resource.PromptAccepted {
	cursor := r.Cursor.String()
	return resource.PromptAccepted{
		PromptID: r.PromptID, Cursor: cursor, Position: r.Position, Repeated: r.Repeated, Stream: "/sessions/" + id + "/stream?since=" + cursor,
	}
}

// Send hands a checked prompt to the session.
func (q *Prompts) Send(ctx context.Context, id string, p *NewPrompt, key string) (session.Receipt, error) {
	if protocol.ValidSessionID(id) {
		if err := q.sup.CheckFolder(ctx, id); err != nil { // the agent may have to be started for it
			return session.Receipt{}, err
		}
	}
	n := session.NewPrompt{Text: p.Text, Behavior: p.StreamingBehavior, ClientID: p.ClientID}
	if p.Notify != "" {
		var err error
		if n.Notify, err = q.notified(ctx, id); err != nil {
			return session.Receipt{}, err
		}
	}
	if len(p.Images) > 0 {
		return q.sendImages(ctx, id, p, &n, key)
	}
	return q.door.Send(ctx, id, n, key)
}

// notified is the session that is told of a session's prompt: that of the agent who asks, or the one that the session works for.
func (q *Prompts) notified(ctx context.Context, id string) (string, error) {
	if who := access.Of(ctx); who.Scope == access.Agent {
		return who.Session, nil
	}
	parent, err := q.sup.Parent(ctx, id)
	if err == nil && parent == "" {
		err = tool.NobodyToTell()
	}
	return parent, err
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
