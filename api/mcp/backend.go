package mcp

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Backend is the daemon as the tools see it. Methods block no longer than their context allows; errors that a client may see
// are *protocol.Problem.
type Backend interface {
	Create(ctx context.Context, n supervisor.NewSession) (session.Summary, error)
	List(ctx context.Context, q supervisor.Query) (supervisor.Page, error)
	// Look gives the summary of a session without starting its actor.
	Look(ctx context.Context, id string) (session.Summary, error)
	Agents(ctx context.Context) ([]supervisor.AgentInfo, error)
	// Find gives the actor of a session, for Ask.
	Find(ctx context.Context, id string) (session.Ref, error)
	// Join asks for the reading side of a session; the reader must be left.
	Join(ctx context.Context, id, name string) (*session.Reader, error)
	// Prompt stores the images of a prompt and hands it to the session.
	Prompt(ctx context.Context, id string, p Prompt) (session.Receipt, error)
}

// Prompt is a prompt of a tool.
type Prompt struct {
	Text           string
	Images         []Image
	Behavior       protocol.Behavior
	ClientID       string
	IdempotencyKey string
}

// Image is one picture of a prompt.
type Image struct {
	MediaType string
	Data      []byte
}

// question asks a session's actor. One that reached nobody is asked again: it was not taken.
func question[T any](ctx context.Context, b Backend, id string, build func(ask.Reply[T]) session.Message) (T, error) {
	var zero T
	for n := 1; ; n++ {
		ref, err := b.Find(ctx, id)
		if err != nil {
			return zero, err
		}
		v, err := ask.Ask(ctx, ref, build)
		if n == finds || !errors.Is(err, ask.ErrGone) {
			return v, err
		}
	}
}

// finds bounds how often a session is looked for again when its actor was put away between finding and asking.
const finds = 4

func describe(ctx context.Context, b Backend, id string) (session.Description, error) {
	return question(ctx, b, id, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
}
