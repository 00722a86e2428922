package claude

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Agent is Claude Code.
type Agent struct{}

var (
	_ adapters.Splitting  = Agent{}
	_ adapters.Translator = (*Translator)(nil)
	_ adapters.Splitter   = (*Splitter)(nil)
)

// Name is "claude".
func (Agent) Name() string { return "claude" }

// Capabilities says what Claude Code can do.
func (Agent) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer:     true,
		Queue:     true,
		Resume:    true,
		Approvals: []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop},
		Questions: true,
		Images:    true,
		Models:    true,
		Modes:     true,
		SubAgents: true,
		Usage:     true,
		Cost:      true,
		MCP:       true,
	}
}

// Translator makes the translator of one session or sub-agent.
func (Agent) Translator(spec adapters.Spec) adapters.Translator { return newTranslator(spec) }

// Connection is empty: a session has its process for itself and its sub-agents.
func (Agent) Connection(adapters.Spec) string { return "" }

// Splitter makes the splitter of one process.
func (Agent) Splitter(adapters.Spec) adapters.Splitter { return newSplitter() }

// streaming are the arguments that make the program speak lines, in both directions and with requests for permission.
var streaming = []string{
	"-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
	"--include-partial-messages", "--permission-prompt-tool", "stdio",
}

// defaults are the settings that the environment of the program has, unless it has others. Each command begins in the session's folder: the
// program does not say where one would run, and a "cd" is not asked.
var defaults = []string{
	"CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR=1",
	"CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
	"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
}

// Launch starts the program. A new session gets the daemon's id, so that it is known before the program has said it; one that is
// started anew, because its own session was lost, gets none: the program refuses an id that it has seen.
func (Agent) Launch(spec adapters.Spec) adapters.Launch {
	args := slices.Concat(mcpArgs(spec.MCP), streaming)
	switch {
	case spec.Resume && spec.NativeSessionID != "":
		args = append(args, "--resume", spec.NativeSessionID)
	case spec.NativeSessionID == "":
		args = append(args, "--session-id", spec.SessionID)
	}
	if spec.Model != "" {
		args = append(args, "--model", spec.Model)
	}
	if spec.Mode != "" {
		args = append(args, "--permission-mode", spec.Mode)
	}
	if spec.Private != "" && !slices.ContainsFunc(spec.Args, isSettings) {
		args = append(args, "--settings", private(spec.Private))
	}
	env := program.WithDefaults(spec.MCP.Environment(spec.Env), defaults...)
	return adapters.Launch{Path: spec.Program, Args: append(args, spec.Args...), Dir: spec.Cwd, Env: env}
}

// isSettings says that an operator's argument gives settings: the program takes the last ones alone.
func isSettings(arg string) bool { return arg == "--settings" || strings.HasPrefix(arg, "--settings=") }

// private are settings beside the user's: what lies below its working folder the program reads unasked, and in some modes it does everything so. It
// refuses, for only a rule that denies holds for commands like cat as well.
func private(folder string) string {
	var s struct {
		Permissions struct {
			Deny []string `json:"deny"`
		} `json:"permissions"`
	}
	for _, tool := range []string{"Read", "Edit"} { // which stand for all tools that read, and that write
		s.Permissions.Deny = append(s.Permissions.Deny, tool+"(/"+folder+"/**)")
	}
	text, err := json.Marshal(s)
	if err != nil {
		return "{}" // strings cannot fail
	}
	return string(text)
}

// LostTurn is interrupted: that is how Claude Code goes on with such a turn.
func (Agent) LostTurn() protocol.TurnStatus { return protocol.TurnInterrupted }

// SessionVariables are in the environment of its commands.
func (Agent) SessionVariables() []string {
	return []string{
		"AI_AGENT", "CLAUDECODE", "CLAUDE_CODE_CHILD_NOTES_DIR", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH",
		"CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS", "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SESSION_ATTENDED",
		"CLAUDE_CODE_SESSION_ID", "CLAUDE_EFFORT", "CLAUDE_PID",
	}
}
