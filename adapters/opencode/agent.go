package opencode

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode/server"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Agent is OpenCode.
type Agent struct{}

var (
	_ adapters.Splitting  = Agent{}
	_ adapters.Connector  = Agent{}
	_ adapters.Translator = (*Translator)(nil)
	_ adapters.Splitter   = (*Splitter)(nil)
)

// ProgramEnv names the program where it is not `opencode` on the PATH.
const ProgramEnv = "RINGMASTER_OPENCODE"

// Name is "opencode".
func (Agent) Name() string { return "opencode" }

// Capabilities says what OpenCode can do.
func (Agent) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer:     true, // its only way to take a prompt while it is busy
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
		Cost:      true,
		MCP:       true,
	}
}

// Find looks for OpenCode and asks it for its version.
func (Agent) Find(ctx context.Context) adapters.Installation {
	return program.Find(ctx, program.Query{
		Env: ProgramEnv, Name: "opencode", Args: []string{"--version"}, Tested: []string{"1.1", "1.18"},
		Install: "npm install -g opencode-ai",
	})
}

// quiet are the defaults of the environment: nothing is fetched, shared or updated behind the user's back.
var quiet = []string{
	"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_SHARE=1", "OPENCODE_DISABLE_EMBEDDED_WEB_UI=1",
	"OPENCODE_DISABLE_TERMINAL_TITLE=1",
}

// Launch starts `opencode serve`, which tells on its standard output where it listens. server.Start gives it a port: left to itself it takes 4096
// where that is free, which is the user's own server's.
func (Agent) Launch(spec adapters.Spec) adapters.Launch {
	env := program.WithDefaults(withMCP(spec.MCP, spec.Version, spec.Env), quiet...)
	args := append([]string{"serve", "--hostname", "127.0.0.1", "--port", "0"}, spec.Args...)
	return adapters.Launch{Path: spec.Program, Args: args, Dir: spec.Cwd, Env: env}
}

// Connect starts a server, or attaches to the one at spec.Endpoint, and opens its stream of events. A server that is started
// gets a password, where the operator has set none. Errors are of type *server.ConnectError, or those of processes.
func (a Agent) Connect(ctx context.Context, spec adapters.Spec, processes adapters.Transport) (adapters.Conn, error) {
	if spec.Endpoint != nil {
		return server.Attach(ctx, *spec.Endpoint, "/event"+query(folder(&spec), ""), processes, sessionIn)
	}
	return server.Start(ctx, a.Launch(spec), processes, sessionIn)
}

// Connection names the server that a session uses: one per folder, or per folder of a server that runs already and of the
// credentials for it. A session that is given an MCP server has one for itself: its token must not be another session's.
func (Agent) Connection(spec adapters.Spec) string {
	if spec.MCP != nil && spec.Endpoint == nil {
		return ""
	}
	if e := spec.Endpoint; e != nil {
		key := sha256.Sum256([]byte(e.Username + "\x00" + e.Password))
		return "at " + e.URL + " for " + spec.Cwd + " as " + hex.EncodeToString(key[:8])
	}
	return "serve in " + spec.Cwd
}

// Splitter makes the splitter of one server's connection.
func (Agent) Splitter(adapters.Spec) adapters.Splitter { return newSplitter() }

// Translator makes the translator of one session.
func (Agent) Translator(spec adapters.Spec) adapters.Translator { return newTranslator(spec) }

// SessionVariables are in the environment of its commands.
func (Agent) SessionVariables() []string {
	return []string{"OPENCODE", "OPENCODE_PID"}
}
