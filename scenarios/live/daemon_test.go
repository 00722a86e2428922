// Package live drives real agents under the real daemon: the built program, its files, its processes. It needs an agent's
// program and a model; the Taskfile's target agents brings both, offline, and sets the variables that are read here.
package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/audit"
)

// patience bounds every wait. It is no measure: a slow machine needs it, a broken daemon uses it up.
const patience = 60 * time.Second

var program string // the built daemon

func TestMain(m *testing.M) {
	if os.Getenv("RINGMASTER_LIVE_PI") == "" {
		os.Exit(m.Run()) // every test skips, with the reason
	}
	dir, err := os.MkdirTemp("", "ringmaster-live-")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "ringmaster")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/ringmaster").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// daemon is the built program at work on a data folder.
type daemon struct {
	*client.Client
	t       *testing.T
	data    string
	cwd     string
	cmd     *exec.Cmd
	ended   <-chan error
	stderr  bytes.Buffer
	pi      string
	stopped bool
}

func newDaemon(t *testing.T) *daemon {
	t.Helper()
	pi := os.Getenv("RINGMASTER_LIVE_PI")
	if pi == "" {
		t.Skip("RINGMASTER_LIVE_PI does not name a Pi program: run task agents")
	}
	d := &daemon{t: t, data: filepath.Join(t.TempDir(), "data"), cwd: t.TempDir(), pi: pi}
	d.start()
	t.Cleanup(func() {
		if !d.stopped {
			d.stop()
		}
		if left := d.left(); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
		if t.Failed() {
			t.Logf("the daemon's log:\n%s", d.stderr.String())
		}
	})
	return d
}

func (d *daemon) start() {
	d.t.Helper()
	d.cmd = exec.Command(program, "serve", "--data", d.data, "--listen", "127.0.0.1:0", "--socket", "none", "--root", d.cwd)
	d.cmd.Env = append(os.Environ(), "RINGMASTER_PI="+d.pi)
	d.cmd.Stderr = &d.stderr
	if err := os.Remove(filepath.Join(d.data, "address")); err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.stopped = false
	cmd, ended := d.cmd, make(chan error, 1)
	d.ended = ended
	go func() { ended <- cmd.Wait() }() // ends with the daemon
	until := time.Now().Add(patience)
	for {
		c, err := client.Find(client.Place{Folder: datafolder.Folder{Path: d.data}})
		if err == nil {
			if _, err = c.Ready(d.t.Context()); err == nil {
				d.Client = c
				return
			}
			c.Close()
		}
		select {
		case err := <-ended:
			d.stopped = true
			d.t.Fatalf("the daemon ended: %v\n%s", err, d.stderr.String())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(until) {
			d.t.Fatalf("the daemon does not get ready: %v", err)
		}
	}
}

// stop ends the daemon as an operator does; it has 10 s.
func (d *daemon) stop() {
	d.t.Helper()
	d.stopped = true
	d.Close()
	from := time.Now()
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		d.t.Fatal(err)
	}
	if err := <-d.ended; err != nil {
		d.t.Errorf("after SIGTERM: %v", err)
	}
	if took := time.Since(from); took > 10*time.Second {
		d.t.Errorf("the daemon took %v to end", took)
	}
}

// kill ends the daemon as nobody should.
func (d *daemon) kill() {
	d.t.Helper()
	d.stopped = true
	d.Close()
	if err := d.cmd.Process.Kill(); err != nil {
		d.t.Fatal(err)
	}
	<-d.ended
}

// session is one session, and every line of its log that was shown.
type session struct {
	*daemon
	id    string
	seen  [][]byte
	audit *audit.Log
}

func (d *daemon) create(agent string) *session {
	d.t.Helper()
	detail, _, err := d.Create(d.t.Context(), client.New{Agent: agent, Cwd: d.cwd})
	if err != nil {
		d.t.Fatal(err)
	}
	return &session{daemon: d, id: detail.ID, audit: audit.New()}
}

// until follows the log, from where it was left, to the first event that fits.
func (s *session) until(what string, fits func(*protocol.Event) bool) *protocol.Event {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	var found *protocol.Event
	err := s.Follow(ctx, s.id, protocol.Cursor{Epoch: 1, Seq: uint64(len(s.seen))}, func(u client.Update) error {
		l, ok := u.(client.Line)
		if !ok {
			return nil
		}
		if err := s.audit.Take(&l.Event); err != nil {
			return err
		}
		s.seen = append(s.seen, bytes.Clone(l.Raw))
		if fits(&l.Event) {
			found = &l.Event
			return client.ErrStop
		}
		return nil
	})
	if err != nil || found == nil {
		s.t.Fatalf("waiting for %s: %v\n%s", what, err, s.tail())
	}
	return found
}

func (s *session) tail() []byte { return bytes.Join(s.seen[max(0, len(s.seen)-40):], []byte("\n")) }

func (s *session) send(text string, b protocol.Behavior) client.Receipt {
	s.t.Helper()
	r, _, err := s.Send(s.t.Context(), s.id, client.Prompt{Text: text, StreamingBehavior: b}, "")
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func (s *session) turnEnd() *protocol.TurnEnd {
	s.t.Helper()
	return s.until("the turn's end", isType(protocol.TypeTurnEnd)).Payload.(*protocol.TurnEnd)
}

func (s *session) wantTurn(status protocol.TurnStatus) *protocol.TurnEnd {
	s.t.Helper()
	end := s.turnEnd()
	if end.Status != status {
		s.t.Fatalf("the turn ended %s, want %s: %+v\n%s", end.Status, status, end, s.tail())
	}
	return end
}

func (s *session) idle() {
	s.t.Helper()
	s.until("idle", func(e *protocol.Event) bool {
		st, ok := e.Payload.(*protocol.Status)
		return ok && st.State == protocol.StateIdle
	})
}

// whole compares what was shown with the stored log, byte for byte.
func (s *session) whole() {
	s.t.Helper()
	l, err := s.Log(s.t.Context(), s.id, client.LogQuery{})
	if err != nil {
		s.t.Fatal(err)
	}
	defer l.Close()
	var stored bytes.Buffer
	if _, err := stored.ReadFrom(l); err != nil {
		s.t.Fatal(err)
	}
	shown := append(bytes.Join(s.seen, []byte("\n")), '\n')
	if !bytes.HasPrefix(stored.Bytes(), shown) {
		s.t.Errorf("%d shown lines are not the beginning of the stored log of %d bytes", len(s.seen), stored.Len())
	}
}

// entries are the ended entries of a type, in the order of their ends.
func (s *session) entries(kind protocol.EntryType) []*protocol.EntryEnd {
	var list []*protocol.EntryEnd
	for _, line := range s.seen {
		e, err := protocol.Decode(line)
		if err != nil {
			s.t.Fatal(err)
		}
		if end, ok := e.Payload.(*protocol.EntryEnd); ok && end.EntryType == kind {
			list = append(list, end)
		}
	}
	return list
}

func isType(t protocol.Type) func(*protocol.Event) bool {
	return func(e *protocol.Event) bool { return e.Payload.Type() == t }
}
