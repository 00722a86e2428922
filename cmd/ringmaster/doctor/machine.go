package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// What a daemon wants of the limit on open files: a session at work holds about ten, and a reader one.
const (
	fewFiles     = 1024
	hardlyAFile  = 256
	enoughOfThem = 65536
)

// checkMachine looks at what the system grants, as far as it was seen to fail.
func checkMachine() []finding {
	list := []finding{checkOpenFiles()}
	if runtime.GOOS == "linux" {
		list = append(list, checkProc("/proc")...)
	}
	return list
}

func checkOpenFiles() finding {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return finding{"open files", verdictWarning, "limit unknown: " + err.Error(), ""}
	}
	return verdictOfFiles(uint64(max(limit.Cur, 0)), uint64(max(limit.Max, 0))) //nolint:unconvert // the types differ between systems
}

// verdictOfFiles judges the limit. Go raises the soft one to the hard one by itself.
func verdictOfFiles(soft, hard uint64) finding {
	most := max(soft, hard)
	f := finding{"open files", verdictOK, fmt.Sprintf("at most %d", most), ""}
	if most > 1<<40 {
		f.Text = "no limit"
	}
	if most <= fewFiles {
		f.Verdict, f.Text = verdictWarning, fmt.Sprintf("at most %d: enough for about %d sessions at work", most, most/12)
		f.Mend = fmt.Sprintf("ulimit -n %d, or LimitNOFILE=%d in the service's unit", enoughOfThem, enoughOfThem)
	}
	if most < hardlyAFile {
		f.Verdict = verdictFailure
	}
	return f
}

// checkProc sees whether processes that a daemon left behind could be found; nothing: they could.
func checkProc(proc string) []finding {
	_, err := os.ReadFile(filepath.Join(proc, "self", "environ"))
	if err == nil {
		_, err = os.ReadFile(filepath.Join(proc, "self", "stat"))
	}
	if err == nil {
		return nil
	}
	mend := "mount -t proc /proc"
	if errors.Is(err, os.ErrPermission) {
		mend = "run the daemon where it may read the /proc of its own processes (hidepid=1 is enough)"
	}
	return []finding{{"processes", verdictWarning, "/proc cannot be read: agents that a killed daemon leaves behind are not ended at the next start", mend}}
}

// verdictOfProcesses says which processes of agents end with them, by how the daemon knows them.
func verdictOfProcesses(by resource.Processes) finding {
	f := finding{Check: "processes", Verdict: verdictOK}
	switch {
	case !by.Adopted && runtime.GOOS != "linux":
		f.Text = "those of an agent end with it, but for what leaves its process group and its parents: this system has no subreapers"
	case !by.Adopted:
		f.Verdict, f.Text = verdictWarning, "the daemon is no subreaper: what leaves an agent's process group and its parents may survive the agent"
	case by.Cgroups:
		f.Text = "those of an agent end with it, however they hide, also after a kill of the daemon: each agent has a control group"
	case by.Marked:
		f.Text = "those of an agent end with it, also where they hide; after a kill of the daemon, those that have changed both marker and limits are " +
			"not found: agents have no control groups"
		if _, err := os.Stat("/run/systemd/system"); err == nil {
			f.Mend = "ringmaster service install: a service of systemd may make control groups"
		}
	default:
		f.Verdict, f.Mend = verdictWarning, "raise the hard limit of file locks, by which marks are carried: ulimit -H -x unlimited"
		f.Text = "those of an agent end with it, or with the last agent; after a kill of the daemon, those that clear their environment are not found: " +
			"they have neither marks nor control groups"
	}
	return f
}
