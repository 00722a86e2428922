package adapters

import "strings"

// Ability is one row of the capability matrix, for people.
type Ability struct {
	Name string
	Can  string // empty: it cannot; "yes", or how far
	Says string // what the word means
}

// Abilities are the rows of the matrix, always the same ones in the same order.
func (c *Capabilities) Abilities() []Ability {
	yes := func(can bool) string {
		if can {
			return "yes"
		}
		return ""
	}
	return []Ability{
		{"steer", yes(c.Steer), "takes messages into a running turn"},
		{"queue", yes(c.Queue), "has a queue of its own, which is not used: prompts wait in the session's"},
		{"resume", yes(c.Resume), "goes on with its own session after its process was lost"},
		{"attach", yes(c.Attach), "can be attached to where it runs already"},
		{"shared", yes(c.Shared), "one process serves many sessions"},
		{"approvals", strings.Join(c.Approvals, ", "), "the answers that it takes"},
		{"questions", yes(c.Questions), "asks the user"},
		{"images", yes(c.Images), "takes images in prompts"},
		{"models", yes(c.Models), "the model can be switched in a running session"},
		{"modes", yes(c.Modes), "so can the mode"},
		{"sub-agents", yes(c.SubAgents), "has sub-agents, which are sessions of their own"},
		{"usage", yes(c.Usage), "reports tokens"},
		{"cost", yes(c.Cost), "reports cost"},
		{"mcp", yes(c.MCP), "can be given the daemon's MCP server, to start and lead sessions itself"},
	}
}
