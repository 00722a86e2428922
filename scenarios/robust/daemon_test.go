package robust

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// daemon is the built program on one data folder. A daemon that has ended can be started again.
type daemon struct {
	data string // its folder
	root string // where agents work
	hits hits   // of fault points; empty: nobody counts

	cmd     *exec.Cmd
	started time.Time
	ended   chan struct{} // closed when the process has
	runs    chan string   // its address, once it runs
	http    *http.Client
	address string
	secret  string

	mu       sync.Mutex
	problems []string // of its log
}

func newDaemon(dir string) (*daemon, error) {
	d := &daemon{data: filepath.Join(dir, "data"), root: filepath.Join(dir, "root")}
	return d, os.MkdirAll(d.root, 0o700)
}

// errEnded says that the daemon ended while something was asked of it.
var errEnded = errors.New("the daemon has ended")

// Limits that let fault points be reached which a real load comes to once in hours.
const sizes = "journal/segment=24576,raw/roll=6144"

// begin starts the process. running must follow, or kill.
func (d *daemon) begin(durability, point string) error {
	cmd := exec.Command(program, "serve", "--data", d.data, "--listen", "127.0.0.1:0", "--socket", "none", "--root", d.root,
		"--durability", durability)
	cmd.Env = []string{"HOME=" + d.root, "RINGMASTER_FAILPOINT_SIZES=" + sizes}
	if d.hits != "" {
		cmd.Env = append(cmd.Env, "RINGMASTER_FAILPOINT_HITS="+string(d.hits))
	}
	if point != "" {
		cmd.Env = append(cmd.Env, "RINGMASTER_FAILPOINT="+point)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	d.started = time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	d.cmd, d.ended, d.runs = cmd, make(chan struct{}), make(chan string, 1)
	go func() { // ends with the process
		defer close(d.ended)
		d.follow(stderr, d.runs)
		_ = cmd.Wait() // its state tells
	}()
	return nil
}

// running returns when the daemon says that it runs, or with errEnded.
func (d *daemon) running() error {
	select {
	case d.address = <-d.runs:
	case <-d.ended:
		return errEnded
	}
	token, err := os.ReadFile(filepath.Join(d.data, "token"))
	if err != nil {
		return err
	}
	d.secret = strings.TrimSpace(string(token))
	d.http = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}}
	return nil
}

func (d *daemon) start(durability string) error {
	if err := d.begin(durability, ""); err != nil {
		return err
	}
	if err := d.running(); err != nil {
		return fmt.Errorf("%w at its start: %s", err, d.said())
	}
	return nil
}

// follow reads the daemon's log.
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
			d.mu.Unlock()
		}
	}
}

// cause says how the process ended, when that was not SIGKILL.
func (d *daemon) cause() error {
	if status, ok := d.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return nil
	}
	return fmt.Errorf("the daemon ended by itself: %s\n%s", d.cmd.ProcessState, d.said())
}

// kill ends it at once.
func (d *daemon) kill() {
	if d.cmd == nil {
		return
	}
	_ = d.cmd.Process.Kill() // it may have ended
	<-d.ended
	d.closeIdle()
}

// stop ends it in order. The note says what was not in order.
func (d *daemon) stop() (note string) {
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err.Error()
	}
	overdue := time.NewTimer(15 * time.Second)
	defer overdue.Stop()
	select {
	case <-d.ended:
	case <-overdue.C:
		d.kill()
		return "it did not end"
	}
	d.closeIdle()
	if code := d.cmd.ProcessState.ExitCode(); code != 0 {
		return fmt.Sprintf("status %d: %s", code, d.said())
	}
	return ""
}

func (d *daemon) closeIdle() {
	if d.http != nil {
		d.http.CloseIdleConnections()
	}
}

// said are the lines of its log that tell of errors.
func (d *daemon) said() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.problems, "\n")
}

// call asks over HTTP. An answer that came is no error, whatever its status; only a daemon that is being ended answers none.
func (d *daemon) call(ctx context.Context, method, path, key string, in any) (status int, header http.Header, body []byte, err error) {
	var send io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return 0, nil, nil, err
		}
		send = bytes.NewReader(b)
	}
	res, err := d.open(ctx, method, path, send, http.Header{"Idempotency-Key": {key}})
	if err != nil {
		return 0, nil, nil, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusServiceUnavailable {
		return 0, nil, nil, errEnded
	}
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, res.Header, body, err
}

// get reads something that must be there.
func (d *daemon) get(ctx context.Context, path string) (http.Header, []byte, error) {
	status, header, body, err := d.call(ctx, http.MethodGet, path, "", nil)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("GET %s: %d: %s", path, status, body)
	}
	return header, body, err
}

// open begins a request.
func (d *daemon) open(ctx context.Context, method, path string, body io.Reader, header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, d.address+path, body)
	if err != nil {
		return nil, err
	}
	for k, v := range header {
		if v[0] != "" {
			req.Header[k] = v
		}
	}
	req.Header.Set("Authorization", "Bearer "+d.secret)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return d.http.Do(req)
}
