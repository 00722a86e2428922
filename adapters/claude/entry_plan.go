package claude

import (
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// plan reads a list of things to do, which the agent writes whole each time; nil: the call has none. Lists that it changes item by
// item are tool calls and nothing else. limit is that of a text, in bytes.
func (c *contentWire) plan(limit int) *protocol.PlanData {
	if c.Name != "TodoWrite" {
		return nil
	}
	var input struct {
		Todos []struct {
			Content string `json:"content"`
			Status  string `json:"status"`
		} `json:"todos"`
	}
	if native.Decode(c.Input, &input) != nil || len(input.Todos) == 0 {
		return nil
	}
	plan := new(protocol.PlanData)
	for _, todo := range input.Todos {
		step := protocol.PlanStep{Text: native.Head(todo.Content, limit), Status: native.Head(todo.Status, maxTitle)}
		limit -= len(step.Text)
		plan.Steps = append(plan.Steps, step)
	}
	return plan
}
