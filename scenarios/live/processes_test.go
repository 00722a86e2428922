package live

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// process is one line of the machine's process table. Pid and start together name it for ever.
type process struct {
	pid, parent int
	start       uint64 // clock ticks since boot
	marker      string // value of adapters.MarkerEnv
	token       string // value of adapters.MCPTokenEnv
	cwd         string
	argv        []string
}

func (p process) String() string {
	return fmt.Sprintf("pid %d of %d, marker %q, in %s: %.200q", p.pid, p.parent, p.marker, p.cwd, p.argv)
}

// census reads the process table: what lives. The dead that nobody has waited for are left out.
func census(t testing.TB) []process {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	var list []process
	for _, dir := range dirs {
		if p, alive := look(dir); alive {
			list = append(list, p)
		}
	}
	return list
}

func look(dir string) (p process, alive bool) {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return p, false
	}
	// The command's name may hold anything and ends with the last parenthesis: state, parent, … and, as the 20th, the start.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return p, false
	}
	cmdline, err := os.ReadFile(filepath.Join(dir, "cmdline"))
	if err != nil || len(cmdline) == 0 {
		return p, false
	}
	p.pid, _ = strconv.Atoi(filepath.Base(dir))
	p.parent, _ = strconv.Atoi(fields[1])
	p.start, _ = strconv.ParseUint(fields[19], 10, 64)
	p.argv = strings.Split(strings.TrimSuffix(string(cmdline), "\x00"), "\x00")
	p.cwd, _ = os.Readlink(filepath.Join(dir, "cwd"))
	env, _ := os.ReadFile(filepath.Join(dir, "environ"))
	for _, v := range strings.Split(string(env), "\x00") {
		if m, ok := strings.CutPrefix(v, adapters.MarkerEnv+"="); ok {
			p.marker = m
		}
		if t, ok := strings.CutPrefix(v, adapters.MCPTokenEnv+"="); ok {
			p.token = t
		}
	}
	return p, true
}

// family are the processes of a daemon's agents and of their tools, whatever they did to hide: by the marker in their
// environment, by descent from the daemon, or by the folder in which they work.
func (d *daemon) family(t testing.TB) []process {
	t.Helper()
	all := census(t)
	ours := map[int]bool{}
	if !d.stopped {
		ours[d.cmd.Process.Pid] = true
	}
	for grown := true; grown; { // children of children
		grown = false
		for _, p := range all {
			if ours[p.parent] && !ours[p.pid] {
				ours[p.pid], grown = true, true
			}
		}
	}
	var list []process
	for _, p := range all {
		if p.pid == os.Getpid() || p.pid == d.cmd.Process.Pid {
			continue
		}
		if ours[p.pid] || strings.HasPrefix(p.marker, d.instance(t)+"/") || inside(p.cwd, d.root) || inside(p.cwd, d.data) {
			list = append(list, p)
		}
	}
	return list
}

// instance is the daemon's own name, with which the markers of its agents begin.
func (d *daemon) instance(t testing.TB) string {
	t.Helper()
	name, err := os.ReadFile(filepath.Join(d.data, "instance"))
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(name))
}

func inside(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// wantNobody fails when somebody of the family is left, or of an earlier one, or a command of one of the holds.
func (d *daemon) wantNobody(t testing.TB, earlier []process, holds ...hold) {
	t.Helper()
	wantNone(t, append(earlier, d.family(t)...), holds...)
}

// wantNone fails when one of these processes lives, or a command of one of the holds.
func wantNone(t testing.TB, these []process, holds ...hold) {
	t.Helper()
	for _, p := range census(t) {
		one := slices.ContainsFunc(these, func(e process) bool { return e.pid == p.pid && e.start == p.start })
		if one || slices.ContainsFunc(holds, func(h hold) bool { return h.names(p) }) {
			t.Errorf("left behind: %v", p)
		}
	}
}

// hold is a tool command that runs until somebody ends it. Its name stands on the command lines of all its processes.
type hold string

var holds atomic.Int64

// newHold gives a name in which no other one is contained.
func newHold() hold { return hold(fmt.Sprintf("hold-%d-%d.", os.Getpid(), holds.Add(1))) }

const loop = `sh -c 'while :; do sleep 0.2; done' `

// plain is one process.
func (h hold) plain() string { return loop + string(h) }

// pair is a second process besides, which has left the command's session, process group, terminal and streams.
func (h hold) pair() string {
	return "setsid " + loop + string(h) + " </dev/null >/dev/null 2>&1 & " + h.plain()
}

func (h hold) names(p process) bool {
	return slices.ContainsFunc(p.argv, func(a string) bool { return strings.Contains(a, string(h)) })
}

// await waits until n processes of the command run. The shells around them do not count.
func (h hold) await(t testing.TB, n int) {
	t.Helper()
	var running []process
	defer func() {
		if t.Failed() {
			t.Logf("there are %d: %v", len(running), running)
		}
	}()
	eventually(t, fmt.Sprintf("%d processes of %s", n, h), func() bool {
		running = slices.DeleteFunc(census(t), func(p process) bool { return p.argv[len(p.argv)-1] != string(h) })
		return len(running) == n
	})
}

// gone waits until none of it is left.
func (h hold) gone(t testing.TB) {
	t.Helper()
	eventually(t, "the end of "+string(h), func() bool { return !slices.ContainsFunc(census(t), h.names) })
}

func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for until := time.Now().Add(patience); !holds(); <-tick.C {
		if time.Now().After(until) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
