package process

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// childEnv makes the test binary be a child instead: its value says which.
const childEnv = "PROCESS_TEST_CHILD"

// noExitDelay switches off the second that the race detector waits at every exit.
const noExitDelay = "GORACE=atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	if mode, ok := os.LookupEnv(childEnv); ok {
		name, arg, _ := strings.Cut(mode, ":")
		children[name](arg)
		os.Exit(0)
	}
	leaks.Main(m)
}

// children are the agents of these tests.
var children = map[string]func(arg string){
	"exit": func(arg string) {
		code, _ := strconv.Atoi(arg)
		fmt.Println("bye")
		os.Exit(code)
	},
	"signal": func(arg string) {
		fmt.Println("bye")
		sig, _ := strconv.Atoi(arg)
		_ = syscall.Kill(os.Getpid(), syscall.Signal(sig))
		linger()
	},
	"echo": func(string) {
		fmt.Println("ready")
		_, _ = io.Copy(os.Stdout, os.Stdin)
		os.Exit(0)
	},
	"close-stdout": func(string) {
		os.Stdout.Close()
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(3)
	},
	"half-line": func(string) { fmt.Print("whole\n{\"type\":\"ag") },
	"stubborn": func(string) { // ends neither with its stdin nor with SIGTERM
		signal.Ignore(syscall.SIGTERM)
		fmt.Println("ready")
		linger()
	},
	"deaf": func(string) { // ends with SIGTERM only
		fmt.Println("ready")
		linger()
	},
	"big-line": func(arg string) {
		n, _ := strconv.Atoi(arg)
		w := bufio.NewWriter(os.Stdout)
		for range n {
			w.WriteByte('x')
		}
		w.WriteString("\nafter\n")
		w.Flush()
	},
	"stderr": func(arg string) {
		n, _ := strconv.Atoi(arg)
		w := bufio.NewWriter(os.Stderr)
		for i := range n {
			fmt.Fprintf(w, "\x1b[31mline %d\x1b[0m\r\n", i)
		}
		w.Flush()
		os.Exit(1)
	},
	"environ": func(string) {
		for _, v := range os.Environ() {
			fmt.Println(v)
		}
	},
	"state": func(string) { // what was set up before its start
		for fd := range 3 {
			flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
			fmt.Printf("fd%d nonblock=%v\n", fd, flags&syscall.O_NONBLOCK != 0)
		}
		fmt.Printf("leader=%v\n", syscall.Getpgrp() == os.Getpid())
		wd, _ := os.Getwd()
		fmt.Printf("cwd=%s\n", wd)
		open, _ := os.ReadDir("/proc/self/fd")
		var names []string
		for _, e := range open {
			if n, _ := strconv.Atoi(e.Name()); n > 2 {
				if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.HasPrefix(to, "pipe:") {
					names = append(names, to)
				}
			}
		}
		fmt.Printf("foreign pipes=%v\n", names)
	},
	// parent:KIND starts one more child and exits at once with status 0; parent-stays:KIND waits for its stdin's end.
	"parent":       func(arg string) { parent(arg); os.Exit(0) },
	"parent-stays": func(arg string) { parent(arg); _, _ = io.Copy(io.Discard, os.Stdin) },
}

// parent starts a grandchild and says its pid. The letters of kind: h holds stdout, s has a session of its own, m has
// lost the marker, u has lost the mark as well, t ignores SIGTERM.
func parent(kind string) {
	mode := "deaf"
	if strings.Contains(kind, "t") {
		mode = "stubborn"
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+mode)
	if strings.Contains(kind, "m") {
		cmd.Env = []string{childEnv + "=" + mode, noExitDelay}
	}
	if strings.Contains(kind, "s") {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	ready, w, _ := os.Pipe()
	cmd.Stdout = w
	if strings.Contains(kind, "h") {
		cmd.Stderr = os.Stdout
	}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(9)
	}
	if strings.Contains(kind, "u") {
		unmark(cmd.Process.Pid)
	}
	w.Close()
	_, _ = bufio.NewReader(ready).ReadString('\n')
	fmt.Println(cmd.Process.Pid)
}

// linger is longer than any test and shorter than an annoyance, should a test fail to end it.
func linger() { time.Sleep(2 * time.Minute) }
