package live

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
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// daemon is the built program at work on a data folder, with one agent.
type daemon struct {
	*client.Client
	agent   *agent
	data    string
	root    string // where its agents may work
	cwd     string // in it: where they do
	flags   []string
	cmd     *exec.Cmd
	ended   <-chan error
	log     journal
	stopped bool
}

// newDaemon starts a daemon that ends with the test, and leaves nothing.
func newDaemon(t *testing.T, a *agent) *daemon {
	t.Helper()
	return newDaemonIn(t, a, t.TempDir())
}

// newDaemonIn starts one whose agents work in a folder that another one's may work in as well.
func newDaemonIn(t *testing.T, a *agent, root string, flags ...string) *daemon {
	t.Helper()
	d := &daemon{agent: a, data: filepath.Join(t.TempDir(), "data"), root: root, cwd: filepath.Join(root, "plain"), flags: flags}
	if err := os.Mkdir(d.cwd, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	d.start(t)
	t.Cleanup(func() {
		defer d.log.judge()
		if t.Failed() {
			defer func() { t.Logf("the daemon's log:\n%s", d.log.tail()) }()
		}
		if !d.stopped {
			family := d.family(t)
			d.stop(t)
			d.wantNobody(t, family)
		}
	})
	return d
}

func (d *daemon) start(t *testing.T) {
	t.Helper()
	d.cmd = exec.Command(program, append([]string{
		"serve", "--data", d.data, "--listen", "127.0.0.1:0", "--socket", "none", "--root", d.root, "--log-level", "warn",
	}, d.flags...)...)
	d.cmd.Env = append(os.Environ(), d.agent.variable()+"=", "RINGMASTER_"+strings.ToUpper(d.agent.name)+"="+d.agent.program())
	for _, name := range sessionVariables() {
		d.cmd.Env = append(d.cmd.Env, name+"="+outside)
	}
	d.cmd.Stderr = &d.log
	if err := os.Remove(filepath.Join(d.data, "address")); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d.stopped = false
	cmd, ended := d.cmd, make(chan error, 1)
	d.ended = ended
	go func() { ended <- cmd.Wait() }() // ends with the daemon
	until := time.Now().Add(patience)
	for {
		c, err := client.Find(d.data)
		if err == nil {
			if _, err = c.Ready(t.Context()); err == nil {
				d.Client = c
				return
			}
			c.Close()
		}
		select {
		case err := <-ended:
			d.stopped = true
			t.Fatalf("the daemon ended: %v\n%s", err, d.log.tail())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(until) {
			t.Fatalf("the daemon does not get ready: %v", err)
		}
	}
}

// stop ends the daemon as an operator does; it has 10 s.
func (d *daemon) stop(t *testing.T) {
	t.Helper()
	d.stopped = true
	d.Close()
	from := time.Now()
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-d.ended; err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if took := time.Since(from); took > 10*time.Second {
		t.Errorf("the daemon took %v to end", took)
	}
}

// kill ends the daemon as nobody should.
func (d *daemon) kill(t *testing.T) {
	t.Helper()
	d.stopped = true
	d.Close()
	if err := d.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-d.ended
}

// version is that of its agent, as the daemon found it.
func (d *daemon) version(t *testing.T) string {
	t.Helper()
	list, err := d.Agents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list.Agents {
		if a.Name == d.agent.name {
			if !a.Available {
				t.Fatalf("the daemon cannot use %s: %s %s", a.Name, a.Problem, a.Hint)
			}
			return a.Version
		}
	}
	t.Fatalf("the daemon has no agent %s", d.agent.name)
	return ""
}

// killAgents kills the agents themselves, and nothing of what they started: the daemon's own children.
func (d *daemon) killAgents(t *testing.T) {
	t.Helper()
	killed := 0
	for _, p := range d.family(t) {
		if p.parent == d.cmd.Process.Pid {
			if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			killed++
		}
	}
	if killed == 0 {
		t.Fatal("no agent runs")
	}
}

// call is a request that the client has no method for. The answer goes into out; a refusal is a *protocol.Problem.
func (d *daemon) call(ctx context.Context, method, path string, body, out any) error {
	place := datafolder.Folder{Path: d.data}
	address, err := place.ReadAddress()
	if err != nil {
		return err
	}
	token, err := discovery.ReadToken(place.TokenFile())
	if err != nil {
		return err
	}
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, address.HTTP+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		p := &protocol.Problem{}
		if json.Unmarshal(answer, p) != nil || p.Code == "" {
			return fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
		}
		return p
	}
	if out == nil || len(answer) == 0 {
		return nil
	}
	return json.Unmarshal(answer, out)
}

// journal keeps what the daemon said on its standard error.
type journal struct {
	mu   sync.Mutex
	text []byte
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.text = append(j.text, p...)
	return len(p), nil
}

func (j *journal) judge() {
	j.mu.Lock()
	defer j.mu.Unlock()
	invariant.Logged(j.text)
}

func (j *journal) tail() []byte {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Clone(j.text[max(0, len(j.text)-16<<10):])
}
