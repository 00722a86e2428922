package command

import (
	"fmt"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// down is the command of that name.
type down struct {
	con    *console.Console
	target *lifecycle.Target
	force  bool
}

func newDown(con *console.Console, target *lifecycle.Target) *cobra.Command {
	d := &down{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "down",
		Short: "End the daemon",
		Long: `End the daemon of the data folder in order: running turns are interrupted, agents end, logs are closed. Its sessions stay, and the next
daemon has them.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster down
  ringmaster down --force     at once, as a crash would: the next daemon recovers`,
		RunE: d.run,
	}
	cmd.Flags().BoolVar(&d.force, "force", false, "do not wait for anything: kill it")
	return cmd
}

func (d *down) run(cmd *cobra.Command, _ []string) error {
	folder, err := d.target.Local("down")
	if err != nil {
		return err
	}
	pid, held := folder.Holder()
	if !held {
		_, err := fmt.Fprintln(d.con.Out, "no daemon runs for "+folder.Path)
		return err
	}
	signal := lifecycle.InOrder
	if d.force {
		signal = syscall.SIGKILL
	}
	if err := lifecycle.End(cmd.Context(), folder, signal); err != nil {
		return err
	}
	_, err = fmt.Fprintf(d.con.Out, "daemon %d has ended\n", pid)
	return err
}
