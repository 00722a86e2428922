package codex

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Agent is Codex.
type Agent struct{}

var (
	_ adapters.Splitting  = Agent{}
	_ adapters.Connector  = Agent{}
	_ adapters.Translator = (*Translator)(nil)
	_ adapters.Splitter   = (*splitter)(nil)
)

// ProgramEnv names the program where it is not `codex` on the PATH.
const ProgramEnv = "RINGMASTER_CODEX"

// Name is "codex".
func (Agent) Name() string { return "codex" }

// Capabilities says what Codex can do.
func (Agent) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer:     true,
		Queue:     true,
		Resume:    true,
		Attach:    true,
		Shared:    true,
		Approvals: []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop},
		Questions: true,
		Images:    true,
		Models:    true,
		Modes:     true,
		SubAgents: true,
		Usage:     true,
		MCP:       true,
	}
}

// Find looks for Codex and asks it for its version.
func (Agent) Find(ctx context.Context) adapters.Installation {
	return program.Find(ctx, program.Query{
		Env: ProgramEnv, Name: "codex", Args: []string{"--version"}, Tested: []string{"0.169"},
		Install: "npm install -g @openai/codex",
	})
}

// Launch starts `codex app-server`. Its folder is that of the first session; every thread has its own.
func (Agent) Launch(spec adapters.Spec) adapters.Launch {
	args := append([]string{"app-server"}, mcpArgs(spec.MCP)...)
	return adapters.Launch{
		Path: spec.Program, Args: append(args, spec.Args...), Dir: spec.Cwd, Env: spec.MCP.Environment(spec.Env),
	}
}

// Connection is one for all sessions that would start the same server, or are attached to the same one. A session that is given
// an MCP server has a process for itself: its token must not be another session's.
func (Agent) Connection(spec adapters.Spec) string {
	if spec.MCP != nil && spec.Endpoint == nil {
		return ""
	}
	parts := append([]string{spec.Program, "args"}, spec.Args...)
	if e := spec.Endpoint; e != nil {
		parts = []string{"endpoint", e.URL, e.Username, e.Password}
	} else {
		env := slices.DeleteFunc(slices.Clone(spec.Env), func(v string) bool { return strings.HasPrefix(v, adapters.MarkerEnv+"=") })
		slices.Sort(env)
		parts = append(append(parts, "env"), env...)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00"))) // an environment has secrets
	return "codex-" + hex.EncodeToString(sum[:12])
}

// Splitter makes the splitter of one connection.
func (Agent) Splitter(spec adapters.Spec) adapters.Splitter { return newSplitter(spec) }

// Translator makes the translator of one thread.
func (Agent) Translator(spec adapters.Spec) adapters.Translator { return newTranslator(spec) }

// LostTurn is interrupted: that is how Codex goes on with such a turn.
func (Agent) LostTurn() protocol.TurnStatus { return protocol.TurnInterrupted }

// SessionVariables are in the environment of its commands.
func (Agent) SessionVariables() []string {
	return []string{
		"CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS", "CODEX_CI", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_SESSION_ID", "CODEX_THREAD_ID",
		"CODEX_TOOL_CALL_ID", "CODEX_VERSION",
	}
}
