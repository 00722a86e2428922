package core

import "github.com/ringmaster-agents/ringmaster/protocol"

func errEnded() error {
	return &protocol.Problem{
		Code: protocol.CodeSessionEnded, Detail: "The session has ended.", Hint: "Create a new session with " + protocol.TermCreateSession + ".",
	}
}

func errUnconnected() error {
	return &protocol.Problem{
		Code: protocol.CodeConflict, Detail: "The sub-agent is not connected: its work is done, or the connection was lost.",
		Hint: "Ask its parent session instead.",
	}
}

func misfit(detail, hint string) error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, detail, hint)
}

func errNotWaiting() error {
	return &protocol.Problem{
		Code: protocol.CodePromptNotFound, Detail: "No such prompt waits.",
		Hint: "It may have been dispatched: " + protocol.TermListPrompts + " lists what waits.",
	}
}

func errWithAgent() error {
	return &protocol.Problem{
		Code: protocol.CodeConflict, Detail: "The agent has the prompt already.",
		Hint: "Interrupt the turn with " + protocol.TermInterruptSession + ": that takes it back.",
	}
}
