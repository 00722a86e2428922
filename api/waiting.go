package api

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	tasks "github.com/ringmaster-agents/ringmaster/api/mcp/task"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/api/wait"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// fatesOf tells what became of prompts from the folds that MCP's tasks are made of.
func fatesOf(folds *tasks.Tasks) queue.Fates {
	return func(ctx context.Context, session, prompt string) (fate resource.PromptFate, err error) {
		state, turn, r, err := folds.Fate(ctx, session, prompt)
		fate = resource.PromptFate{State: state, TurnID: turn}
		if state == resource.PromptSettled {
			fate.Outcome = new(waitOutcome(&r))
		}
		return fate, err
	}
}

func waitOutcome(r *output.Result) resource.WaitOutcome {
	return resource.WaitOutcome{Outcome: r.Outcome, Text: r.Text, Bytes: r.Bytes, EntryID: r.Entry, Error: r.Error}
}

// registerWait serves waits. What became of a prompt is told from the same folds.
func registerWait(t *operation.Table, c *wait.Config, folds *tasks.Tasks) {
	c.Outcome = func(ctx context.Context, session, prompt string) (o resource.WaitOutcome, over bool, err error) {
		r, _, err := folds.Outcome(ctx, session, prompt)
		var p *protocol.Problem
		if errors.As(err, &p) && p.Code == protocol.CodePromptNotFound {
			err = protocol.NewProblem(p.Code, "The session's log does not have this prompt.", "The answer to sendPrompt names the prompt.")
		}
		return waitOutcome(&r), output.Final(r.Outcome), err
	}
	wait.New(*c).Register(t)
}
