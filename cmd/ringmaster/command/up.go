package command

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// up is the command of that name.
type up struct {
	con    *console.Console
	target *lifecycle.Target
	flags  *settings.Flags
}

func newUp(con *console.Console, target *lifecycle.Target) *cobra.Command {
	u := &up{con: con, target: target, flags: settings.NewFlags()}
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the daemon in the background, to stay",
		Long: `Start the daemon in the background. It stays until ringmaster down, with the flags of ringmaster serve. One that runs already gets the
folders of --root; one that a command has started, and that would end itself, is started anew.

Commands that need a daemon start one by themselves: up is for what reaches the daemon in other ways, over HTTP and from MCP hosts.
Where neither a flag nor the configuration names a root, agents may work where ringmaster run and new are called.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster up
  ringmaster up --root ~/src --listen 127.0.0.1:8080`,
		RunE: u.run,
	}
	u.flags.AddTo(cmd)
	return cmd
}

func (u *up) run(cmd *cobra.Command, _ []string) error {
	if u.target.Address != "" {
		return exit.Usagef("up starts the daemon of a data folder: name it with --data, not with --address")
	}
	s, err := u.target.Settings(u.flags)
	if err != nil {
		return err
	}
	if err := s.MakeWhole(); err != nil {
		return err
	}
	u.flags.InBackground()
	if _, err := u.target.DaemonConfig(s); err != nil { // before anything is ended or begun
		return err
	}
	folder, err := u.target.Folder()
	if err != nil {
		return err
	}
	return u.bringUp(cmd.Context(), folder, s)
}

// bringUp has a daemon run that stays.
func (u *up) bringUp(ctx context.Context, folder datafolder.Folder, s *settings.Settings) error {
	l := lifecycle.Launch{Folder: folder, Flags: append(u.target.ConfigArgs(), s.Args()...)}
	if !s.Given("root") {
		l.Roots = folder.Remembered()
	}
	c, err := u.target.Reach(ctx)
	if err == nil {
		defer c.Close()
		a, err := folder.ReadAddress()
		if err != nil {
			return err
		}
		if a.IdleExit == 0 || s.Given("idle-exit") {
			return u.widen(ctx, folder, c, a, s)
		}
		if err := lifecycle.UnlessAtWork(ctx, c, "it would be started anew, to stay"); err != nil {
			return err
		}
		if !s.Given("root") {
			l.Roots = a.Roots
		}
		if err := lifecycle.End(ctx, folder, lifecycle.InOrder); err != nil {
			return err
		}
	}
	c, _, err = u.target.Start(ctx, l)
	if err != nil {
		return err
	}
	defer c.Close()
	return tell(ctx, u.con, folder, c)
}

// widen gives a daemon that runs the roots of flags.
func (u *up) widen(ctx context.Context, folder datafolder.Folder, c *client.Client, a datafolder.Address, s *settings.Settings) error {
	u.con.Say("a daemon runs already; it gets the folders of --root, and keeps its other settings")
	for _, r := range s.Roots() {
		resolved, err := filepath.EvalSymlinks(r)
		if err == nil && !lifecycle.Within(a.Roots, resolved) {
			_, err = c.AddRoot(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	return tell(ctx, u.con, folder, c)
}
