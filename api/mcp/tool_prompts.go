package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
)

type promptsInput struct {
	SessionID string `json:"session_id"`
	Action    string `json:"action,omitempty" jsonschema:"list (the default), cancel or move"`
	PromptID  string `json:"prompt_id,omitempty" jsonschema:"of cancel and move"`
	Before    string `json:"before,omitempty" jsonschema:"of move: the prompt that it shall stand before"`
	Position  int    `json:"position,omitempty" jsonschema:"of move, instead of before: the place, from 1"`
}

type promptsOutput struct {
	Prompts []promptOutput `json:"prompts" jsonschema:"that wait, in order, after the action"`
}

func (s toolset) addSessionPrompts() {
	addTool(s, &sdk.Tool{
		Name: "session_prompts", Title: "The queue of a session", Annotations: changes,
		Description: "Lists the prompts that wait for the agent, cancels one, or moves one to another place.",
	}, s.sessionPrompts)
}

func (s *Service) sessionPrompts(ctx context.Context, _ *call, in *promptsInput) (promptsOutput, error) {
	if err := checkID(in.SessionID); err != nil {
		return promptsOutput{}, err
	}
	var err error
	switch in.Action {
	case "", "list":
	case "cancel":
		_, err = question(ctx, s.cfg.Backend, in.SessionID, func(r ask.Reply[session.Done]) session.Message {
			return &session.CancelPrompt{Reply: r, PromptID: in.PromptID}
		})
	case "move":
		if (in.Before == "") == (in.Position == 0) {
			err = invalid("move needs before or position, one of them.", "position counts from 1.")
			break
		}
		_, err = question(ctx, s.cfg.Backend, in.SessionID, func(r ask.Reply[session.Moved]) session.Message {
			return &session.MovePrompt{Reply: r, PromptID: in.PromptID, Before: in.Before, Position: in.Position}
		})
	default:
		err = invalid("There is no such action.", "action is list, cancel or move.")
	}
	if err != nil {
		return promptsOutput{}, err
	}
	d, err := describe(ctx, s.cfg.Backend, in.SessionID)
	if err != nil {
		return promptsOutput{}, err
	}
	return promptsOutput{promptsOf(d.Queue)}, nil
}
