package control

import "github.com/ringmaster-agents/ringmaster/protocol"

// NobodyToTell refuses notify of a session that works for no other one, where no agent asks (spec §4.11).
func NobodyToTell() error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, "The session works for no other one: nobody could be told.",
		"Leave notify out, or create the session with the one that is to be told as its parent.")
}
