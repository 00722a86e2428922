package droid

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// machineID names the client to Droid, which wants a name and does nothing else with it here.
const machineID = "ringmaster"

type initializeParams struct {
	MachineID string `json:"machineId"`
	Cwd       string `json:"cwd"`
	settingsParams
	MCP []mcpServer `json:"mcpServers,omitempty"`
}

type loadParams struct {
	SessionID string      `json:"sessionId"`
	MCP       []mcpServer `json:"mcpServers,omitempty"`
}

// start makes a session, or loads the one that is there.
func start(spec *adapters.Spec, calls *calls, out *adapters.Output) {
	if id := spec.NativeSessionID; spec.Resume && id != "" {
		calls.ask(call{method: methodLoad, session: id, start: true}, loadParams{SessionID: id, MCP: mcpServers(spec.MCP)}, out)
		return
	}
	p := initializeParams{MachineID: machineID, Cwd: spec.Cwd, MCP: mcpServers(spec.MCP)}
	if spec.Model != "" {
		p.ModelID = &spec.Model
	}
	known := spec.Mode == "" || p.setMode(spec.Mode)
	calls.ask(call{method: methodInitialize, start: true}, p, out)
	if !known {
		notice("warning", "mode_unknown", unknownMode(spec.Mode), out)
	}
}

// startFailed says why there is no session, and ends the process: without one it would wait for ever.
func startFailed(k call, problem string, calls *calls, out *adapters.Output) {
	text := k.method + ": " + problem
	if k.session != "" {
		text += " (" + k.session + ")"
	}
	notice("error", "start_failed", text, out)
	calls.send(methodClose, struct{}{}, out)
}
