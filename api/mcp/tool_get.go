package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// named is the input of tools that need a session and nothing else.
type named struct {
	SessionID string `json:"session_id"`
}

type getOutput struct {
	sessionOutput
	Prompts  []promptOutput  `json:"prompts" jsonschema:"that wait"`
	Requests []requestOutput `json:"requests" jsonschema:"that wait for session_answer"`
	Usage    usageOutput     `json:"usage"`
	CostUSD  float64         `json:"cost_usd"`
}

type usageOutput struct {
	InputTokens  int64 `json:"input_tokens" jsonschema:"all input, cached included"`
	CachedTokens int64 `json:"cached_input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	TotalTokens  int64 `json:"total_tokens"`
}

func usageOf(u protocol.Usage) usageOutput {
	return usageOutput{u.InputTokens, u.CachedInputTokens, u.OutputTokens, u.TotalTokens}
}

func (s toolset) addSessionGet() {
	addTool(s, &sdk.Tool{
		Name: "session_get", Title: "Look at a session", Annotations: reads,
		Description: "Shows a session: what it is, what it does, which prompts wait, who has to answer what, and what it has used.",
	}, func(ctx context.Context, _ *call, in *named) (*getOutput, error) {
		if err := checkID(in.SessionID); err != nil {
			return nil, err
		}
		d, err := describe(ctx, s.cfg.Backend, in.SessionID)
		if err != nil {
			return nil, err
		}
		return &getOutput{sessionOf(&d.Summary), promptsOf(d.Queue), requestsOf(d.Requests), usageOf(d.Usage), d.Cost}, nil
	})
}
