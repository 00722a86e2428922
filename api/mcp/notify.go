package mcp

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
)

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

// waive takes back an agent's wish to be told of a prompt whose end it learns here.
func (s *Service) waive(ctx context.Context, j *joined) {
	prompt, over := j.settled()
	if prompt == "" || !over || j.who.Scope != access.Agent {
		return
	}
	s.door.Waive(access.With(ctx, access.Daemon), j.who.Session, j.feed.ID, prompt)
}

// settled is the prompt that the answer is of, and whether that is over.
func (j *joined) settled() (prompt string, over bool) {
	if j.gone {
		return "", false
	}
	if j.prompt != "" {
		return j.prompt, output.Final(j.of.Outcome)
	}
	return j.newest.prompt, output.Final(j.newest.outcome)
}
