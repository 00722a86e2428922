package pi

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
)

// ProgramEnv names the program where it is not `pi` on the PATH.
const ProgramEnv = "RINGMASTER_PI"

// Find looks for Pi and asks it for its version, which Pi 0.73 says on standard error.
func (Agent) Find(ctx context.Context) adapters.Installation {
	return program.Find(ctx, program.Query{
		Env:     ProgramEnv,
		Name:    "pi",
		Args:    []string{"--version"},
		Tested:  []string{"0.73", "1.5"},
		Install: "npm install -g @earendil-works/pi-coding-agent",
		Needs:   "Pi 1.x needs Node.js 22.19 or later on the PATH",
	})
}
