package session

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// Pin makes the command pin.
func Pin(con *console.Console, target *lifecycle.Target) *cobra.Command {
	var off bool
	cmd := &cobra.Command{
		Use:   "pin SESSION…",
		Short: "Keep sessions, whatever the daemon removes of old ones",
		Long: `Keep sessions, and with each those above and below it, whatever --keep-for and --keep-bytes say. --off lets go of them again.
ringmaster rm removes a pinned session all the same.`,
		Args: console.Args(1, -1),
		Example: `  ringmaster pin @last
  ringmaster pin 3f2a --off`,
		ValidArgsFunction: completeSession(target),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				err := act(cmd.Context(), con, target, name, func(ctx context.Context, session client.Session) (string, error) {
					word := " pinned"
					if off {
						word = " not pinned"
					}
					_, err := session.Pin(ctx, !off)
					return session.ID + word, err
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&off, "off", false, "let go of them")
	return cmd
}
