package tool

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Backend is the daemon as the tools see it. Methods block no longer than their context allows; errors that a client may see
// are *protocol.Problem.
type Backend interface {
	Create(ctx context.Context, n supervisor.NewSession) (supervisor.Created, error)
	// Started waits a moment for the agent of a session that was made; one that could not be started is an error.
	Started(ctx context.Context, made *supervisor.Created) (session.Description, error)
	// Claim gives the session that n's idempotency key stands for, and binds the key to the session id where it stands for none.
	Claim(ctx context.Context, n supervisor.NewSession, id string) (supervisor.Created, error)
	List(ctx context.Context, q supervisor.Query) (supervisor.Page, error)
	// Look gives the summary of a session without starting its actor.
	Look(ctx context.Context, id string) (session.Summary, error)
	Agents(ctx context.Context) ([]supervisor.AgentInfo, error)
	// Roots says inside which folders sessions may work.
	Roots(ctx context.Context) ([]string, error)
	NativeSessions(ctx context.Context, agent, cwd string) ([]supervisor.NativeSession, error)
	// Delete ends a session where it has not ended, and removes it.
	Delete(ctx context.Context, id string) error
	// DeleteListed removes a session that has ended and is as it was listed; else the problem is CodeConflict.
	DeleteListed(ctx context.Context, listed *session.Summary) error
	// CheckLabels refuses labels that a session cannot have, and TitleFits says whether it can have a title.
	CheckLabels(labels map[string]string) error
	TitleFits(title string) bool
	// EntryText gives the whole text of an entry that has ended, also where the log has only its beginning.
	EntryText(ctx context.Context, id, entryID string) (string, error)
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
	Notify         string // "prompt", or empty
}

// Image is one picture of a prompt.
type Image struct {
	MediaType string
	Data      []byte
}
