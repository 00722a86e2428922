package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
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

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
)

// process is a program that is measured.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string // http://HOST:PORT
	auth string // value of the header; empty: none
	root string // of a daemon: where sessions work
	data string
}

// folder has the agent under its name, and room for data. It is the caller's for the test.
func folder(t *testing.T) (dir, pi string) {
	t.Helper()
	dir = t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "bin"), 0o700)
	}
	for _, name := range []string{"pi", "reference", "bridge", "ringmaster"} {
		if err == nil {
			err = os.Symlink(self, filepath.Join(dir, "bin", name))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, "bin", "pi")
}

// startDaemon starts the built daemon on a data folder; empty: a new one.
func startDaemon(t *testing.T, data string, args ...string) *process {
	t.Helper()
	dir, pi := folder(t)
	if data == "" {
		data = filepath.Join(dir, "data")
	}
	args = append([]string{"serve", "--data", data, "--listen", "127.0.0.1:0", "--socket", "none", "--root", dir, "--log-level", "info"}, args...)
	p := &process{t: t, cmd: exec.Command(*program, args...), root: dir, data: data}
	p.cmd.Env = append(os.Environ(), "RINGMASTER_PI="+pi)
	if *profile != "" {
		p.cmd.Path = filepath.Join(dir, "bin", "ringmaster")
		p.cmd.Args[0] = p.cmd.Path
		p.cmd.Env = append(p.cmd.Env, fmt.Sprintf("%s=%s", profileEnv, filepath.Join(*profile, fmt.Sprintf("%s-%d.pprof", t.Name(), time.Now().UnixNano()))))
	}
	stderr, err := p.cmd.StderrPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	for p.base == "" && lines.Scan() {
		var line struct{ Msg, HTTP string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "daemon runs" {
			p.base = line.HTTP
		}
	}
	if p.base == "" {
		t.Fatal("the daemon does not run")
	}
	go func() { // ends with the daemon
		for lines.Scan() {
			invariant.Logged(lines.Bytes())
		}
		_, _ = io.Copy(io.Discard, stderr)
	}()
	token, err := os.ReadFile(filepath.Join(data, "token"))
	if err != nil {
		t.Fatal(err)
	}
	p.auth = "Bearer " + strings.TrimSpace(string(token))
	t.Cleanup(p.stop)
	return p
}

// startReference starts the reference program with so many agents. With a journal it keeps what they say in files.
func startReference(t *testing.T, agents int) *process   { return reference(t, agents, false) }
func startJournalling(t *testing.T, agents int) *process { return reference(t, agents, true) }

func reference(t *testing.T, agents int, journal bool) *process {
	t.Helper()
	dir, pi := folder(t)
	args := []string{pi, strconv.Itoa(agents)}
	if journal {
		args = append(args, t.TempDir())
	}
	p := &process{t: t, cmd: exec.Command(filepath.Join(dir, "bin", "reference"), args...), root: dir}
	p.cmd.Stderr = os.Stderr
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.base = strings.TrimSpace(line)
	t.Cleanup(func() {
		stdin.Close()
		p.stop()
	})
	return p
}

// stop ends it in order.
func (p *process) stop() {
	if p.cmd.ProcessState != nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	_ = p.cmd.Wait()
}

// do asks the process.
func (p *process) do(method, path string, body any, to any) *http.Response {
	p.t.Helper()
	var in io.Reader
	if text, ok := body.(string); ok {
		in = strings.NewReader(text)
	} else if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			p.t.Fatal(err)
		}
		in = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(context.WithoutCancel(p.t.Context()), method, p.base+path, in)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.auth != "" {
		r.Header.Set("Authorization", p.auth)
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		p.t.Fatalf("%s %s: %d %s, %v", method, path, res.StatusCode, text, err)
	}
	if to != nil {
		if err := json.Unmarshal(text, to); err != nil {
			p.t.Fatal(err)
		}
	}
	return res
}

// create makes a session, and gives the path of its things.
func (p *process) create() string {
	p.t.Helper()
	var s struct{ ID string }
	p.do("POST", "/sessions", map[string]string{"agent": "pi", "cwd": p.root}, &s)
	return "/sessions/" + s.ID
}

// sessions makes so many, or names those of a reference.
func (p *process) sessions(n int) []string {
	p.t.Helper()
	list := make([]string, n)
	for i := range list {
		if p.auth == "" {
			list[i] = fmt.Sprintf("/%d", i)
		} else {
			list[i] = p.create()
		}
	}
	return list
}

// prompt sends one.
func (p *process) prompt(session, text string) {
	p.t.Helper()
	if p.auth == "" {
		p.do("POST", session+"/prompt", text, nil)
		return
	}
	p.do("POST", session+"/prompts", map[string]string{"text": text}, nil)
}

// newest is the session's newest cursor; empty: of a reference.
func (p *process) newest(session string) string {
	if p.auth == "" {
		return ""
	}
	var s struct{ Cursor string }
	p.do("GET", session, nil, &s)
	return "?since=" + s.Cursor
}

// idle waits until a session is.
func (p *process) idle(session string) {
	for deadline := time.Now().Add(time.Minute); ; {
		state := p.state(session)
		if state == "idle" {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s is %s", session, state)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// state is that of a session; one that has prompts in its queue is not idle.
func (p *process) state(session string) string {
	var s struct {
		Status struct{ State string }
		Queue  []any
	}
	p.do("GET", session, nil, &s)
	if len(s.Queue) > 0 {
		return "queued"
	}
	return s.Status.State
}

// cpu is the seconds of CPU that the process has used, without its children.
func (p *process) cpu() float64 {
	p.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+2:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100 // clock ticks
}

// rss is its memory in bytes.
func (p *process) rss() float64 {
	p.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	var kib float64
	_, _ = fmt.Sscan(rest, &kib)
	return kib * 1024
}
