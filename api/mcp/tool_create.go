package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type createInput struct {
	Agent    string            `json:"agent" jsonschema:"name of an agent of agent_list"`
	Cwd      string            `json:"cwd" jsonschema:"absolute path of the folder to work in"`
	Model    string            `json:"model,omitempty" jsonschema:"in the agent's own words"`
	Title    string            `json:"title,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	ParentID string            `json:"parent_session_id,omitempty" jsonschema:"the session that this one works for"`
}

func (s *Service) addSessionCreate() {
	addTool(s, &sdk.Tool{
		Name: "session_create", Title: "Create a session", Annotations: changes,
		Description: "Creates a session of a coding agent without a prompt. session_message creates one by itself where there is none.",
	}, func(ctx context.Context, _ *call, in *createInput) (sessionOutput, error) {
		sum, err := s.create(ctx, supervisor.NewSession{
			Agent: in.Agent, Cwd: in.Cwd, Model: in.Model, Title: in.Title, Labels: in.Labels, ParentID: in.ParentID,
		})
		if err != nil {
			return sessionOutput{}, err
		}
		return sessionOf(&sum), nil
	})
}
