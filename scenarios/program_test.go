package scenarios

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/scenarios/fake"
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

// The test binary is also the program of agents that play scripts.
func TestMain(m *testing.M) {
	if fake.Is(os.Args[0]) {
		os.Exit(fake.Main())
	}
	leaks.Main(tests{m})
}

// tests are this package's, with the end of what they share.
type tests struct{ *testing.M }

func (t tests) Run() int {
	code := t.M.Run()
	if programUsed.Load() {
		if path, err := builtProgram(); err == nil {
			os.RemoveAll(filepath.Dir(path))
		}
	}
	return code
}

var programUsed atomic.Bool // by a test of this run

// built is the built binary as a daemon, a process of its own.
type built struct {
	t        *testing.T
	path     string
	data     string
	root     string
	http     *http.Client
	process  *program.Daemon // nil: none runs
	logged   []string        // lines of errors of those that have ended
	agents   string          // the folder of agents' programs
	played   []string        // those that play scripts
	fake     fake.Stage      // those that are attached to
	address  string
	secret   string
	instance string
}

func newBuilt(t *testing.T, root string) *built {
	t.Helper()
	programUsed.Store(true)
	path, err := builtProgram()
	if err != nil {
		t.Fatal(err)
	}
	p := &built{t: t, path: path, data: filepath.Join(t.TempDir(), "data"), root: root, agents: t.TempDir(), fake: fake.Stage{Real: true}}
	p.http = &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 4}}
	t.Cleanup(func() { // whatever a failed test has left
		if p.process != nil {
			p.process.Kill()
		}
		p.http.CloseIdleConnections()
	})
	return p
}

// start runs `ringmaster serve` and returns when it says that it runs.
func (p *built) start() error {
	cmd := program.Command(p.path, p.data, p.root)
	cmd.Env = p.environment()
	process, err := program.Start(cmd)
	if err != nil {
		return err
	}
	p.process = process
	if p.address, err = process.Running(p.t.Context()); err != nil {
		process.Kill()
		p.over()
		return err
	}
	if p.secret, err = program.Token(p.data); err == nil {
		p.instance, err = program.Instance(p.data)
	}
	return err
}

func (p *built) drain() error {
	if p.process == nil {
		return nil
	}
	note := p.process.Stop(time.Minute)
	p.over()
	if note != "" {
		return errors.New("the daemon: " + note)
	}
	return nil
}

func (p *built) kill(midWrite bool, lost int) error {
	if p.process != nil {
		p.process.Kill()
		p.over()
	}
	return damage(p.data, midWrite, lost)
}

// over takes leave of a process that has ended.
func (p *built) over() {
	p.logged = append(p.logged, p.process.Problems()...)
	p.process = nil
}

func (p *built) client() *http.Client     { return p.http }
func (p *built) url() string              { return p.address }
func (p *built) token() string            { return p.secret }
func (p *built) settle()                  {}
func (p *built) puppet(string) *puppet    { return nil }
func (p *built) agentToken(string) string { return "" }
func (p *built) journals() string         { return filepath.Join(p.data, "sessions") }

func (p *built) problems(errorsDeclared bool) []string {
	var problems []string
	if pids := marked(p.instance); len(pids) > 0 {
		problems = append(problems, fmt.Sprintf("processes left: %v", pids))
	}
	for _, agent := range p.played {
		problems = append(problems, fake.Problems(p.agents, agent)...)
	}
	problems = append(problems, p.fake.Close()...)
	logged := p.logged
	if p.process != nil {
		logged = append(logged, p.process.Problems()...)
	}
	if len(logged) > 0 && !errorsDeclared {
		problems = append(problems, "the daemon logged errors:\n"+strings.Join(logged, "\n"))
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
		t.Run(f.name(), func(t *testing.T) {
			t.Parallel()
			inEachEra(t, f, playInProgram)
		})
	}
}

func playInProgram(t *testing.T, f *file, era string) {
	w := newWorld(t, f, false)
	w.root, w.patient, w.loose, w.era = t.TempDir(), 30*time.Second, true, era
	p := newBuilt(t, w.root)
	w.daemon, w.aliases = p, []string{w.root, "$ROOT", p.data, "$DATA"}
	w.ctx = context.WithoutCancel(t.Context())
	w.run()
}
