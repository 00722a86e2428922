package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestWaitingIsLight: agents that wait hold no thread of the daemon, and four descriptors each: their three pipes and their pidfd.
// Proves: I15.6/threads
func TestWaitingIsLight(t *testing.T) {
	defer noLooks(t)() // which open descriptors
	const n = 24
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
	for range n {
		begin()
	}
	if has := count("fd") - files; has > 4*n {
		t.Errorf("%d descriptors for %d agents", has, n)
	}
	if has := count("task") - threads; has > n/2 { // the runtime begins some for its own work
		t.Errorf("%d threads for %d agents", has, n)
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
			cmd := &exec.Cmd{Path: "/bin/sh", Args: []string{"sh", "-c", "read -r line; exit 7"}}
			stdin, err := cmd.StdinPipe()
			if err == nil {
				err = agents.begin(cmd, 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = stdin.Close() })
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

// TestSystemWithoutPidfds: an agent is begun, is seen to end, and has its status where the system refuses to make a pidfd with a process, as sandboxes do
// that have a kernel of their own, and where it refuses to open one, as filters of containers do.
// Proves: I15.6/exits
func TestSystemWithoutPidfds(t *testing.T) {
	t.Parallel()
	for _, refused := range []string{"clone", "open"} {
		cmd := &exec.Cmd{Path: self(t), Env: []string{childEnv + "=without-pidfds:" + refused, noExitDelay}}
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = &said, &said
		err := Run(cmd)
		if want := "code 7, signal \"\", error \"\"\n"; err != nil || said.String() != want {
			t.Errorf("%s: %v, %q, want %q", refused, err, said.String(), want)
		}
	}
}

func init() {
	children["without-pidfds"] = func(refused string) {
		if err := refuse(refused); err != nil {
			fmt.Println(err)
			os.Exit(2)
		}
		me, _ := os.Executable()
		c, err := Transport{}.Start(context.Background(), adapters.Launch{Path: me, Env: []string{childEnv + "=exit:7", noExitDelay}})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		_, _ = io.Copy(io.Discard, c.Output())
		exit := c.Wait()
		fmt.Printf("code %d, signal %q, error %q\n", exit.Code, exit.Signal, exit.Error)
	}
}

// refuse has this process live with a filter: CLONE_PIDFD is an invalid flag, or pidfd_open is forbidden.
func refuse(what string) error {
	const number, firstArgument = 0, 16 // offsets in seccomp_data; the lower half of the flags, where the lower half is first
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	answer := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	unless := func(code uint16, k uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | code | unix.BPF_K, K: k, Jf: skip}
	}
	filter := []unix.SockFilter{
		load(number),
		unless(unix.BPF_JEQ, unix.SYS_CLONE, 3),
		load(firstArgument),
		unless(unix.BPF_JSET, unix.CLONE_PIDFD, 1),
		answer(unix.SECCOMP_RET_ERRNO | uint32(unix.EINVAL)),
		answer(unix.SECCOMP_RET_ALLOW),
	}
	if what == "open" {
		filter = []unix.SockFilter{
			load(number),
			unless(unix.BPF_JEQ, unix.SYS_PIDFD_OPEN, 1),
			answer(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)),
			answer(unix.SECCOMP_RET_ALLOW),
		}
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread() // of both calls; the filter brings it to the others
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const forAllThreads = unix.SECCOMP_FILTER_FLAG_TSYNC
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, forAllThreads, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return fmt.Errorf("filter: %w", errno)
	}
	return nil
}
