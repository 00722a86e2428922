package scripted

import (
	"context"
	"os"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Name is the agent's name in the API.
const Name = "scripted"

// Subcommand is the hidden subcommand of our own program that is the agent.
const Subcommand = "__scripted-agent"

// Agent is the embedded agent: our own program, which speaks Pi's protocol and does what a script says. It needs nothing
// installed, no model and no network.
type Agent struct {
	// Native is the agent whose protocol it speaks: its translator is used. Nil means Pi.
	Native adapters.Agent
	// Version is that of our own build.
	Version string
	// SessionDir is where it keeps its sessions; empty: it cannot resume.
	SessionDir string
}

var _ adapters.Agent = Agent{}

// Name returns "scripted".
func (Agent) Name() string { return Name }

// Capabilities says what it can do. Approvals are those of Pi's gate: a yes or a no.
func (a Agent) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer:     true,
		Queue:     true,
		Resume:    a.SessionDir != "",
		Approvals: []string{protocol.AllowOnce, protocol.DenyContinue},
		Questions: true,
		Images:    true,
		Models:    true,
		Usage:     true,
		Cost:      true,
		MCP:       true,
	}
}

// Find finds our own program.
func (a Agent) Find(context.Context) adapters.Installation {
	path, err := os.Executable()
	if err != nil {
		return adapters.Installation{Problem: "our own program's path is not known: " + err.Error(), Hint: "start the daemon by its full path"}
	}
	return adapters.Installation{Program: path, Version: a.Version, Tested: true}
}

// Launch starts our own program as the agent. The arguments of the spec come last and so may name a script.
func (a Agent) Launch(spec adapters.Spec) adapters.Launch {
	id := spec.NativeSessionID
	if id == "" {
		id = spec.SessionID
	}
	args := []string{Subcommand, "--mode", "rpc", "--session-id", id}
	if a.SessionDir != "" {
		args = append(args, "--session-dir", a.SessionDir)
	}
	if spec.Model != "" {
		args = append(args, "--model", spec.Model)
	}
	if spec.MCP != nil {
		args = append(args, "--mcp", spec.MCP.URL, "--mcp-timeout", spec.MCP.CallTimeout.String())
	}
	return adapters.Launch{Path: spec.Program, Args: append(args, spec.Args...), Dir: spec.Cwd, Env: spec.MCP.Environment(spec.Env)}
}

// Translator returns a translator of Pi's protocol.
func (a Agent) Translator(spec adapters.Spec) adapters.Translator {
	spec.MCP = nil // not as Pi is given it
	if a.Native == nil {
		return pi.Agent{}.Translator(spec)
	}
	return a.Native.Translator(spec)
}

// Forget removes the file of a session of its own.
func (a Agent) Forget(nativeID string) error {
	if a.SessionDir == "" {
		return nil
	}
	return Files{Dir: a.SessionDir}.Remove(nativeID)
}
