package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type agentsOutput struct {
	Agents []agentOutput `json:"agents"`
}

type agentOutput struct {
	Name      string   `json:"name"`
	Available bool     `json:"available" jsonschema:"sessions can be created with it"`
	Version   string   `json:"version,omitempty"`
	Problem   string   `json:"problem,omitempty"`
	Hint      string   `json:"hint,omitempty"`
	Steer     bool     `json:"steer" jsonschema:"takes messages into a running turn"`
	Images    bool     `json:"images"`
	Questions bool     `json:"questions" jsonschema:"may ask something"`
	MCP       bool     `json:"mcp" jsonschema:"can be given this MCP server"`
	Approvals []string `json:"approvals" jsonschema:"the answers to approvals that it takes"`
}

func (s toolset) addAgentList() {
	addTool(s, &sdk.Tool{
		Name: "agent_list", Title: "List the coding agents", Annotations: reads,
		Description: "Lists the coding agents that sessions can be created with, and what each can do.",
	}, func(ctx context.Context, _ *call, _ *struct{}) (agentsOutput, error) {
		list, err := s.cfg.Backend.Agents(ctx)
		out := agentsOutput{Agents: []agentOutput{}}
		for _, a := range list {
			out.Agents = append(out.Agents, agentOutput{
				Name: a.Name, Available: a.Installation.Program != "" && a.Installation.Problem == "", Version: a.Installation.Version,
				Problem: a.Installation.Problem, Hint: a.Installation.Hint, Steer: a.Capabilities.Steer, Images: a.Capabilities.Images,
				Questions: a.Capabilities.Questions, MCP: a.Capabilities.MCP, Approvals: append([]string{}, a.Capabilities.Approvals...),
			})
		}
		return out, err
	})
}
