// Package doctor looks at all that a daemon needs, and says what mends what is wrong: the agents, the machine, the data folder and the daemon.
package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// doctor is the command of that name.
type doctor struct {
	con    *console.Console
	target *lifecycle.Target
	asJSON bool
}

// Command makes the command.
func Command(con *console.Console, target *lifecycle.Target) *cobra.Command {
	d := &doctor{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the agents, the machine, the data folder and the daemon, and say what mends what is wrong",
		Long: `Check the agents on this machine (is each there, in a version that was tested, and set up), the data folder, what the
system grants, and the daemon, and say what mends what is wrong. Where a daemon runs, it is asked for what it found: it may have
another $PATH than this shell. The exit code is 1 when something does not work; an
agent that is not installed is only mentioned.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster doctor
  ringmaster doctor --json | jq '.[] | select(.verdict != "ok")'`,
		RunE: d.run,
	}
	cmd.Flags().BoolVar(&d.asJSON, "json", false, "as JSON")
	return cmd
}

func (d *doctor) run(cmd *cobra.Command, _ []string) error {
	folder, err := d.target.Folder()
	if err != nil {
		return err
	}
	list := d.examine(cmd.Context(), folder)
	if d.asJSON {
		enc := json.NewEncoder(d.con.Out)
		enc.SetIndent("", "  ")
		err = enc.Encode(list)
	} else {
		err = printFindings(d.con, list)
	}
	for _, f := range list {
		if f.Verdict == verdictFailure && err == nil {
			err = &exit.Error{Code: exit.Failed}
		}
	}
	return err
}

func (d *doctor) examine(ctx context.Context, folder datafolder.Folder) []finding {
	version := d.con.Version
	list := []finding{{"version", verdictOK, version, ""}}
	list = append(list, checkFolder(folder)...)
	list = append(list, d.checkDaemon(ctx, folder))
	list = append(list, d.checkCore(ctx)...)
	list = append(list, checkMachine()...)
	if there, ok := agentsOfDaemon(ctx, d.target); ok {
		return append(list, there...)
	}
	if runtime.GOOS == "linux" {
		can := process.CanHold()
		list = append(list, verdictOfProcesses(resource.Processes{Adopted: can.Adopts, Marked: can.Marks, Cgroups: can.Cgroups}))
	}
	for _, a := range daemon.Agents(folder, version) {
		list = append(list, checkAgent(ctx, a)...)
	}
	return list
}

// checkDaemon tells a daemon that answers, one that does not, what a killed one left, and none.
func (d *doctor) checkDaemon(ctx context.Context, folder datafolder.Folder) finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := d.target.Find()
	if err == nil {
		defer c.Close()
		var version string
		if version, err = c.Ready(ctx); err == nil {
			if own := d.con.Version; version != own {
				answers := "answers at " + c.Where() + ", version " + version + ", and this program is " + own
				return finding{"daemon", verdictWarning, answers, "ringmaster restart"}
			}
			return finding{"daemon", verdictOK, "answers at " + c.Where() + ", version " + version, ""}
		}
	}
	var gone *client.Unreachable
	if !errors.As(err, &gone) {
		return verdictOf("daemon", "", err)
	}
	if pid, held := folder.Holder(); held {
		return finding{
			"daemon", verdictFailure, fmt.Sprintf("one, process %d, holds the data folder and does not answer", pid),
			"ringmaster logs shows why; ringmaster down ends it",
		}
	}
	if gone.Err != nil && d.target.Address == "" {
		return finding{"daemon", verdictWarning, "none runs; the last one was killed", "nothing to do: the next one recovers its sessions"}
	}
	return finding{"daemon", verdictOK, "none runs", gone.Hint()}
}

// checkCore says how a daemon that runs with a Core gets on with it.
func (d *doctor) checkCore(ctx context.Context) []finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := d.target.Find()
	if err != nil {
		return nil
	}
	defer c.Close()
	ready, err := c.Readiness(ctx)
	if err != nil || ready.Core == nil {
		return nil
	}
	return []finding{coreFinding(ready.Core)}
}

func coreFinding(s *resource.CoreState) finding {
	f := finding{"core", verdictOK, lifecycle.CoreText(s), ""}
	switch {
	case s.Stuck > 0:
		f.Verdict, f.Mend = verdictFailure, "ringmaster logs says why; ringmaster core verify compares the logs"
	case !s.Up && s.Problem != "":
		f.Verdict, f.Mend = verdictFailure, "sessions go on, and what Core lacks is sent when it can be used; ringmaster logs says more"
	case !s.Up:
		f.Verdict, f.Mend = verdictWarning, "nothing is lost: sessions go on, and what Core lacks is sent when it answers; ringmaster logs says why it does not"
	}
	return f
}
