package session

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// End makes the command end.
func End(con *console.Console, target *lifecycle.Target) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:               "end SESSION",
		Short:             "End a session: its agent stops, its log stays",
		Args:              console.Args(1, 1),
		Example:           `  ringmaster end @last --reason "done for today"`,
		ValidArgsFunction: completeSession(target),
		RunE: func(cmd *cobra.Command, args []string) error {
			return act(cmd.Context(), con, target, args[0], func(ctx context.Context, session client.Session) (string, error) {
				d, err := session.End(ctx, reason)
				return session.ID + " " + string(d.Status.State), err
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "for the log")
	return cmd
}

// Remove makes the command rm.
func Remove(con *console.Console, target *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:               "rm SESSION…",
		Short:             "End sessions and remove their logs",
		Args:              console.Args(1, -1),
		Example:           `  ringmaster rm 3f2a 9c1d`,
		ValidArgsFunction: completeSession(target),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				err := act(cmd.Context(), con, target, name, func(ctx context.Context, session client.Session) (string, error) {
					return session.ID + " removed", session.Remove(ctx)
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// act does one thing to the session that a person means, and says what came of it.
func act(
	ctx context.Context, con *console.Console, target *lifecycle.Target, name string, do func(context.Context, client.Session) (string, error),
) error {
	c, session, err := open(ctx, target, name)
	if err != nil {
		return err
	}
	defer c.Close()
	text, err := do(ctx, session)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(con.Out, console.OneLine(text, 0))
	return err
}
