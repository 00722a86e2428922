package live

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// found is a process of this daemon's agents.
type found struct {
	pid, parent int
	command     string // NUL-separated
}

// processes are found by the marker in their environment, as the daemon itself finds them.
func (d *daemon) processes() []found {
	d.t.Helper()
	instance, err := os.ReadFile(filepath.Join(d.data, "instance"))
	if err != nil {
		d.t.Fatal(err)
	}
	marker := append([]byte(adapters.MarkerEnv+"="), bytes.TrimSpace(instance)...)
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		d.t.Fatal(err)
	}
	var list []found
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.Contains(env, marker) {
			continue
		}
		cmd, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		pid, numErr := strconv.Atoi(filepath.Base(dir))
		if err == nil && numErr == nil && len(cmd) > 0 {
			list = append(list, found{pid, parent(dir), string(cmd)})
		}
	}
	return list
}

// parent is the second field behind the command's name, which may hold anything and ends with the last parenthesis.
func parent(dir string) int {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	pid, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0
	}
	return pid
}

// left are processes that nobody should have left: agents and what they started.
func (d *daemon) left() []found { return d.processes() }

// needExtension skips where Pi was not set up to ask before it runs a tool.
func needExtension(t *testing.T) {
	t.Helper()
	if os.Getenv("RINGMASTER_LIVE_PI_GATE") == "" {
		t.Skip("RINGMASTER_LIVE_PI_GATE is not set: Pi has no extension that asks; run task agents")
	}
}
