package tool

import "github.com/ringmaster-agents/ringmaster/api/mcp/problem"

func checkNotify(how string) error {
	if how != "" && how != "prompt" {
		return problem.Invalid("There is no such notify.", "notify is prompt, or left out.")
	}
	return nil
}
