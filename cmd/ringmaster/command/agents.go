package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
)

func (p *Program) agents() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "agents",
		Short: "List the daemon's agents: what is installed, and what each can do",
		Args:  args(0, 0),
		Example: `  ringmaster agents
  ringmaster agents --json | jq '.agents[] | select(.available) | .name'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.connect()
			if err != nil {
				return err
			}
			defer c.Close()
			list, raw, err := c.Agents(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.Out, raw)
			}
			var t table
			t.add("AGENT", "VERSION", "PROGRAM", "CAN")
			for _, a := range list {
				if !a.Available {
					t.add(a.Name, "-", "not available", a.Problem+"; "+a.Hint)
					continue
				}
				version := a.Version
				if !a.Tested {
					version += " (untested)"
				}
				t.add(a.Name, version, a.Program, abilities(&a))
			}
			return t.print(p.Out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func abilities(a *client.Agent) string {
	c := &a.Capabilities
	var list []string
	for _, can := range []struct {
		is   bool
		name string
	}{
		{c.Steer, "steer"},
		{c.Resume, "resume"},
		{len(c.Approvals) > 0, "approvals"},
		{c.Questions, "questions"},
		{c.Images, "images"},
		{c.Models, "models"},
		{c.SubAgents, "sub-agents"},
		{c.Cost, "cost"},
	} {
		if can.is {
			list = append(list, can.name)
		}
	}
	return strings.Join(list, ", ")
}
