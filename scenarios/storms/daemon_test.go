package storms

import (
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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// daemon is the built program, running.
type daemon struct {
	t       *testing.T
	dir     string // holds everything that is the daemon's
	data    string
	root    string // where agents work
	temp    string // its folder for temporary files
	http    *http.Client
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the process has
	address string        // host and port
	secret  string
	marker  string // what the environment of its agents has
}

// confined says how a daemon is run: a shell script that ends with exec "$@", and what it finds in its environment.
type confined struct {
	script string
	env    []string
	socket bool // it listens on its unix socket, too
}

// start starts a daemon that ends with the test, and returns when it takes work.
func start(t *testing.T, c confined) *daemon {
	t.Helper()
	dir := t.TempDir()
	d := &daemon{
		t: t, dir: dir, data: filepath.Join(dir, "data"), root: filepath.Join(dir, "root"), temp: filepath.Join(dir, "temp"),
		ended: make(chan struct{}),
		http:  &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8}},
	}
	for _, folder := range []string{d.data, d.root, d.temp} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	socket := "none"
	if c.socket {
		socket = d.socket()
	}
	args := []string{program, "serve", "--data", d.data, "--listen", "127.0.0.1:0", "--socket", socket, "--root", d.root}
	if c.script != "" {
		args = append([]string{"sh", "-c", c.script, "sh"}, args...)
	}
	d.cmd = exec.Command(args[0], args[1:]...)
	d.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + d.root, "TMPDIR=" + d.temp, "DATA=" + d.data}, c.env...)
	log, err := os.Create(d.logFile())
	if err != nil {
		t.Fatal(err)
	}
	d.cmd.Stderr = log
	if err := errors.Join(d.cmd.Start(), log.Close()); err != nil {
		t.Fatal(err)
	}
	go func() { // ends with the process
		defer close(d.ended)
		_ = d.cmd.Wait() // its state tells
	}()
	t.Cleanup(d.kill)
	if err := eventually(t.Context(), 20*time.Second, d.find); err != nil {
		t.Fatalf("the daemon did not start: %v\n%s", err, d.said())
	}
	return d
}

func (d *daemon) socket() string { return filepath.Join(d.data, "ringmaster.sock") }

func (d *daemon) logFile() string { return filepath.Join(d.dir, "log") }

// inside is a path as the daemon sees it: it may have a file system of its own.
func (d *daemon) inside(path string) string {
	return filepath.Join("/proc", strconv.Itoa(d.cmd.Process.Pid), "root", path)
}

// find looks where the daemon listens.
func (d *daemon) find() error {
	select {
	case <-d.ended:
		return errGone
	default:
	}
	b, err := os.ReadFile(d.inside(filepath.Join(d.data, "address")))
	if err != nil {
		return err
	}
	var at struct{ HTTP string }
	if err := json.Unmarshal(b, &at); err != nil {
		return err
	}
	token, err := os.ReadFile(d.inside(filepath.Join(d.data, "token")))
	if err != nil {
		return err
	}
	instance, err := os.ReadFile(d.inside(filepath.Join(d.data, "instance")))
	d.address, d.secret = strings.TrimPrefix(at.HTTP, "http://"), strings.TrimSpace(string(token))
	d.marker = adapters.MarkerEnv + "=" + strings.TrimSpace(string(instance)) + "/"
	return err
}

var errGone = errors.New("the daemon has ended")

// kill ends it where the test has not.
func (d *daemon) kill() {
	_ = d.cmd.Process.Kill() // it may have ended
	<-d.ended
	d.http.CloseIdleConnections()
}

// stop ends the daemon in order and looks at what is left of it: no process, no temporary file, no error in its log but those
// that are expected.
func (d *daemon) stop(expected ...string) {
	d.t.Helper()
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		d.t.Error(err)
	}
	overdue := time.NewTimer(15 * time.Second)
	defer overdue.Stop()
	select {
	case <-d.ended:
	case <-overdue.C:
		d.t.Error("the daemon did not end")
		d.kill()
	}
	if code := d.cmd.ProcessState.ExitCode(); code != 0 {
		d.t.Errorf("the daemon ended with status %d", code)
	}
	if pids := d.agents(); len(pids) > 0 {
		d.t.Errorf("processes left: %v", pids)
	}
	left, err := os.ReadDir(d.temp)
	if err != nil || len(left) > 0 {
		d.t.Errorf("temporary files left: %v, %v", left, err)
	}
	if lines := d.said(expected...); lines != "" {
		d.t.Errorf("the daemon's log:\n%s", lines)
	}
}

// said are the lines of the daemon's log that tell of errors, a few of them.
func (d *daemon) said(expected ...string) string {
	text, err := os.ReadFile(d.logFile())
	if err != nil {
		return err.Error()
	}
	var lines []string
next:
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"level":"info"`)) || bytes.HasPrefix(line, []byte(`{"level":"warn"`)) {
			continue
		}
		for _, e := range expected {
			if bytes.Contains(line, []byte(e)) {
				continue next
			}
		}
		if lines = append(lines, string(line)); len(lines) == 20 {
			break
		}
	}
	return strings.Join(lines, "")
}

// agents are the live processes that the daemon has started, however they have hidden.
func (d *daemon) agents() (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && bytes.Contains(environ, []byte(d.marker)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// call asks over HTTP. An answer that came is no error, whatever its status.
func (d *daemon) call(ctx context.Context, method, path string, in any) (status int, body []byte, err error) {
	var send io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return 0, nil, err
		}
		send = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+d.address+path, send)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+d.secret)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := d.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(res.Body)
	return res.StatusCode, body, err
}

// want asks for something that must be granted.
func (d *daemon) want(ctx context.Context, method, path string, in any) ([]byte, error) {
	status, body, err := d.call(ctx, method, path, in)
	if err == nil && status >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s: %d: %s", method, path, status, body)
	}
	return body, err
}

func (d *daemon) must(method, path string, in any) []byte {
	d.t.Helper()
	body, err := d.want(d.t.Context(), method, path, in)
	if err != nil {
		d.t.Fatal(err)
	}
	return body
}

// create makes a session of the scripted agent, which works in a folder of its own.
func (d *daemon) create() string {
	d.t.Helper()
	return d.createOf("scripted", d.root)
}

func (d *daemon) createOf(agent, cwd string) string {
	d.t.Helper()
	var made struct{ ID string }
	if err := json.Unmarshal(d.must(http.MethodPost, "/sessions", map[string]string{"agent": agent, "cwd": cwd}), &made); err != nil {
		d.t.Fatal(err)
	}
	return made.ID
}

// token makes a token.
func (d *daemon) token(scope, owner string) string {
	d.t.Helper()
	var made struct{ Token string }
	asked := map[string]string{"name": "n", "scope": scope}
	if owner != "" {
		asked["owner"] = owner
	}
	if err := json.Unmarshal(d.must(http.MethodPost, "/tokens", asked), &made); err != nil {
		d.t.Fatal(err)
	}
	return made.Token
}

// prompt makes the agent of a session take steps.
func (d *daemon) prompt(ctx context.Context, id, steps string) error {
	_, err := d.want(ctx, http.MethodPost, "/sessions/"+id+"/prompts", map[string]string{"text": "play\n```script\n" + steps + "\n```"})
	return err
}

func (d *daemon) mustPrompt(id, steps string) {
	d.t.Helper()
	if err := d.prompt(d.t.Context(), id, steps); err != nil {
		d.t.Fatal(err)
	}
}

func (d *daemon) delete(ids ...string) {
	d.t.Helper()
	for _, id := range ids {
		d.must(http.MethodDelete, "/sessions/"+id, nil)
	}
}

// lines is a session's log.
func (d *daemon) lines(id string) [][]byte {
	d.t.Helper()
	return bytes.Split(bytes.TrimSuffix(d.must(http.MethodGet, "/sessions/"+id+"/log", nil), []byte("\n")), []byte("\n"))
}

// state asks for the state of a session.
func (d *daemon) state(ctx context.Context, id string) (state string, turns int, err error) {
	body, err := d.want(ctx, http.MethodGet, "/sessions/"+id, nil)
	var s struct {
		Status struct{ State string }
		Turns  int
	}
	if err == nil {
		err = json.Unmarshal(body, &s)
	}
	return s.Status.State, s.Turns, err
}

// rests waits until a session has taken so many turns and has nothing to do.
func (d *daemon) rests(id string, turns int, within time.Duration) {
	d.t.Helper()
	err := eventually(d.t.Context(), within, func() error {
		state, n, err := d.state(d.t.Context(), id)
		if err == nil && (state != "idle" || n < turns) {
			err = fmt.Errorf("session %s is %s after %d turns of %d", id, state, n, turns)
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// eventually tries until there is no error: a process tells of what it does only when it is asked.
func eventually(ctx context.Context, within time.Duration, try func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, within, errNever)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return errors.Join(err, context.Cause(ctx))
		}
	}
}
