package mcp

import (
	"strings"

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
