package tool

import "github.com/ringmaster-agents/ringmaster/api/mcp/problem"

// NobodyToTell refuses notify of a session that works for no other one, where no agent asks (spec §4.11).
func NobodyToTell() error {
	return problem.Invalid("The session works for no other one: nobody could be told.",
		"Leave notify out, or create the session with the one that is to be told as its parent.")
}

func checkNotify(how string) error {
	if how != "" && how != "prompt" {
		return problem.Invalid("There is no such notify.", "notify is prompt, or left out.")
	}
	return nil
}
