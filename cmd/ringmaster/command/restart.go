package command

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// restart is the command of that name.
type restart struct {
	con    *console.Console
	target *lifecycle.Target
	force  bool
}

func newRestart(con *console.Console, target *lifecycle.Target) *cobra.Command {
	r := &restart{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "restart",
		Short: "End the daemon and start it again, with its flags and its folders",
		Args:  console.Args(0, 0),
		Example: `  ringmaster restart
  ringmaster restart --force     also where sessions are at work: their turns are interrupted`,
		RunE: r.run,
	}
	cmd.Flags().BoolVar(&r.force, "force", false, "also where sessions are at work")
	return cmd
}

func (r *restart) run(cmd *cobra.Command, _ []string) error {
	folder, err := r.target.Local("restart")
	if err != nil {
		return err
	}
	return r.again(cmd.Context(), folder)
}

// again ends the daemon and starts it anew.
func (r *restart) again(ctx context.Context, folder datafolder.Folder) error {
	a, err := folder.ReadAddress()
	pid, held := folder.Holder()
	if err != nil || !held {
		return exit.WithHint(errors.New("no daemon runs for "+folder.Path), "start one with: ringmaster up")
	}
	if !a.Background {
		return exit.WithHint(fmt.Errorf("daemon %d was not started by ringmaster: whoever started it restarts it", pid),
			"a service: systemctl --user restart ringmaster; ringmaster serve in a terminal: Ctrl-C, and again")
	}
	if c, err := r.target.Reach(ctx); err == nil {
		defer c.Close()
		if !r.force {
			if err := lifecycle.UnlessAtWork(ctx, c, "a restart would interrupt them"); err != nil {
				return err
			}
		}
	}
	l := lifecycle.Launch{Folder: folder, Flags: append(r.target.ConfigArgs(), a.Args...), Roots: present(a.Unnamed())}
	if err := lifecycle.End(ctx, folder, lifecycle.InOrder); err != nil {
		return err
	}
	c, _, err := r.target.Start(ctx, l)
	if err != nil {
		return err
	}
	defer c.Close()
	return tell(ctx, r.con, folder, c)
}

// present are the folders that are still there.
func present(folders []string) (list []string) {
	for _, f := range folders {
		if info, err := os.Stat(f); err == nil && info.IsDir() {
			list = append(list, f)
		}
	}
	return list
}
