package process

import (
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
	parent int
	group  int
	start  uint64 // clock ticks since boot
	marker string // value of adapters.MarkerEnv; empty: none, or not ours to read
	mark   mark
	cgroup string // its control group, if that is below one of agents
	dead   bool   // and not reaped
}

// id names a process for ever: its pid may be another one's later.
type id struct {
	pid   int
	start uint64
}

func (f found) id() id { return id{f.pid, f.start} }

// Sweep ends every process that carries the marker: SIGTERM, SIGKILL a second later. It returns the pids that it
// signalled. An empty marker finds nothing. It never signals the calling process.
func Sweep(marker string) []int {
	if marker == "" {
		return nil
	}
	return sweepBelow(func(f found) bool { return f.marker == marker }, sweepGrace)
}

// SweepPrefix ends every process whose marker lies below the prefix: markers are paths
// (<instance>/<session>/<incarnation>), and a prefix matches whole elements only. It is for boot: everything below the
// daemon's own instance was left by an earlier daemon, also what has lost its marker and carries the instance's mark or is in its control group.
func SweepPrefix(prefix string) []int {
	prefix = strings.TrimSuffix(prefix, "/")
	if prefix == "" {
		return nil
	}
	var instance mark
	if !strings.Contains(prefix, "/") {
		instance = instanceMark(prefix)
	}
	match := func(f found) bool {
		return f.marker == prefix || strings.HasPrefix(f.marker, prefix+"/") || instance != 0 && f.carries(instance)
	}
	pids := sweep(func() []found { return below(grouped(processes.take()), match) }, time.Now().Add(bootGrace))
	if instance != 0 {
		agents.groups().remove(instance)
	}
	return pids
}

// Reap ends an agent that an earlier daemon left, with everything that carries its marker. A process with its pid but
// another start time or another marker is somebody else's and is not touched (threat T23). It returns the pids that it
// signalled.
func Reap(p adapters.Process) []int {
	leader := false
	if now, ok := look(p.PID); ok && now.start == p.StartTime && p.StartTime != 0 {
		leader = now.marker == p.Marker || now.marker == "" // programs may overwrite their environment
	}
	return sweepBelow(func(f found) bool {
		if f.pid == p.PID && f.start != p.StartTime {
			return false
		}
		// The group is the agent's as long as the agent itself is alive to lead it.
		return leader && (f.pid == p.PID || f.group == p.PID) || p.Marker != "" && f.marker == p.Marker
	}, sweepGrace)
}

// sweepBelow ends what matches and what descends from that. The grace counts from the first look, which takes long where many processes run.
func sweepBelow(match func(found) bool, grace time.Duration) []int {
	first := below(processes.take(), match)
	if len(first) == 0 {
		return nil
	}
	return sweep(func() (live []found) {
		if live, first = first, nil; live == nil {
			live = below(processes.take(), match)
		}
		return live
	}, time.Now().Add(grace))
}

// sweep ends what is found, as long as something is: SIGTERM first, SIGKILL from the deadline on. It returns the pids that it
// signalled, in the order found.
func sweep(find func() []found, deadline time.Time) []int {
	var pids []int
	told := map[found]bool{}
	for range maxRounds {
		live := find()
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
