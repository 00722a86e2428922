//go:build unix

package scripted

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// strayArg makes the agent's program be a process that spawn starts.
const strayArg = "--stray"

// Main is the agent as a process: the body of the hidden subcommand. args are the arguments behind the subcommand, the
// last of os.Args. It returns the exit status; when the script wants the process to end by a signal, it does not return.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 2 && args[0] == strayArg {
		return stray(args[1])
	}
	terminate := make(chan struct{})
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	go func() {
		<-caught
		close(terminate)
	}()
	cwd, _ := os.Getwd()
	end := Run(context.Background(), Options{
		Args: args,
		// Without its Close: the process's end is what ends the reader of stdin.
		Stdin:     struct{ io.Reader }{stdin},
		Stdout:    stdout,
		Stderr:    stderr,
		Cwd:       cwd,
		Env:       os.Environ(),
		Terminate: terminate,
		Spawn:     func(s Spawn) error { return spawnStray(args, s, stdout) },
	})
	if end.Signal != 0 {
		signal.Reset()
		_ = syscall.Kill(os.Getpid(), end.Signal)
		time.Sleep(time.Second) // the signal arrives
	}
	return end.Code
}

// spawnStray starts our own program again, in a session of its own, with our environment.
func spawnStray(args []string, s Spawn, stdout io.Writer) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	lifetime := time.Duration(s.For)
	if lifetime == 0 {
		lifetime = time.Hour
	}
	how := lifetime.String()
	if s.Stubborn {
		how += "!"
	}
	before := os.Args[1:max(1, len(os.Args)-len(args))] // the way to the subcommand
	cmd := exec.Command(exe, append(append([]string{}, before...), strayArg, how)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if f, ok := stdout.(*os.File); ok && s.Hold {
		cmd.Stdout = f
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // no zombie while the agent lives
	return nil
}

// stray lives as long as its argument says; a "!" behind it makes it ignore SIGTERM.
func stray(how string) int {
	if n := len(how); n > 0 && how[n-1] == '!' {
		how = how[:n-1]
		signal.Ignore(syscall.SIGTERM)
	} else {
		signal.Reset(syscall.SIGTERM) // the program that the agent is a part of catches it
	}
	lifetime, err := time.ParseDuration(how)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	time.Sleep(lifetime)
	return 0
}
