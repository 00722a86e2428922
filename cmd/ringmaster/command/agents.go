package command

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// agents is the command of that name.
type agents struct {
	con    *console.Console
	target *lifecycle.Target
	asJSON bool
}

func newAgents(con *console.Console, target *lifecycle.Target) *cobra.Command {
	a := &agents{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "List the daemon's agents: what is installed, and what each can do",
		Args:  console.Args(0, 0),
		Example: `  ringmaster agents
  ringmaster agents --json | jq '.agents[] | select(.available) | .name'`,
		RunE: a.run,
	}
	cmd.Flags().BoolVar(&a.asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (a *agents) run(cmd *cobra.Command, _ []string) error {
	c, err := a.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var raw json.RawMessage
	list, err := c.Agents(client.WithRaw(cmd.Context(), &raw))
	if err != nil {
		return err
	}
	if a.asJSON {
		return console.PrintJSON(a.con.Out, raw)
	}
	if err := foundAgents(list.Agents).Print(a.con.Out); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(a.con.Out)
	return matrix(list.Agents).Print(a.con.Out)
}

// foundAgents says what was found of each agent.
func foundAgents(list []resource.Agent) *console.Table {
	var t console.Table
	t.Add("AGENT", "VERSION", "PROGRAM")
	for _, a := range list {
		if !a.Available {
			t.Add(a.Name, "-", "not available: "+a.Problem+"; "+a.Hint)
			continue
		}
		version := a.Version
		if !a.Tested {
			version += " (untested)"
		}
		t.Add(a.Name, version, a.Program)
	}
	return &t
}

// matrix says what each agent can, one ability per row.
func matrix(list []resource.Agent) *console.Table {
	var t console.Table
	head := []string{"CAN"}
	for _, a := range list {
		head = append(head, a.Name)
	}
	t.Add(head...)
	row := func(name string, can func(*resource.Agent) bool) {
		cells := []string{name}
		for i := range list {
			mark := "-"
			if can(&list[i]) {
				mark = "yes"
			}
			cells = append(cells, mark)
		}
		t.Add(cells...)
	}
	row("steer", func(a *resource.Agent) bool { return a.Capabilities.Steer })
	row("queue", func(a *resource.Agent) bool { return a.Capabilities.Queue })
	row("resume", func(a *resource.Agent) bool { return a.Capabilities.Resume })
	row("attach", func(a *resource.Agent) bool { return a.Capabilities.Attach })
	row("shared", func(a *resource.Agent) bool { return a.Capabilities.Shared })
	for _, answer := range []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop} {
		row("approvals: "+answer, func(a *resource.Agent) bool { return slices.Contains(a.Capabilities.Approvals, answer) })
	}
	row("questions", func(a *resource.Agent) bool { return a.Capabilities.Questions })
	row("images", func(a *resource.Agent) bool { return a.Capabilities.Images })
	row("models", func(a *resource.Agent) bool { return a.Capabilities.Models })
	row("modes", func(a *resource.Agent) bool { return a.Capabilities.Modes })
	row("sub-agents", func(a *resource.Agent) bool { return a.Capabilities.SubAgents })
	row("usage", func(a *resource.Agent) bool { return a.Capabilities.Usage })
	row("cost", func(a *resource.Agent) bool { return a.Capabilities.Cost })
	row("MCP server", func(a *resource.Agent) bool { return a.Capabilities.MCP })
	return &t
}
