package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/logfile"
)

// logs is the command of that name.
type logs struct {
	con    *console.Console
	target *lifecycle.Target
	lines  int
	follow bool
}

func newLogs(con *console.Console, target *lifecycle.Target) *cobra.Command {
	l := &logs{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "Show the log of the daemon in the background",
		Long: `Show the log of the daemon in the background. One that runs as a service, or in a terminal, writes to its standard error:
journalctl --user -u ringmaster.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster logs
  ringmaster logs -f | jq -r '.msg'`,
		RunE: l.run,
	}
	cmd.Flags().IntVarP(&l.lines, "lines", "n", 50, "how many of the last lines; 0: none, -1: all")
	cmd.Flags().BoolVarP(&l.follow, "follow", "f", false, "go on with what comes")
	return cmd
}

func (l *logs) run(cmd *cobra.Command, _ []string) error {
	folder, err := l.target.Local("logs")
	if err != nil {
		return err
	}
	a, err := folder.ReadAddress()
	if _, held := folder.Holder(); err == nil && held && !a.Background {
		return exit.WithHint(fmt.Errorf("the daemon that runs, process %d, writes to its own standard error", a.PID),
			"a service: journalctl --user -u ringmaster")
	}
	file, err := os.Open(folder.LogFile())
	if errors.Is(err, fs.ErrNotExist) {
		return exit.WithHint(errors.New("no daemon has run in the background for "+folder.Path), "start one with: ringmaster up")
	}
	if err != nil {
		return err
	}
	if err := logfile.SeekLast(file, l.lines); err != nil {
		_ = file.Close()
		return err
	}
	return logfile.Copy(cmd.Context(), l.con.Out, file, l.follow)
}
