package command

import (
	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// newScripted makes the command that is the embedded agent, which the daemon starts as a child process of its own program.
func newScripted(con *console.Console, _ *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:                scripted.Subcommand,
		Hidden:             true,
		DisableFlagParsing: true,
		Annotations:        map[string]string{console.OwnSignals: ""},
		RunE: func(_ *cobra.Command, args []string) error {
			if code := scripted.Main(args, con.In, con.Out, con.Err); code != 0 {
				return &exit.Error{Code: code}
			}
			return nil
		},
	}
}
