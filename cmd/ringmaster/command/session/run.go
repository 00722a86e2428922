package session

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/limit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/follow"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// run is the command of that name.
type run struct {
	con         *console.Console
	target      *lifecycle.Target
	flags       newFlags
	images      []string
	texts       settings.MaxText
	asJSON, end bool
}

// Run makes the command.
func Run(con *console.Console, target *lifecycle.Target) *cobra.Command {
	r := &run{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "run --agent AGENT TEXT…|-",
		Short: "Run one prompt in a new session and show it until the agent is idle",
		Long: `Run one prompt in a new session and show it until the agent is idle. Where no daemon runs, one is started, which ends
itself when there is nothing to do.

On a terminal keys answer what the agent asks. Ctrl-C interrupts the turn; a second one quits.

` + exit.Codes,
		Args: console.Args(0, -1),
		Example: `  ringmaster run --agent scripted "hello"
  ringmaster run -a pi --cwd ~/src/project "why does the test fail?"
  ringmaster run -a pi --json - < prompt.txt | jq -r 'select(.type == "turn_end") | .status'`,
		RunE: r.run,
	}
	r.flags.add(cmd)
	cmd.Flags().StringArrayVar(&r.images, "image", nil, "picture to send along; may be repeated")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "the events as JSON lines")
	cmd.Flags().BoolVar(&r.end, "end", false, "end the session afterwards")
	r.texts.AddTo(cmd.Flags())
	_ = cmd.MarkFlagFilename("image", "png", "jpg", "jpeg", "gif", "webp")
	return cmd
}

func (r *run) run(cmd *cobra.Command, words []string) error {
	prompt, err := readPrompt(r.con.Input(cmd.Context()), words, r.images)
	if err != nil {
		return err
	}
	n, err := r.flags.session()
	if err != nil {
		return err
	}
	n.Prompt = &resource.FirstPrompt{NewPrompt: prompt}
	if _, err := r.texts.Bytes(); err != nil {
		return err
	}
	c, err := r.target.ConnectAt(cmd.Context(), n.Cwd, r.texts.Given(cmd))
	if err != nil {
		return err
	}
	defer c.Close()
	keepNativeTitle(cmd.Context(), c, &n)
	return r.follow(cmd.Context(), c, n)
}

// follow makes a session and follows it to idle.
func (r *run) follow(ctx context.Context, c *client.Client, n client.New) error {
	r.con.Signals.Take() // they are for the turn, which may begin at once
	d, err := c.Create(ctx, n)
	if err != nil {
		return err
	}
	limit.Warn(r.con.Err, d.Warnings)
	var o follow.Outcome
	session := c.Session(d.ID)
	if err := wait(ctx, r.con, session, protocol.Cursor{}, &o, r.asJSON); err != nil {
		return err
	}
	if r.end && !o.Ended {
		if _, err := session.End(ctx, ""); err != nil {
			return err
		}
	}
	return o.Result()
}
