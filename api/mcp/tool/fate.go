package tool

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
)

// fates tell what became of prompts that were sent before.
type fates struct{ tasks *task.Tasks }

// of is the fate of a prompt, by its receipt; nil: the prompt is new. A place in the queue counts no more where the prompt has left that since.
func (s fates) of(ctx context.Context, id string, r *session.Receipt) (*output.Fate, error) {
	if !r.Repeated {
		return nil, nil
	}
	state, turn, result, err := s.tasks.Fate(ctx, id, r.PromptID)
	if err != nil {
		return nil, err
	}
	if state != output.PromptQueued {
		r.Position = 0
	}
	return output.FateOf(state, turn, &result), nil
}
