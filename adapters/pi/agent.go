package pi

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Agent is Pi.
type Agent struct{}

var (
	_ adapters.Connector  = Agent{}
	_ adapters.Translator = (*Translator)(nil)
)

// Name is "pi".
func (Agent) Name() string { return "pi" }

// Capabilities says what Pi can do. Approvals come from an extension that asks: Pi itself runs every tool.
func (Agent) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer:     true,
		Queue:     true,
		Resume:    true,
		Approvals: []string{protocol.AllowOnce, protocol.DenyContinue},
		Questions: true,
		Images:    true,
		Models:    true,
		Usage:     true,
		Cost:      true,
		MCP:       true,
	}
}

// Translator makes the translator of one process.
func (Agent) Translator(spec adapters.Spec) adapters.Translator { return newTranslator(spec) }

// Launch starts `pi --mode rpc`. Later versions take the session's id from the daemon, and find or make their session by
// it; Pi 0.73 gives its own, by which it is found again.
func (Agent) Launch(spec adapters.Spec) adapters.Launch {
	args := []string{"--mode", "rpc"}
	switch {
	case spec.Recall: // --session-id makes the session where it is not there
		args = append(args, "--session", spec.NativeSessionID)
	case !legacy(spec.Version):
		id := spec.SessionID
		if spec.Resume && spec.NativeSessionID != "" {
			id = spec.NativeSessionID
		}
		args = append(args, "--session-id", id)
	case spec.Resume && spec.NativeSessionID != "":
		args = append(args, "--session", spec.NativeSessionID)
	}
	if spec.Model != "" {
		args = append(args, "--model", spec.Model) // "provider/id", with an optional ":thinking"
	}
	env := program.WithDefaults(spec.MCP.Environment(spec.Env), "PI_SKIP_VERSION_CHECK=1", "PI_TELEMETRY=0")
	return adapters.Launch{Path: spec.Program, Args: append(args, spec.Args...), Dir: spec.Cwd, Env: env}
}

// SessionVariables are in the environment of its commands.
func (Agent) SessionVariables() []string {
	return []string{
		"AI_AGENT", "PI_CODING_AGENT", "PI_MODEL", "PI_PROVIDER", "PI_REASONING_LEVEL", "PI_SESSION_FILE", "PI_SESSION_ID",
	}
}
