package command

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (p *Program) run() *cobra.Command {
	var flags newFlags
	var images []string
	var texts maxText
	var asJSON, end bool
	cmd := &cobra.Command{
		Use:   "run --agent AGENT TEXT…|-",
		Short: "Run one prompt in a new session and show it until the agent is idle",
		Long: `Run one prompt in a new session and show it until the agent is idle. Where no daemon runs, one is started for as long as
the command takes; the session stays in the data folder.

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
			limit, err := texts.bytes()
			if err != nil {
				return err
			}
			own := ownDaemon{maxText: limit, asked: cmd.Flags().Changed("max-text")}
			return p.runPrompt(cmd.Context(), n, own, asJSON, end)
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
func (p *Program) runPrompt(ctx context.Context, n client.New, own ownDaemon, asJSON, end bool) (err error) {
	c, stop, err := p.connectOrStart(ctx, n.Cwd, own)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
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

// ownDaemon is what a command sets of the daemon that it runs where none is there.
type ownDaemon struct {
	maxText int
	asked   bool // for it, by a flag: a daemon that runs already has settings of its own
}

// connectOrStart finds the daemon, or runs one for as long as stop is not called. A daemon that is named by its address
// is never replaced.
func (p *Program) connectOrStart(ctx context.Context, root string, own ownDaemon) (c *client.Client, stop func() error, err error) {
	c, err = p.reach(ctx)
	if err == nil {
		if own.asked {
			p.say("a daemon runs already: --max-text is its own affair")
		}
		return c, func() error { c.Close(); return nil }, nil
	}
	var gone *client.Unreachable
	if !errors.As(err, &gone) || p.address != "" {
		return nil, nil, err
	}
	folder, err := p.folder()
	if err != nil {
		return nil, nil, err
	}
	cfg := p.temporary(folder, root)
	cfg.MaxText = own.maxText
	d, err := daemon.Start(ctx, cfg)
	if errors.Is(err, protocol.NewProblem(protocol.CodeConflict, "", "")) { // one is just starting, or ending
		return p.awaitDaemon(ctx, err)
	}
	if err != nil {
		return nil, nil, err
	}
	p.say("no daemon runs: this command runs one for itself, with the data folder " + folder.Path)
	end := func() error { return p.drain(ctx, d) }
	if c, err = p.connect(); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return c, func() error { c.Close(); return end() }, nil
}

// reach is the client of a daemon that answers.
func (p *Program) reach(ctx context.Context) (*client.Client, error) {
	c, err := p.connect()
	if err != nil {
		return nil, err
	}
	if _, err := c.Ready(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Waiting for a daemon that holds the data folder's lock and does not answer yet.
const (
	awaitDaemon = 5 * time.Second
	awaitStep   = 100 * time.Millisecond
)

func (p *Program) awaitDaemon(ctx context.Context, conflict error) (*client.Client, func() error, error) {
	ctx, cancel := context.WithTimeout(ctx, awaitDaemon)
	defer cancel()
	step := time.NewTicker(awaitStep)
	defer step.Stop()
	for {
		select {
		case <-step.C:
		case <-ctx.Done():
			return nil, nil, conflict
		}
		if c, err := p.reach(ctx); err == nil {
			return c, func() error { c.Close(); return nil }, nil
		}
	}
}

// temporary configures a daemon that serves one command. Its log would be in the way.
func (p *Program) temporary(folder datafolder.Folder, root string) daemon.Config {
	return daemon.Config{
		Folder: folder, Roots: []string{root}, Listen: daemon.Listen{Address: "127.0.0.1:0"},
		Agents: daemon.Agents(folder, buildVersion()), Env: os.Environ(), Version: buildVersion(), Log: zap.NewNop(), Adopt: p.Adopt,
	}
}
