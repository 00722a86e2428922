package program_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/program"
)

const nameEnv = "RINGMASTER_ACME"

func query() program.Query {
	return program.Query{
		Env: nameEnv, Name: "acme", Args: []string{"--version"}, Tested: []string{"0.16", "2"}, Install: "pkg install acme",
	}
}

func script(t *testing.T, folder, name, body string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	const (
		absent   = "install it with: pkg install acme"
		misnamed = nameEnv + " names the program; " + absent
	)
	for _, c := range []struct {
		name, body string
		want       adapters.Installation
	}{
		{"tested", "[ $1 = --version ] && echo 0.16.3", adapters.Installation{Version: "0.16.3", Tested: true}},
		{"tested by its first number", "echo v2.0.0", adapters.Installation{Version: "2.0.0", Tested: true}},
		{"on standard error, among words", "echo 'acme 0.16.3-beta.1+x, of today' >&2", adapters.Installation{Version: "0.16.3-beta.1+x", Tested: true}},
		{"the first of several", "echo '0.16.1 (was 3.0.0)'", adapters.Installation{Version: "0.16.1", Tested: true}},
		{"not tested", "echo 0.160.3", adapters.Installation{Version: "0.160.3", Hint: "it may work; for a tested version: pkg install acme@2"}},
		{"silent", "true", adapters.Installation{Problem: "acme --version: no version in its answer", Hint: misnamed}},
		{"broken", "echo first >&2; echo no engine >&2; exit 3", adapters.Installation{Problem: "acme --version: exit status 3: no engine", Hint: misnamed}},
		{"broken and silent", "exit 3", adapters.Installation{Problem: "acme --version: exit status 3", Hint: misnamed}},
		{"talkative", "yes 0.16.3 | head -c 1000000", adapters.Installation{Version: "0.16.3", Tested: true}},
		{"reads its input", "cat; echo 0.16.3", adapters.Installation{Version: "0.16.3", Tested: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.want.Program = script(t, t.TempDir(), "other", c.body)
			t.Setenv(nameEnv, c.want.Program)
			if got := program.Find(t.Context(), query()); got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
	t.Run("long last line", func(t *testing.T) {
		t.Setenv(nameEnv, script(t, t.TempDir(), "x", "yes é | head -c 9000 | tr -d '\\n'; exit 1"))
		if got := program.Find(t.Context(), query()).Problem; len(got) > 300 || !strings.HasSuffix(got, "é…") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("what it needs", func(t *testing.T) {
		t.Setenv(nameEnv, script(t, t.TempDir(), "x", "exit 1"))
		q := query()
		q.Needs = "it needs an engine"
		if got := program.Find(t.Context(), q); got.Hint != q.Needs {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("absent", func(t *testing.T) {
		t.Setenv(nameEnv, filepath.Join(t.TempDir(), "none"))
		if got := program.Find(t.Context(), query()); got.Program != "" || !strings.HasSuffix(got.Problem, "none was not found") || got.Hint != misnamed {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("on the PATH", func(t *testing.T) {
		folder := t.TempDir()
		t.Setenv(nameEnv, "")
		t.Setenv("PATH", folder)
		if got, want := program.Find(t.Context(), query()), (adapters.Installation{Problem: "acme was not found", Hint: absent}); got != want {
			t.Errorf("got %+v", got)
		}
		path := script(t, folder, "acme", "echo 0.16.9")
		if got := program.Find(t.Context(), query()); got.Program != path || !got.Tested {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("relative", func(t *testing.T) {
		folder := t.TempDir()
		path := script(t, folder, "acme", "echo 0.16.9")
		t.Chdir(folder)
		t.Setenv(nameEnv, "./acme")
		if got := program.Find(t.Context(), query()); got.Program != path || !got.Tested {
			t.Errorf("got %+v", got)
		}
	})
}

// The daemon's address and token never reach a program.
func TestFindEnvironment(t *testing.T) {
	t.Setenv("RINGMASTER_TOKEN", "9.9.9")
	t.Setenv("ACME_HOME", "0.16.1")
	t.Setenv(nameEnv, script(t, t.TempDir(), "x", `echo "$RINGMASTER_TOKEN$RINGMASTER_ACME" "$ACME_HOME"`))
	if got := program.Find(t.Context(), query()); got.Version != "0.16.1" {
		t.Errorf("got %+v", got)
	}
}

// A program that does not end is ended with everything that it started.
func TestFindIsBounded(t *testing.T) {
	folder := t.TempDir()
	fifo := filepath.Join(folder, "pid")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(nameEnv, script(t, folder, "x", "sleep 600 & echo $! > "+fifo+"; wait"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result := make(chan adapters.Installation, 1)
	go func() { result <- program.Find(ctx, query()) }()
	pid := childPID(t, fifo)
	cancel()
	if got := <-result; got.Program == "" || got.Problem != "acme --version: context canceled" {
		t.Errorf("got %+v", got)
	}
	awaitGone(t, pid)
}

// Of a program that is only slow nobody is told to install it, or what it needs.
func TestFindOfASlowProgram(t *testing.T) {
	path := script(t, t.TempDir(), "x", "sleep 600")
	t.Setenv(nameEnv, path)
	q := query()
	q.Needs = "it needs an engine"
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	want := adapters.Installation{
		Program: path, Problem: "acme --version: no answer in time", Hint: "the program is there; try again when the machine is less busy",
		Late: true,
	}
	if got := program.Find(ctx, q); got != want {
		t.Errorf("got %+v", got)
	}
}

// A program that has ended has said its version, whatever it leaves behind; that is ended too.
func TestFindLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	fifo := filepath.Join(folder, "pid")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(nameEnv, script(t, folder, "x", "sleep 600 & echo $! > "+fifo+"; echo 0.16.3"))
	result := make(chan adapters.Installation, 1)
	go func() { result <- program.Find(t.Context(), query()) }()
	pid := childPID(t, fifo)
	if got := <-result; got.Version != "0.16.3" || got.Problem != "" {
		t.Errorf("got %+v", got)
	}
	awaitGone(t, pid)
}

// childPID reads what a script said of its child; it waits for the script.
func childPID(t *testing.T, fifo string) int {
	t.Helper()
	f, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadString('\n')
	pid, err2 := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || err2 != nil {
		t.Fatalf("got %q, %v, %v", line, err, err2)
	}
	return pid
}

// awaitGone waits until a process that was killed is gone or a zombie that nobody here can reap.
func awaitGone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d lives", pid)
		}
	}
}
