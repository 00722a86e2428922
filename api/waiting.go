package api

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	tasks "github.com/ringmaster-agents/ringmaster/api/mcp/task"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/wait"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// registerWait serves waits. What became of a prompt is told from the fold that MCP's tasks are made of.
func registerWait(t *operation.Table, c *wait.Config, door *control.Door) {
	folds := tasks.New(door, nil, nil, nil)
	c.Outcome = func(ctx context.Context, session, prompt string) (o resource.WaitOutcome, over bool, err error) {
		r, _, err := folds.Outcome(ctx, session, prompt)
		var p *protocol.Problem
		if errors.As(err, &p) && p.Code == protocol.CodePromptNotFound {
			err = protocol.NewProblem(p.Code, "The session's log does not have this prompt.", "The answer to sendPrompt names the prompt.")
		}
		return resource.WaitOutcome{Outcome: r.Outcome, Text: r.Text, Bytes: r.Bytes, EntryID: r.Entry, Error: r.Error}, output.Final(r.Outcome), err
	}
	wait.New(*c).Register(t)
}
