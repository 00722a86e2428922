package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// finding is the result of one check.
type finding struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"` // ok, warning, failure
	Text    string `json:"text"`
	Mend    string `json:"mend,omitempty"` // a command, or what to do
}

// The verdicts.
const (
	verdictOK      = "ok"
	verdictWarning = "warning"
	verdictFailure = "failure"
)

// Free room of the data folder below which the doctor speaks up, in bytes.
const (
	littleRoom = 1 << 30
	noRoom     = 64 << 20
)

const doctorTimeout = 10 * time.Second // for each program that is asked for its version, and for the daemon

func (p *Program) doctor() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the agents, the machine, the data folder and the daemon, and say what mends what is wrong",
		Long: `Check the agents on this machine (is each there, in a version that was tested, and set up), the data folder, what the
system grants, and the daemon, and say what mends what is wrong. Where a daemon runs, it is asked for what it found: it may have
another $PATH than this shell. The exit code is 1 when something does not work; an
agent that is not installed is only mentioned.`,
		Args: args(0, 0),
		Example: `  ringmaster doctor
  ringmaster doctor --json | jq '.[] | select(.verdict != "ok")'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := p.folder()
			if err != nil {
				return err
			}
			list := p.examine(cmd.Context(), folder)
			if asJSON {
				enc := json.NewEncoder(p.Out)
				enc.SetIndent("", "  ")
				err = enc.Encode(list)
			} else {
				err = p.printFindings(list)
			}
			for _, f := range list {
				if f.Verdict == verdictFailure && err == nil {
					err = &exitError{code: exitFailed}
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (p *Program) printFindings(list []finding) error {
	_, tty := terminalOf(p.Out)
	style := terminal.Style{Colour: tty && coloured()}
	width := 0
	for _, f := range list {
		width = max(width, len(f.Check))
	}
	for _, f := range list {
		mark := style.Good("✓")
		switch f.Verdict {
		case verdictWarning:
			mark = style.Warn("!")
		case verdictFailure:
			mark = style.Bad("✗")
		}
		if _, err := fmt.Fprintf(p.Out, "%s %-*s  %s\n", mark, width, f.Check, terminal.Visible(f.Text)); err != nil {
			return err
		}
		if f.Mend != "" {
			if _, err := fmt.Fprintf(p.Out, "  %-*s  → %s\n", width, "", terminal.Visible(f.Mend)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Program) examine(ctx context.Context, folder datafolder.Folder) []finding {
	list := []finding{{"version", verdictOK, buildVersion(), ""}}
	list = append(list, checkFolder(folder)...)
	list = append(list, p.checkDaemon(ctx, folder))
	list = append(list, checkMachine()...)
	if there, ok := p.agentsOfDaemon(ctx); ok {
		return append(list, there...)
	}
	if runtime.GOOS == "linux" {
		can := process.CanHold()
		list = append(list, verdictOfProcesses(resource.Processes{Adopted: can.Adopts, Marked: can.Marks, Cgroups: can.Cgroups}))
	}
	for _, a := range daemon.Agents(folder, buildVersion()) {
		list = append(list, checkAgent(ctx, a)...)
	}
	return list
}

func checkFolder(folder datafolder.Folder) []finding {
	err := folder.Check()
	if errors.Is(err, fs.ErrNotExist) {
		return append([]finding{{"data folder", verdictOK, folder.Path + " is not there yet: the daemon makes it", ""}},
			checkRoom(nearestFolder(folder.Path)))
	}
	list := []finding{verdictOf("data folder", folder.Path+", for this user only", err)}
	if err := unix.Access(folder.Path, unix.W_OK|unix.X_OK); err != nil {
		list = append(list, finding{"data folder", verdictFailure, "it cannot be written: " + err.Error(), "name another one with --data"})
	}
	_, err = datafolder.ReadToken(folder.TokenFile())
	if errors.Is(err, fs.ErrNotExist) {
		list = append(list, finding{"token", verdictOK, "not there yet: the daemon makes it", ""})
	} else {
		list = append(list, verdictOf("token", folder.TokenFile()+", for this user only", err))
	}
	return append(list, checkRoom(folder.Path))
}

// verdictOf is a failure with what mends it, or good.
func verdictOf(check, good string, err error) finding {
	if err == nil {
		return finding{check, verdictOK, good, ""}
	}
	f := finding{check, verdictFailure, err.Error(), ""}
	var h hinted
	if errors.As(err, &h) {
		f.Mend = h.Hint()
	}
	return f
}

func nearestFolder(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

func checkRoom(path string) finding {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return finding{"disk", verdictWarning, "free room unknown: " + err.Error(), ""}
	}
	free := uint64(st.Bavail) * uint64(st.Bsize) //nolint:unconvert // the types differ between systems
	text := fmt.Sprintf("%.1f GiB free", float64(free)/(1<<30))
	if free < 1<<30 {
		text = fmt.Sprintf("%d MiB free", free>>20)
	}
	switch {
	case free < noRoom:
		return finding{"disk", verdictFailure, text + ": logs cannot grow", "make room, or name a folder on another disk with --data"}
	case free < littleRoom:
		return finding{"disk", verdictWarning, text, "make room before long"}
	}
	return finding{"disk", verdictOK, text, ""}
}

// checkDaemon tells a daemon that answers, one that does not, what a killed one left, and none.
func (p *Program) checkDaemon(ctx context.Context, folder datafolder.Folder) finding {
	ctx, cancel := context.WithTimeout(ctx, doctorTimeout)
	defer cancel()
	c, err := p.find()
	if err == nil {
		defer c.Close()
		var version string
		if version, err = c.Ready(ctx); err == nil {
			if own := buildVersion(); version != own {
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
	if gone.Err != nil && p.address == "" {
		return finding{"daemon", verdictWarning, "none runs; the last one was killed", "nothing to do: the next one recovers its sessions"}
	}
	return finding{"daemon", verdictOK, "none runs", gone.Hint()}
}
