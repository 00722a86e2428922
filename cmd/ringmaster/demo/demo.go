// Package demo shows a session at work, with nothing installed: a daemon in a temporary folder, the scripted agent in it, and its log.
package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// demo is the command of that name.
type demo struct {
	con  *console.Console
	keep bool
	web  bool
	link bool // the page's link is printed, and nothing opened
}

// Command makes the command.
func Command(con *console.Console, _ *lifecycle.Target) *cobra.Command {
	d := &demo{con: con}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See a session work, with nothing installed",
		Long: `See a session work, with nothing installed: a daemon in a temporary folder, a scripted agent that speaks the protocol of
a real one, its log live on this terminal, and a check that the stream and the stored log are the same bytes. It takes about
a quarter of a minute, needs no network, and leaves nothing behind.

--web shows four such sessions at once in the daemon's page, in a browser of this desktop, until Ctrl-C. One of them asks for an approval, with the
change that it is about, and waits for you. Where there is no desktop, and with --print, the link to the page is printed.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster demo
  ringmaster demo --keep      keep the daemon, to try the curl lines
  ringmaster demo --web       four sessions at once in the page, one of which asks you`,
		Annotations: map[string]string{console.OwnSignals: ""},
		RunE:        func(cmd *cobra.Command, _ []string) error { return d.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&d.keep, "keep", false, "keep the daemon until Ctrl-C")
	cmd.Flags().BoolVar(&d.web, "web", false, "show four sessions in the page until Ctrl-C")
	cmd.Flags().BoolVar(&d.link, "print", false, "with --web: print the link and open nothing")
	return cmd
}

func (d *demo) run(ctx context.Context) (err error) {
	tmp, err := os.MkdirTemp("", "ringmaster-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if tmp, err = filepath.EvalSymlinks(tmp); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	folder, work := datafolder.Folder{Path: filepath.Join(tmp, "data")}, filepath.Join(tmp, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	ringmaster, err := daemon.Start(ctx, daemon.Config{ // its log would be in the way
		Folder: folder, Roots: []string{work}, Listen: daemon.Listen{Address: "127.0.0.1:0"}, Agents: daemon.DemoAgents(folder, d.con.Version),
		Env: os.Environ(), Version: d.con.Version, Log: zap.NewNop(), Adopt: d.con.Adopt,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lifecycle.Drain(ctx, ringmaster, d.con.Signals)) }()
	c, err := client.Find(folder.Path)
	if err != nil {
		return err
	}
	defer c.Close()
	if d.web {
		shown := exhibition{con: d.con, client: c, folder: folder.Path, base: ringmaster.Address().HTTP, work: work, link: d.link}
		if err := shown.open(ctx); err != nil {
			return err
		}
		d.stay(ctx)
		return nil
	}
	show := demonstration{con: d.con, client: c, folder: folder, base: ringmaster.Address().HTTP, work: work, style: d.con.Style()}
	if err := show.play(ctx); err != nil {
		return err
	}
	if d.keep {
		show.line("The daemon stays until Ctrl-C. Its data folder: " + folder.Path)
		d.stay(ctx)
	}
	return nil
}

// stay waits for Ctrl-C.
func (d *demo) stay(ctx context.Context) {
	select {
	case <-d.con.Signals.C:
	case <-ctx.Done():
	}
}
