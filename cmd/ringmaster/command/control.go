package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (p *Program) interrupt() *cobra.Command {
	var clearQueue bool
	cmd := &cobra.Command{
		Use:   "interrupt SESSION",
		Short: "Stop the running turn of a session",
		Long: `Stop the running turn of a session. Prompts that wait come next, unless --clear takes them out of the queue first; what the agent
has taken already goes with the turn.`,
		Args: args(1, 1),
		Example: `  ringmaster interrupt @last
  ringmaster interrupt 3f2a --clear`,
		ValidArgsFunction: p.completeSession,
		RunE: p.control(func(ctx context.Context, c *client.Client, id string) (string, error) {
			var taken []string
			waiting, err := waitingPrompts(ctx, c, id)
			if err != nil {
				return "", err
			}
			if clearQueue { // before the interrupt: none of them may begin a turn in between
				if taken, err = clearPrompts(ctx, c, id, waiting); err != nil {
					return "", err
				}
			}
			turn, err := c.Interrupt(ctx, id)
			text := "interrupting " + turn
			if turn == "" {
				text = "nothing was running"
			}
			switch {
			case len(taken) > 0:
				text += "; taken from the queue: " + strings.Join(taken, ", ")
			case !clearQueue && len(waiting) > 0:
				text += "; " + nextText(id, len(waiting))
			}
			return text, err
		}),
	}
	cmd.Flags().BoolVar(&clearQueue, "clear", false, "take the prompts that wait out of the queue as well")
	return cmd
}

// waitingPrompts are the ids of the prompts in the queue that have not gone to the agent.
func waitingPrompts(ctx context.Context, c *client.Client, id string) ([]string, error) {
	d, _, err := c.Show(ctx, id)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, q := range d.Queue {
		if !q.Sent && q.Origin == "" {
			list = append(list, q.PromptID)
		}
	}
	return list, nil
}

// clearPrompts takes prompts out of the queue; taken are those that were still there.
func clearPrompts(ctx context.Context, c *client.Client, id string, list []string) (taken []string, err error) {
	for _, prompt := range list {
		err := c.Cancel(ctx, id, prompt)
		var problem *protocol.Problem
		if errors.As(err, &problem) && (problem.Code == protocol.CodePromptNotFound || problem.Code == protocol.CodeConflict) {
			continue // it has begun, or gone to the agent
		}
		if err != nil {
			return taken, err
		}
		taken = append(taken, prompt)
	}
	return taken, nil
}

// nextText says what becomes of prompts that wait behind an interrupted turn.
func nextText(id string, waiting int) string {
	what := "1 prompt waits and comes next"
	if waiting > 1 {
		what = strconv.Itoa(waiting) + " prompts wait and come next"
	}
	return what + ", unless you take them out: ringmaster interrupt " + shortID(id) + " --clear"
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
