package session

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// What a command that is not here needs to take sessions as the commands here do.

// Resolve finds the session that a person means: a whole id, an unambiguous beginning of one, or @last.
func Resolve(ctx context.Context, c *client.Client, name string) (string, error) {
	return resolve(ctx, c, name)
}

// Labels reads labels of the command line, each KEY:VALUE; nil where there are none.
func Labels(list []string) (map[string]string, error) { return labelsOf(list) }

// CompleteSession completes the ids of sessions.
func CompleteSession(target *lifecycle.Target) cobra.CompletionFunc { return completeSession(target) }
