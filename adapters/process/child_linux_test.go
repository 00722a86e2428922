package process

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestWaitingIsLight: agents that wait hold no thread of the daemon, and four descriptors each: their three pipes and their pidfd.
// Proves: I15.6/threads
func TestWaitingIsLight(t *testing.T) {
	const agents = 24
	count := func(of string) int {
		t.Helper()
		dir, err := os.ReadDir("/proc/self/" + of)
		if err != nil {
			t.Fatal(err)
		}
		return len(dir)
	}
	begin := func() {
		c := start(t, Transport{}, "echo")
		firstLine(t, c)
	}
	begin() // what the runtime itself opens once
	files, threads := count("fd"), count("task")
	for range agents {
		begin()
	}
	if n := count("fd") - files; n > 4*agents {
		t.Errorf("%d descriptors for %d agents", n, agents)
	}
	if n := count("task") - threads; n > agents/2 { // the runtime begins some for its own work
		t.Errorf("%d threads for %d agents", n, agents)
	}
}

// TestDeathIsSeen in whatever way the system tells of it: by the pidfd, where that says nothing by looks from the end of stderr on, and by waiting where there
// is none.
// Proves: I15.6/exits
func TestDeathIsSeen(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*testing.T, *child){
		"pidfd": func(*testing.T, *child) {},
		"a pidfd that says nothing": func(t *testing.T, c *child) {
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = write.Close() })
			_ = c.ends.Close()
			c.ends = read
		},
		"a pidfd that cannot be polled": func(t *testing.T, c *child) {
			file, err := os.Open(self(t))
			if err != nil {
				t.Fatal(err)
			}
			_ = c.ends.Close()
			c.ends = file
		},
		"no pidfd": func(_ *testing.T, c *child) {
			_ = c.ends.Close()
			c.ends = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", "read -r line; exit 7"}, SysProcAttr: attributes()}
			stdin, err := cmd.StdinPipe()
			if err == nil {
				err = agents.begin(cmd, 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			c := newChild(cmd)
			defer agents.ended(c.pid)
			change(t, &c)
			if c.dead() {
				t.Error("it is dead from its beginning")
			}
			seen := make(chan struct{})
			go func() { // ends with the child
				defer close(seen)
				c.awaitDeath()
			}()
			_, _ = io.WriteString(stdin, "x\n")
			c.stir()
			select {
			case <-seen:
			case <-time.After(soon):
				t.Fatal("its death was not seen")
			}
			if end := c.reap(); end.err != nil || end.status.ExitStatus() != 7 {
				t.Errorf("%+v", end)
			}
			if end := c.reap(); end.err == nil || !c.dead() {
				t.Errorf("reaped twice: %+v", end)
			}
		})
	}
}
