package robust

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
)

// marked is a live process that some daemon on a data folder has started, however it has hidden.
type marked struct {
	pid    int
	start  uint64 // clock ticks since the machine's boot
	marker string
}

// marks finds them. Without an instance there were none.
func (d *daemon) marks() []marked {
	name, err := program.Instance(d.data)
	if err != nil {
		return nil
	}
	begin := []byte(adapters.MarkerEnv + "=" + name + "/")
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []marked
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil {
			continue
		}
		for v := range bytes.SplitSeq(environ, []byte{0}) {
			if bytes.HasPrefix(v, begin) {
				if start, alive := startOf(pid); alive {
					found = append(found, marked{pid, start, string(v)})
				}
			}
		}
	}
	return found
}

// startOf is when a process began; false: it has ended.
func startOf(pid int) (ticks uint64, alive bool) {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 20 || fields[0][0] == 'Z' || fields[0][0] == 'X' {
		return 0, false
	}
	ticks, err = strconv.ParseUint(string(fields[19]), 10, 64)
	return ticks, err == nil
}

// lateTime is how long a process may outlive the one that it belonged to: an agent that was being started when its daemon died
// ends by itself when it finds nobody at its input.
const lateTime = 2 * time.Second

// orphans are processes of earlier daemons that live beside this one, and do not end by themselves.
func (d *daemon) orphans() []marked {
	own, alive := startOf(d.process.PID())
	if !alive {
		return nil // it is dead, too: its successor answers for them
	}
	return remaining(func() []marked {
		var old []marked
		for _, m := range d.marks() {
			if m.start < own {
				old = append(old, m)
			}
		}
		return old
	})
}

// remaining looks again until nothing is found, or the time is over.
func remaining(look func() []marked) []marked {
	deadline := time.Now().Add(lateTime)
	for {
		found := look()
		if len(found) == 0 || time.Now().After(deadline) {
			return found
		}
		<-time.After(5 * time.Millisecond)
	}
}
