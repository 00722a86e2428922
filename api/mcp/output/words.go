package output

import "github.com/ringmaster-agents/ringmaster/protocol"

// States are those that a session can be in.
var States = []protocol.State{
	protocol.StateStarting, protocol.StateIdle, protocol.StateQueued, protocol.StateResponding, protocol.StateRetrying,
	protocol.StateCompacting, protocol.StateRunningTool, protocol.StateAwaitingApproval, protocol.StateAwaitingInput,
	protocol.StateInterrupting, protocol.StateCompleted, protocol.StateTerminated, protocol.StateFailed,
}

// ItemTypes are the types of what session_events shows.
var ItemTypes = protocol.ItemTypes()

// WordsOf are values of a closed list as strings.
func WordsOf[T ~string](list []T) []string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return words
}
