package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
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
		list = append(list, checkProc("/proc"))
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

// checkProc sees whether processes that a daemon left behind could be found: by a marker in their environment.
func checkProc(proc string) finding {
	f := finding{"processes", verdictOK, "those of an agent end with it, also where they hide; after a kill of the daemon, " +
		"those that have changed both marker and limits are not found", ""}
	_, err := os.ReadFile(filepath.Join(proc, "self", "environ"))
	if err == nil {
		_, err = os.ReadFile(filepath.Join(proc, "self", "stat"))
	}
	if err != nil {
		f.Verdict, f.Text = verdictWarning, "/proc cannot be read: agents that a killed daemon leaves behind are not ended at the next start"
		f.Mend = "mount -t proc /proc"
		if errors.Is(err, os.ErrPermission) {
			f.Mend = "run the daemon where it may read the /proc of its own processes (hidepid=1 is enough)"
		}
	}
	return f
}
