package scenarios

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// builtProgram builds the program once for all tests of this run; TestMain removes it.
var builtProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "ringmaster-scenarios-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "ringmaster")
	out, err := exec.Command("go", "build", "-o", path, "../cmd/ringmaster").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) { leaks.Main(tests{m}) }

// tests are this package's, with the end of what they share.
type tests struct{ *testing.M }

func (t tests) Run() int {
	code := t.M.Run()
	if programUsed {
		if path, err := builtProgram(); err == nil {
			os.RemoveAll(filepath.Dir(path))
		}
	}
	return code
}

var programUsed bool // by a test of this run

// program is the built binary as a daemon, a process of its own.
type program struct {
	t        *testing.T
	path     string
	data     string
	root     string
	http     *http.Client
	cmd      *exec.Cmd
	address  string
	secret   string
	instance string

	mu     sync.Mutex
	errors []string // error lines of its log
	ended  chan struct{}
}

func newProgram(t *testing.T, root string) *program {
	t.Helper()
	programUsed = true
	path, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, path: path, data: filepath.Join(t.TempDir(), "data"), root: root}
	p.http = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 4}}
	t.Cleanup(func() { // whatever a failed test has left
		if p.cmd != nil {
			p.cmd.Process.Kill()
			<-p.ended
		}
		p.http.CloseIdleConnections()
	})
	return p
}

// start runs `ringmaster serve` and returns when it says that it runs.
func (p *program) start() error {
	cmd := exec.Command(p.path, "serve", "--data", p.data, "--listen", "127.0.0.1:0", "--socket", "none", "--root", p.root)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	p.cmd, p.ended = cmd, make(chan struct{})
	runs := make(chan string, 1)
	go func() { // ends with the process
		defer close(p.ended)
		p.follow(bufio.NewScanner(stderr), runs)
		cmd.Wait()
	}()
	select {
	case p.address = <-runs:
	case <-p.ended:
		return fmt.Errorf("the daemon ended at its start: %s", strings.Join(p.logged(), "\n"))
	}
	token, err := os.ReadFile(filepath.Join(p.data, "token"))
	if err != nil {
		return err
	}
	instance, err := os.ReadFile(filepath.Join(p.data, "instance"))
	p.secret, p.instance = strings.TrimSpace(string(token)), strings.TrimSpace(string(instance))
	return err
}

// follow reads the daemon's log.
func (p *program) follow(lines *bufio.Scanner, runs chan<- string) {
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Level, Msg, HTTP string }
		err := json.Unmarshal(lines.Bytes(), &line)
		switch {
		case err != nil, line.Level == "error", line.Level == "fatal":
			p.mu.Lock()
			p.errors = append(p.errors, lines.Text())
			p.mu.Unlock()
		case line.Msg == "daemon runs":
			runs <- line.HTTP
		}
	}
}

func (p *program) logged() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.errors
}

// end signals the daemon and waits for its end.
func (p *program) end(sig os.Signal, within time.Duration) error {
	if p.cmd == nil {
		return nil
	}
	cmd := p.cmd
	if err := cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-p.ended:
	case <-time.After(within):
		return fmt.Errorf("the daemon runs on %s after %s", within, sig)
	}
	p.cmd = nil
	if code := cmd.ProcessState.ExitCode(); sig == syscall.SIGTERM && code != 0 {
		return fmt.Errorf("the daemon ended with status %d: %s", code, strings.Join(p.logged(), "\n"))
	}
	return nil
}

func (p *program) drain() error { return p.end(syscall.SIGTERM, 12*time.Second) }

func (p *program) kill(midWrite bool, lost int) error {
	if err := p.end(syscall.SIGKILL, 5*time.Second); err != nil {
		return err
	}
	return damage(p.data, midWrite, lost)
}

func (p *program) client() *http.Client  { return p.http }
func (p *program) url() string           { return p.address }
func (p *program) token() string         { return p.secret }
func (p *program) settle()               {}
func (p *program) puppet(string) *puppet { return nil }
func (p *program) journals() string      { return filepath.Join(p.data, "sessions") }

func (p *program) problems(errorsDeclared bool) []string {
	var problems []string
	if pids := marked(p.instance); len(pids) > 0 {
		problems = append(problems, fmt.Sprintf("processes left: %v", pids))
	}
	if lines := p.logged(); len(lines) > 0 && !errorsDeclared {
		problems = append(problems, "the daemon logged errors:\n"+strings.Join(lines, "\n"))
	}
	return problems
}

// marked finds the live processes that a daemon on the data folder with this name has started, however they have hidden.
func marked(instance string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil || instance == "" {
		return nil
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err == nil && bytes.Contains(environ, []byte(adapters.MarkerEnv+"="+instance+"/")) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestProgram plays the scenarios that say so against the built binary: what passes in the bubble passes here.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	for _, path := range scenarioFiles(t) {
		f, err := readFile(path)
		if err != nil || !f.head.process {
			continue // TestBubble complains
		}
		t.Run(f.name(), func(t *testing.T) { inEachEra(t, f, playInProgram) })
	}
}

func playInProgram(t *testing.T, f *file, era string) {
	w := newWorld(t, f, false)
	w.root, w.patient, w.loose, w.era = t.TempDir(), 30*time.Second, true, era
	p := newProgram(t, w.root)
	w.daemon, w.aliases = p, []string{w.root, "$ROOT", p.data, "$DATA"}
	w.ctx = context.WithoutCancel(t.Context())
	w.run()
}
