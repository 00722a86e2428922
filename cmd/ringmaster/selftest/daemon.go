package selftest

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

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/scenarios/audit"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// daemon is this program as a process of its own, on a data folder of its own. One that has ended can be started again.
type daemon struct {
	program, data, root string
	durability          supervisor.Durability

	cmd    *exec.Cmd
	ended  chan struct{} // closed when the process has
	client *client.Client

	mu       sync.Mutex
	problems []string // errors that its log tells of, the newest maxProblems
}

const maxProblems = 20

// start starts the daemon and returns when it answers.
func (d *daemon) start(ctx context.Context) error {
	cmd := exec.Command(d.program, "serve", "--data", d.data, "--listen", "127.0.0.1:0", "--socket", "none", "--root", d.root,
		"--durability", string(d.durability))
	cmd.Env = []string{"HOME=" + d.root, "PATH=" + os.Getenv("PATH")}
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("selftest: start the daemon: %w", err)
	}
	d.cmd, d.ended = cmd, make(chan struct{})
	runs := make(chan string, 1)
	go func() { // ends with the process
		defer close(d.ended)
		d.follow(stderr, runs)
		_ = cmd.Wait() // its state tells
	}()
	var address string
	select {
	case address = <-runs:
	case <-d.ended:
		return fmt.Errorf("selftest: the daemon did not start: %s", d.said())
	case <-ctx.Done():
		d.kill()
		return context.Cause(ctx)
	}
	if d.client, err = client.Find(client.Place{Folder: datafolder.Folder{Path: d.data}, Address: address}); err != nil {
		return err
	}
	_, err = d.client.Ready(ctx)
	return err
}

// follow reads the daemon's log: where it listens, and errors.
func (d *daemon) follow(r io.Reader, runs chan<- string) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Bytes()
		switch {
		case bytes.Contains(line, []byte(`"daemon runs"`)):
			var says struct{ HTTP string }
			if json.Unmarshal(line, &says) == nil {
				runs <- says.HTTP
			}
		case bytes.HasPrefix(line, []byte(`{"level":"info"`)), bytes.HasPrefix(line, []byte(`{"level":"warn"`)):
		default:
			d.mu.Lock()
			d.problems = append(d.problems, string(line))
			d.problems = d.problems[max(0, len(d.problems)-maxProblems):]
			d.mu.Unlock()
		}
	}
}

func (d *daemon) said() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.problems, "\n")
}

// kill ends it as a crash does.
func (d *daemon) kill() {
	if d.cmd == nil {
		return
	}
	_ = d.cmd.Process.Kill() // it may have ended
	<-d.ended
	if d.client != nil {
		d.client.Close()
	}
}

// stop ends it in order. The note says what was not.
func (d *daemon) stop() (took time.Duration, note string) {
	began := time.Now()
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err.Error()
	}
	overdue := time.NewTimer(audit.StopTime + 5*time.Second)
	defer overdue.Stop()
	select {
	case <-d.ended:
	case <-overdue.C:
		d.kill()
		return time.Since(began), "it did not end"
	}
	d.client.Close()
	if code := d.cmd.ProcessState.ExitCode(); code != 0 {
		note = fmt.Sprintf("exit status %d: %s", code, d.said())
	}
	return time.Since(began), note
}

// marker begins the marker of all processes that daemons on the data folder started.
func (d *daemon) marker() (string, error) {
	b, err := os.ReadFile(filepath.Join(d.data, "instance"))
	name := strings.TrimSpace(string(b))
	if err == nil && name == "" {
		err = errors.New("the file instance is empty")
	}
	if err != nil {
		return "", fmt.Errorf("selftest: %w", err)
	}
	return name + "/", nil
}
