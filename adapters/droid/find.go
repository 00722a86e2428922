package droid

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
)

// ProgramEnv names the program where it is not `droid` on the PATH.
const ProgramEnv = "RINGMASTER_DROID"

// Find looks for Droid and asks it for its version.
func (Agent) Find(ctx context.Context) adapters.Installation {
	return program.Find(ctx, program.Query{
		Env:     ProgramEnv,
		Name:    "droid",
		Args:    []string{"--version"},
		Tested:  []string{"0.215", "0.225"},
		Install: "npm install -g droid",
	})
}
