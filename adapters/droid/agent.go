package droid

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Agent is Factory Droid.
type Agent struct{}

var (
	_ adapters.Agent      = Agent{}
	_ adapters.Translator = (*Translator)(nil)
)

// Name is "droid".
func (Agent) Name() string { return "droid" }

// Capabilities says what Droid can do. There is no plain deny: a refusal ends the turn.
func (Agent) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer:     true,
		Queue:     true,
		Resume:    true,
		Approvals: []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyStop},
		Questions: true,
		Images:    true,
		Models:    true,
		Modes:     true,
		Usage:     true,
		MCP:       true,
	}
}

// Translator makes the translator of one process.
func (Agent) Translator(spec adapters.Spec) adapters.Translator { return newTranslator(spec) }

// Launch starts `droid exec`. Flags for the model, the mode and the folder do nothing in this mode: initialize_session says them.
func (Agent) Launch(spec adapters.Spec) adapters.Launch {
	args := []string{"exec", "--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc"}
	env := program.WithDefaults(spec.MCP.Environment(spec.Env), "FACTORY_DROID_AUTO_UPDATE_ENABLED=false", "FACTORY_OTEL_ENABLED=false")
	return adapters.Launch{Path: spec.Program, Args: append(args, spec.Args...), Dir: spec.Cwd, Env: env}
}

// LostTurn is interrupted: that is how Droid goes on with such a turn.
func (Agent) LostTurn() protocol.TurnStatus { return protocol.TurnInterrupted }

// SessionVariables are in the environment of its commands.
func (Agent) SessionVariables() []string {
	return []string{"DROID_PARENT_SESSION_ID", "FACTORY_DISABLE_SETTINGS_PERSISTENCE"}
}
