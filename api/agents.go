package api

import (
	"context"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// registerAgents serves what agents there are. held says how their processes are known; nil: nobody knows.
func registerAgents(t *operation.Table, sup *access.Gate, held func() resource.Processes) {
	operation.Register(t, operation.Operation{
		ID: "listAgents", Method: http.MethodGet, Path: "/agents", Tag: "daemon",
		Summary: "List the agents",
		Text: "Which agents there are, what was found of them on this machine, what each can do, which models and modes they have told of, and how the daemon " +
			"knows their processes.",
	}, func(ctx context.Context, _ *struct{}) (*struct{ Body resource.AgentList }, error) {
		infos, err := sup.Agents(ctx)
		if err != nil {
			return nil, err
		}
		out := &struct{ Body resource.AgentList }{resource.AgentList{Agents: make([]resource.Agent, len(infos))}}
		if held != nil {
			out.Body.Processes = held()
		}
		for i := range infos {
			out.Body.Agents[i] = agentOf(&infos[i])
		}
		return out, nil
	})
}

func agentOf(i *supervisor.AgentInfo) resource.Agent {
	c, offers := &i.Capabilities, &i.Offers
	return resource.Agent{
		Name: i.Name, Available: i.Installation.Problem == "", Program: i.Installation.Program, Version: i.Installation.Version,
		Tested: i.Installation.Tested, Problem: i.Installation.Problem, Hint: i.Installation.Hint, CheckedAt: i.Checked.UTC(),
		Capabilities: resource.AgentCapabilities{
			Steer: c.Steer, Queue: c.Queue, Resume: c.Resume, Attach: c.Attach, Shared: c.Shared,
			Approvals: append([]string{}, c.Approvals...), Questions: c.Questions, Images: c.Images, Models: c.Models, Modes: c.Modes,
			SubAgents: c.SubAgents, Usage: c.Usage, Cost: c.Cost, MCP: c.MCP,
		},
		ModelsKnown: offers.KnownModels, Models: choicesOf(offers.Models), AllModels: offers.AllModels,
		ModesKnown: offers.KnownModes, Modes: choicesOf(offers.Modes),
	}
}
