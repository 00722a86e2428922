package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// newPrompt is a prompt that is wanted: text, images or both.
type newPrompt struct {
	Text              string            `json:"text,omitempty" maxLength:"1048576" example:"Fix the failing test" doc:"What the user wrote"`
	Images            []promptImage     `json:"images,omitempty" maxItems:"8" doc:"For agents with the capability images"`
	StreamingBehavior protocol.Behavior `json:"streamingBehavior,omitempty" enum:"steer,followUp" doc:"While a turn runs. steer: goes into it; followUp (the default): waits for its end"`
	ClientID          string            `json:"clientId,omitempty" maxLength:"128" doc:"Who asks, for the log"`
	Notify            string            `json:"notify,omitempty" enum:"prompt" doc:"prompt: once this prompt is settled, the session that this one works for is sent a prompt that says so; an agent's own session, where an agent asks"`
}

func (p *newPrompt) check() error {
	if p.Text == "" && len(p.Images) == 0 {
		return protocol.NewProblem(protocol.CodeInvalidRequest, "The prompt is empty.", "Send text, images or both.")
	}
	return checkImages(p.Images)
}

// sum is of what the prompt says, whoever sends it.
func (p newPrompt) sum() string {
	p.ClientID, p.Notify = "", ""
	return supervisor.BodyOf(p)
}

// firstPrompt is the prompt of a new session: its text alone, or a whole one.
type firstPrompt struct{ newPrompt }

// Schema is a text or a NewPrompt.
func (firstPrompt) Schema(r huma.Registry) *huma.Schema {
	least, most := 1, 1<<20
	s := &huma.Schema{
		Description: "The first prompt: its text alone, or with images",
		OneOf: []*huma.Schema{
			{Type: huma.TypeString, MinLength: &least, MaxLength: &most},
			r.Schema(reflect.TypeFor[newPrompt](), true, ""),
		},
	}
	s.PrecomputeMessages()
	return s
}

// UnmarshalJSON reads either form.
func (p *firstPrompt) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Text)
	}
	return json.Unmarshal(b, &p.newPrompt)
}

type promptInput struct {
	SessionPath
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"128" doc:"The same key never makes a second turn, also across a restart of the daemon"`
	Body           newPrompt
}

type promptOutput struct {
	Location string `header:"Location" doc:"The stream from the prompt on"`
	Body     resource.PromptAccepted
}

func (a *API) registerPrompts() {
	register(a, operation{
		id: "sendPrompt", method: http.MethodPost, path: "/sessions/{id}/prompts", tag: "control", status: http.StatusAccepted,
		summary: "Send a prompt",
		text:    "Accepted prompts are in the log before this answers. What becomes of one is read from the cursor on.",
		errors:  []int{http.StatusNotFound, http.StatusConflict}, maxBody: promptBody,
	}, func(ctx context.Context, in *promptInput) (*promptOutput, error) {
		if err := in.Body.check(); err != nil {
			return nil, err
		}
		r, err := a.sendPrompt(ctx, in.ID, &in.Body, in.IdempotencyKey)
		if err != nil {
			return nil, err
		}
		failpoint.Hit("api/beforeAnswer")
		accepted := acceptedOf(in.ID, r)
		return &promptOutput{accepted.Stream, accepted}, nil
	})
	register(a, operation{
		id: "listPrompts", method: http.MethodGet, path: "/sessions/{id}/prompts", tag: "control",
		summary: "Read the queue", text: "The prompts that wait, in order.", errors: []int{http.StatusNotFound},
	}, func(ctx context.Context, in *SessionPath) (*struct{ Body resource.PromptList }, error) {
		desc, err := a.door.Describe(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return &struct{ Body resource.PromptList }{resource.PromptList{Prompts: waitingPrompts(desc.Queue)}}, nil
	})
	register(a, operation{
		id: "cancelPrompt", method: http.MethodDelete, path: "/sessions/{id}/prompts/{pid}", tag: "control",
		summary: "Take a prompt out of the queue", text: "A prompt that the agent has already is a conflict: interrupt the turn instead.",
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, func(ctx context.Context, in *struct {
		SessionPath
		PromptID string `path:"pid" maxLength:"64" doc:"The prompt's id"`
	},
	) (*struct{}, error) {
		return nil, a.door.Cancel(ctx, in.ID, in.PromptID)
	})
	a.registerMove()
	a.registerImages()
}

func acceptedOf(id string, r session.Receipt) resource.PromptAccepted {
	cursor := r.Cursor.String()
	return resource.PromptAccepted{
		PromptID: r.PromptID, Cursor: cursor, Position: r.Position, Repeated: r.Repeated, Stream: "/sessions/" + id + "/stream?since=" + cursor,
	}
}

// sendPrompt hands a checked prompt to the session.
func (a *API) sendPrompt(ctx context.Context, id string, p *newPrompt, key string) (session.Receipt, error) {
	if protocol.ValidSessionID(id) {
		if err := a.sup.CheckFolder(ctx, id); err != nil { // the agent may have to be started for it
			return session.Receipt{}, err
		}
	}
	n := session.NewPrompt{Text: p.Text, Behavior: p.StreamingBehavior, ClientID: p.ClientID}
	if p.Notify != "" {
		var err error
		if n.Notify, err = a.notified(ctx, id); err != nil {
			return session.Receipt{}, err
		}
	}
	if len(p.Images) > 0 {
		return a.sendImages(ctx, id, p, &n, key)
	}
	return a.door.Send(ctx, id, n, key)
}

// notified is the session that is told of a session's prompt: that of the agent who asks, or the one that the session works for.
func (a *API) notified(ctx context.Context, id string) (string, error) {
	if who := access.Of(ctx); who.Scope == access.Agent {
		return who.Session, nil
	}
	parent, err := a.sup.Parent(ctx, id)
	if err == nil && parent == "" {
		err = mcp.NobodyToTell()
	}
	return parent, err
}
