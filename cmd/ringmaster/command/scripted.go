package command

import (
	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
)

// scriptedAgent is the embedded agent, which the daemon starts as a child process of its own program.
func (p *Program) scriptedAgent() *cobra.Command {
	return &cobra.Command{
		Use:                scripted.Subcommand,
		Hidden:             true,
		DisableFlagParsing: true,
		Annotations:        map[string]string{ownSignals: ""},
		RunE: func(_ *cobra.Command, args []string) error {
			if code := scripted.Main(args, p.In, p.Out, p.Err); code != 0 {
				return &exitError{code: code}
			}
			return nil
		},
	}
}
