package fold

import (
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/control"
)

// States serves what is made of a log before it is sent: its fold, the whole text of an entry.
type States struct {
	sup      *access.Gate
	door     *control.Door
	memory   *Memory
	encoders *compress.Pool
	log      *zap.Logger
}

// New makes what serves states and texts; z bounds how many are made at once.
func New(sup *access.Gate, door *control.Door, f *Memory, z *compress.Pool, log *zap.Logger) *States {
	return &States{sup, door, f, z, log}
}
