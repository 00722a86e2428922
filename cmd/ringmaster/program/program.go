// Package program runs the built daemon as a process, for proofs that look at it from outside: what it says when it runs, how it ends, and
// what errors its log tells of.
package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
)

// ErrEnded says that the daemon ended while something was asked of it.
var ErrEnded = errors.New("the daemon has ended")

// maxProblems is how many lines of errors are kept, the newest.
const maxProblems = 100

// Daemon is a process. It must be ended with Kill or Stop.
type Daemon struct {
	cmd   *exec.Cmd
	ended chan struct{}
	runs  chan string

	mu       sync.Mutex
	problems []string
}

// Command is what starts the daemon of a built program, on a data folder and a port of its own choice, with agents at work below root.
func Command(path, data, root string, flags ...string) *exec.Cmd {
	return exec.Command(path, append([]string{"serve", "--data", data, "--listen", "127.0.0.1:0", "--socket", "none", "--root", root}, flags...)...)
}

// Start starts the process and reads its log.
func Start(cmd *exec.Cmd) (*Daemon, error) {
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the daemon: %w", err)
	}
	d := &Daemon{cmd: cmd, ended: make(chan struct{}), runs: make(chan string, 1)}
	go func() { // ends with the process
		defer close(d.ended)
		d.follow(stderr)
		_ = cmd.Wait() // its state tells
	}()
	return d, nil
}

// follow reads the daemon's log: where it listens, and errors.
func (d *Daemon) follow(r io.Reader) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Bytes()
		switch {
		case bytes.Contains(line, []byte(`"daemon runs"`)):
			var says struct{ HTTP string }
			if json.Unmarshal(line, &says) == nil {
				select {
				case d.runs <- says.HTTP:
				default: // said twice
				}
			}
		case bytes.HasPrefix(line, []byte(`{"level":"info"`)), bytes.HasPrefix(line, []byte(`{"level":"warn"`)):
		default: // also what a panic says
			invariant.Logged(line)
			d.mu.Lock()
			d.problems = append(d.problems, string(line))
			d.problems = d.problems[max(0, len(d.problems)-maxProblems):]
			d.mu.Unlock()
		}
	}
	_, _ = io.Copy(io.Discard, r) // behind a line that is too long: nobody waits for us
}

// Running gives the address of its API, once it runs. The error is ErrEnded, with what its log said, or that of the context. It is asked once.
func (d *Daemon) Running(ctx context.Context) (address string, err error) {
	select {
	case address = <-d.runs:
		return address, nil
	case <-d.ended:
		return "", fmt.Errorf("%w at its start: %s", ErrEnded, strings.Join(d.Problems(), "\n"))
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// PID is that of the process.
func (d *Daemon) PID() int { return d.cmd.Process.Pid }

// Ended is closed when the process has ended.
func (d *Daemon) Ended() <-chan struct{} { return d.ended }

// Problems are the newest lines of its log that tell of errors.
func (d *Daemon) Problems() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]string(nil), d.problems...)
}

// Kill ends it as a crash does, and returns when it has ended.
func (d *Daemon) Kill() {
	d.KillNow()
	<-d.ended
}

// KillNow does not wait for its end.
func (d *Daemon) KillNow() { _ = d.cmd.Process.Kill() } // it may have ended

// Stop ends it in order; one that has not ended in time is killed. The note says what was not in order.
func (d *Daemon) Stop(within time.Duration) (note string) {
	if err := d.cmd.Process.Signal(syscall.SIGTERM); errors.Is(err, os.ErrProcessDone) {
		<-d.ended
		return fmt.Sprintf("it had ended by itself: %s\n%s", d.cmd.ProcessState, strings.Join(d.Problems(), "\n"))
	} else if err != nil {
		return err.Error()
	}
	overdue := time.NewTimer(within)
	defer overdue.Stop()
	select {
	case <-d.ended:
	case <-overdue.C:
		d.Kill()
		return fmt.Sprintf("it did not end in %v", within)
	}
	if code := d.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Sprintf("exit status %d: %s", code, strings.Join(d.Problems(), "\n"))
	}
	return ""
}

// Killed says nothing of a process that SIGKILL has ended, and of any other how it ended. It must have.
func (d *Daemon) Killed() error {
	if status, ok := d.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return nil
	}
	return fmt.Errorf("the daemon ended by itself: %s\n%s", d.cmd.ProcessState, strings.Join(d.Problems(), "\n"))
}

// Token is the secret of who administers the daemon of a data folder.
func Token(data string) (string, error) { return word(data, "token") }

// Instance is the name of a data folder, with which the marker of every process begins that its daemons have started.
func Instance(data string) (string, error) { return word(data, "instance") }

func word(data, name string) (string, error) {
	b, err := os.ReadFile(filepath.Join(data, name))
	if err != nil {
		return "", err
	}
	if s := strings.TrimSpace(string(b)); s != "" {
		return s, nil
	}
	return "", fmt.Errorf("the file %s is empty", name)
}
