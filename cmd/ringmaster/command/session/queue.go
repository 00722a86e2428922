package session

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// prompts is the command of that name.
type prompts struct {
	con *console.Console
}

// Prompts makes the command.
func Prompts(con *console.Console, target *lifecycle.Target) *cobra.Command {
	p := &prompts{con: con}
	cmd := &cobra.Command{
		Use:               "prompts SESSION",
		Short:             "Show the prompts of a session that wait, or move and cancel one",
		Args:              console.Args(1, 1),
		Example:           "  ringmaster prompts @last\n  ringmaster prompts move @last p4 --before p2\n  ringmaster prompts cancel @last p4",
		ValidArgsFunction: completeSession(target),
		RunE:              on(target, p.run),
	}
	cmd.AddCommand(newMove(con, target), newCancel(con, target))
	return cmd
}

func (p *prompts) run(ctx context.Context, session client.Session, _ []string) error {
	d, err := session.Show(ctx)
	if err != nil {
		return err
	}
	var t console.Table
	for _, q := range d.Queue {
		t.Add(q.PromptID, console.Ago(p.con.Now(), q.QueuedAt), whereWaits(&q), q.Text)
	}
	if t.Len() == 0 {
		p.con.Say("no prompt waits")
	}
	return t.Print(p.con.Out)
}

func whereWaits(q *resource.WaitingPrompt) string {
	if q.Sent || q.Origin != "" {
		return "with the agent"
	}
	return ""
}

// movePrompt is the command prompts move.
type movePrompt struct {
	con      *console.Console
	target   *lifecycle.Target
	before   string
	last     bool
	position int
}

func newMove(con *console.Console, target *lifecycle.Target) *cobra.Command {
	m := &movePrompt{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "move SESSION PROMPT",
		Short: "Give a prompt that waits another place in the queue",
		Args:  console.Args(2, 2),
		Example: `  ringmaster prompts move @last p4 --before p2
  ringmaster prompts move @last p4 --position 1`,
		ValidArgsFunction: completeSession(target),
		RunE:              m.run,
	}
	f := cmd.Flags()
	f.StringVar(&m.before, "before", "", "the prompt that is to follow it")
	f.BoolVar(&m.last, "last", false, "to the end")
	f.IntVar(&m.position, "position", 0, "its new place, from 1")
	return cmd
}

func (m *movePrompt) run(cmd *cobra.Command, args []string) error {
	given := 0
	for _, on := range []bool{m.before != "", m.last, m.position != 0} {
		if on {
			given++
		}
	}
	if given != 1 || m.position < 0 {
		return exit.Usagef("want one of --before, --last and --position")
	}
	return act(cmd.Context(), m.con, m.target, args[0], func(ctx context.Context, session client.Session) (string, error) {
		at, err := session.Move(ctx, args[1], client.Spot{Before: m.before, Position: m.position})
		return fmt.Sprintf("%s is number %d of the queue", args[1], at), err
	})
}

func newCancel(con *console.Console, target *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:               "cancel SESSION PROMPT",
		Short:             "Take a prompt out of the queue",
		Args:              console.Args(2, 2),
		Example:           `  ringmaster prompts cancel @last p4`,
		ValidArgsFunction: completeSession(target),
		RunE: func(cmd *cobra.Command, args []string) error {
			return act(cmd.Context(), con, target, args[0], func(ctx context.Context, session client.Session) (string, error) {
				return args[1] + " cancelled", session.Cancel(ctx, args[1])
			})
		},
	}
}
