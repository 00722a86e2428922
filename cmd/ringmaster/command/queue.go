package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func (p *Program) prompts() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "prompts SESSION",
		Short:             "Show the prompts of a session that wait, or move and cancel one",
		Args:              args(1, 1),
		Example:           "  ringmaster prompts @last\n  ringmaster prompts move @last p4 --before p2\n  ringmaster prompts cancel @last p4",
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, id, err := p.session(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			d, _, err := c.Show(cmd.Context(), id)
			if err != nil {
				return err
			}
			var t table
			for _, q := range d.Queue {
				t.add(q.PromptID, ago(p.Now(), q.QueuedAt), whereWaits(&q), q.Text)
			}
			if len(t.rows) == 0 {
				p.say("no prompt waits")
			}
			return t.print(p.Out)
		},
	}
	for _, sub := range []*cobra.Command{p.movePrompt(), p.cancelPrompt()} {
		p.begin(sub)
		cmd.AddCommand(sub)
	}
	return cmd
}

func whereWaits(q *resource.WaitingPrompt) string {
	if q.Sent || q.Origin != "" {
		return "with the agent"
	}
	return ""
}

func (p *Program) movePrompt() *cobra.Command {
	var before string
	var last bool
	var position int
	cmd := &cobra.Command{
		Use:   "move SESSION PROMPT",
		Short: "Give a prompt that waits another place in the queue",
		Args:  args(2, 2),
		Example: `  ringmaster prompts move @last p4 --before p2
  ringmaster prompts move @last p4 --position 1`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			given := 0
			for _, on := range []bool{before != "", last, position != 0} {
				if on {
					given++
				}
			}
			if given != 1 || position < 0 {
				return usagef("want one of --before, --last and --position")
			}
			return p.control(func(ctx context.Context, c *client.Client, id string) (string, error) {
				at, err := c.Move(ctx, id, args[1], client.Spot{Before: before, Position: position})
				return fmt.Sprintf("%s is number %d of the queue", args[1], at), err
			})(cmd, args[:1])
		},
	}
	f := cmd.Flags()
	f.StringVar(&before, "before", "", "the prompt that is to follow it")
	f.BoolVar(&last, "last", false, "to the end")
	f.IntVar(&position, "position", 0, "its new place, from 1")
	return cmd
}

func (p *Program) cancelPrompt() *cobra.Command {
	return &cobra.Command{
		Use:               "cancel SESSION PROMPT",
		Short:             "Take a prompt out of the queue",
		Args:              args(2, 2),
		Example:           `  ringmaster prompts cancel @last p4`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.control(func(ctx context.Context, c *client.Client, id string) (string, error) {
				return args[1] + " cancelled", c.Cancel(ctx, id, args[1])
			})(cmd, args[:1])
		},
	}
}
