package queue

import (
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
)

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
