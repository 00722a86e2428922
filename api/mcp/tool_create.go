package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type createInput struct {
	Agent    string            `json:"agent" jsonschema:"name of an agent of agent_list"`
	Cwd      string            `json:"cwd,omitempty" jsonschema:"absolute path of the folder to work in; an agent may leave it out: its own"`
	Model    string            `json:"model,omitempty" jsonschema:"in the agent's own words"`
	Title    string            `json:"title,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	ParentID string            `json:"parent_session_id,omitempty" jsonschema:"the session that this one works for; that of an agent works for the agent's own"`
	MCP      bool              `json:"mcp,omitempty" jsonschema:"give its agent these tools: it can then start sessions that work for it, and be offered caller_tools. Not every agent can (mcp in agent_list)"`
}

func (s toolset) addSessionCreate() {
	addTool(s, &sdk.Tool{
		Name: "session_create", Title: "Create a session", Annotations: changes,
		Description: "Creates a session of a coding agent without a prompt. session_message creates one by itself where there is none.",
	}, func(ctx context.Context, _ *call, in *createInput) (sessionOutput, error) {
		sum, err := s.cfg.Backend.Create(ctx, supervisor.NewSession{
			Agent: in.Agent, Cwd: in.Cwd, Model: in.Model, Title: in.Title, Labels: in.Labels, ParentID: in.ParentID, MCP: in.MCP,
		})
		if err != nil {
			return sessionOutput{}, err
		}
		return sessionOf(&sum), nil
	})
}
