package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
)

func (p *Program) interrupt() *cobra.Command {
	return &cobra.Command{
		Use:               "interrupt SESSION",
		Short:             "Stop the running turn of a session",
		Args:              args(1, 1),
		Example:           `  ringmaster interrupt @last`,
		ValidArgsFunction: p.completeSession,
		RunE: p.control(func(ctx context.Context, c *client.Client, id string) (string, error) {
			turn, err := c.Interrupt(ctx, id)
			if turn == "" {
				return "nothing was running", err
			}
			return "interrupting " + turn, err
		}),
	}
}

func (p *Program) end() *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:               "end SESSION",
		Short:             "End a session: its agent stops, its log stays",
		Args:              args(1, 1),
		Example:           `  ringmaster end @last --reason "done for today"`,
		ValidArgsFunction: p.completeSession,
		RunE: p.control(func(ctx context.Context, c *client.Client, id string) (string, error) {
			d, _, err := c.End(ctx, id, reason)
			return id + " " + string(d.Status.State), err
		}),
	}
	cmd.Flags().StringVar(&reason, "reason", "", "for the log")
	return cmd
}

func (p *Program) remove() *cobra.Command {
	return &cobra.Command{
		Use:               "rm SESSION…",
		Short:             "End sessions and remove their logs",
		Args:              args(1, -1),
		Example:           `  ringmaster rm 3f2a 9c1d`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				err := p.control(func(ctx context.Context, c *client.Client, id string) (string, error) {
					return id + " removed", c.Remove(ctx, id)
				})(cmd, []string{name})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// control is a command that does one thing to one session and says what came of it.
func (p *Program) control(do func(context.Context, *client.Client, string) (string, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, id, err := p.session(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		defer c.Close()
		text, err := do(cmd.Context(), c, id)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Out, oneLine(text, 0))
		return err
	}
}
