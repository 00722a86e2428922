package claude

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
)

// ProgramEnv names the program where it is not `claude` on the PATH.
const ProgramEnv = "RINGMASTER_CLAUDE"

// Find looks for Claude Code and asks it for its version.
func (Agent) Find(ctx context.Context) adapters.Installation {
	return program.Find(ctx, program.Query{
		Env: ProgramEnv, Name: "claude", Args: []string{"--version"}, Tested: []string{"2.1"},
		Install: "npm install -g @anthropic-ai/claude-code",
	})
}
