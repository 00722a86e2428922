package queue

import (
	"context"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Prompts takes prompts and their images into the queues of sessions, and serves both.
type Prompts struct {
	sup     *access.Gate
	door    *control.Door
	log     *zap.Logger
	fate    Fates
	storing storing
}

// Fates reads in a session's log what became of a prompt that it has.
type Fates func(ctx context.Context, session, prompt string) (resource.PromptFate, error)

// New makes what takes prompts.
func New(sup *access.Gate, door *control.Door, fate Fates, log *zap.Logger) *Prompts {
	return &Prompts{sup: sup, door: door, fate: fate, log: log}
}
