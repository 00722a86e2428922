package mcp

import (
	"strings"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

var states = []protocol.State{
	protocol.StateStarting, protocol.StateIdle, protocol.StateQueued, protocol.StateResponding, protocol.StateRetrying,
	protocol.StateCompacting, protocol.StateRunningTool, protocol.StateAwaitingApproval, protocol.StateAwaitingInput,
	protocol.StateInterrupting, protocol.StateCompleted, protocol.StateTerminated, protocol.StateFailed,
}

func itemTypeNames() string {
	names := make([]string, len(itemTypes))
	for i, t := range itemTypes {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}

// head is the longest beginning of s of at most n bytes that ends between characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// inTools words a hint that names routes of the HTTP API for those who call tools.
var inTools = strings.NewReplacer(
	"GET /sessions/{id}/requests", "session_get", "GET /sessions/{id}/log", "session_events", "POST /sessions/{id}/end", "session_end",
	"GET /sessions/{id}/prompts", "session_prompts", "GET /sessions", "session_list", "GET /agents", "agent_list",
)
