package process

import (
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// sweepGrace is what processes have between SIGTERM and SIGKILL when nothing else bounds it.
const sweepGrace = time.Second

// bootGrace is the same for what an earlier daemon left: it has lost its input and output already, and clients wait for the
// daemon to start.
const bootGrace = 250 * time.Millisecond

// maxRounds bounds how often a sweep looks again: a process that is being ended may still start others.
const maxRounds = 10

// found is one live process.
type found struct {
	pid    int
	group  int
	start  uint64 // clock ticks since boot
	marker string // value of adapters.MarkerEnv; empty: none, or not ours to read
}

// Sweep ends every process that carries the marker: SIGTERM, SIGKILL a second later. It returns the pids that it
// signalled. An empty marker finds nothing. It never signals the calling process.
func Sweep(marker string) []int {
	if marker == "" {
		return nil
	}
	return sweep(func(f found) bool { return f.marker == marker }, time.Now().Add(sweepGrace))
}

// SweepPrefix ends every process whose marker lies below the prefix: markers are paths
// (<instance>/<session>/<incarnation>), and a prefix matches whole elements only. It is for boot: everything below the
// daemon's own instance was left by an earlier daemon.
func SweepPrefix(prefix string) []int {
	prefix = strings.TrimSuffix(prefix, "/")
	if prefix == "" {
		return nil
	}
	below := func(f found) bool { return f.marker == prefix || strings.HasPrefix(f.marker, prefix+"/") }
	return sweep(below, time.Now().Add(bootGrace))
}

// Reap ends an agent that an earlier daemon left, with everything that carries its marker. A process with its pid but
// another start time or another marker is somebody else's and is not touched (threat T23). It returns the pids that it
// signalled.
func Reap(p adapters.Process) []int {
	leader := false
	if now, ok := look(p.PID); ok && now.start == p.StartTime && p.StartTime != 0 {
		leader = now.marker == p.Marker || now.marker == "" // programs may overwrite their environment
	}
	return sweep(func(f found) bool {
		if f.pid == p.PID && f.start != p.StartTime {
			return false
		}
		// The group is the agent's as long as the agent itself is alive to lead it.
		return leader && (f.pid == p.PID || f.group == p.PID) || p.Marker != "" && f.marker == p.Marker
	}, time.Now().Add(sweepGrace))
}

// remains matches what a dead but not yet reaped agent left behind.
func remains(group int, marker string) func(found) bool {
	return func(f found) bool {
		return f.group == group || marker != "" && f.marker == marker
	}
}

// sweep ends what matches: SIGTERM first, SIGKILL from the deadline on. It returns the pids that it signalled, in the
// order found.
func sweep(match func(found) bool, deadline time.Time) []int {
	var pids []int
	told := map[found]bool{}
	for range maxRounds {
		live := matching(match)
		if len(live) == 0 {
			break
		}
		sig, until := syscall.SIGTERM, deadline
		if !time.Now().Before(deadline) {
			sig, until = syscall.SIGKILL, time.Now().Add(sweepGrace)
		}
		var targets []handle
		for _, f := range live {
			h, ok := open(f)
			if !ok {
				continue
			}
			targets = append(targets, h)
			if !told[f] {
				told[f] = true
				pids = append(pids, f.pid)
			}
			h.signal(sig)
		}
		awaitEnds(targets, until)
		for _, h := range targets {
			h.close()
		}
	}
	return pids
}

func matching(match func(found) bool) []found {
	var out []found
	for _, f := range processes.take() {
		if f.pid != os.Getpid() && f.pid > 1 && match(f) {
			out = append(out, f)
		}
	}
	return out
}
