package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
)

func (p *Program) run() *cobra.Command {
	var flags newFlags
	var images []string
	var texts maxText
	var asJSON, end bool
	cmd := &cobra.Command{
		Use:   "run --agent AGENT TEXT…|-",
		Short: "Run one prompt in a new session and show it until the agent is idle",
		Long: `Run one prompt in a new session and show it until the agent is idle. Where no daemon runs, one is started, which ends
itself when there is nothing to do.

Ctrl-C interrupts the turn; a second one quits.

` + exitCodes,
		Args: args(0, -1),
		Example: `  ringmaster run --agent scripted "hello"
  ringmaster run -a pi --cwd ~/src/project "why does the test fail?"
  ringmaster run -a pi --json - < prompt.txt | jq -r 'select(.type == "turn_end") | .status'`,
		Annotations: map[string]string{ownSignals: ""},
		RunE: func(cmd *cobra.Command, words []string) error {
			prompt, err := p.prompt(words, images)
			if err != nil {
				return err
			}
			n, err := flags.session()
			if err != nil {
				return err
			}
			n.Prompt = &prompt
			if _, err := texts.bytes(); err != nil {
				return err
			}
			c, err := p.connectAt(cmd.Context(), n.Cwd, texts.given(cmd))
			if err != nil {
				return err
			}
			defer c.Close()
			keepNativeTitle(cmd.Context(), c, &n)
			return p.runPrompt(cmd.Context(), c, n, asJSON, end)
		},
	}
	flags.add(cmd)
	cmd.Flags().StringArrayVar(&images, "image", nil, "picture to send along; may be repeated")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the events as JSON lines")
	cmd.Flags().BoolVar(&end, "end", false, "end the session afterwards")
	texts.add(cmd)
	_ = cmd.MarkFlagFilename("image", "png", "jpg", "jpeg", "gif", "webp")
	return cmd
}

// runPrompt creates a session and follows it to idle.
func (p *Program) runPrompt(ctx context.Context, c *client.Client, n client.New, asJSON, end bool) error {
	n.Prompt.ClientID = client.ID
	d, _, err := c.Create(ctx, n)
	if err != nil {
		return err
	}
	form := formHuman
	if asJSON {
		form = formJSON
	}
	var o outcome
	err = p.follow(ctx, following{
		client: c, id: d.ID, until: o.line, signalled: p.interrupting(c, d.ID),
		screen: p.screen(screenOptions{form: form, session: shortID(d.ID)}),
	})
	if err != nil {
		return err
	}
	if end && !o.ended {
		if _, _, err := c.End(ctx, d.ID, ""); err != nil {
			return err
		}
	}
	return o.result()
}

// reach is the client of a daemon that answers.
func (p *Program) reach(ctx context.Context) (*client.Client, error) {
	c, err := p.find()
	if err != nil {
		return nil, err
	}
	if _, err := c.Ready(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}
