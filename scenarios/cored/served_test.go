package cored

import (
	"bytes"
	"crypto/tls"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// server is `ringmaster core serve` as a process.
type server struct {
	*world
	at  string
	by  []string // flags of its TLS
	cmd *exec.Cmd
	log string // a file
}

// begins starts it, and waits until it says that Core answers.
func (s *server) begins() {
	s.t.Helper()
	s.cmd = exec.Command(s.program, "core", "serve", "--core", s.core, "--objects", s.objects, "--listen", s.at)
	s.cmd.Args = append(s.cmd.Args, s.by...)
	if s.log == "" {
		s.log = filepath.Join(s.t.TempDir(), "log")
	}
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close()
	s.cmd.Stderr = log
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	s.until("Core is served", func() bool {
		a, err := (&http.Client{Transport: transport}).Get(s.url() + "/healthz")
		if err != nil {
			return false
		}
		return a.Body.Close() == nil && a.StatusCode == http.StatusOK
	})
}

// admit has a new node reach Core through the server, with a token of its own.
func (s *server) admit(w *world, name string) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(s.command("core", "admit", name, "--core", s.core)), 0o600); err != nil {
		s.t.Fatal(err)
	}
	w.served = []string{"--core", s.url(), "--core-token-file", file}
}

// says is its log.
func (s *server) says() string {
	s.t.Helper()
	text, err := os.ReadFile(s.log)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *server) url() string {
	if s.by != nil {
		return "https://" + s.at
	}
	return "http://" + s.at
}

func (s *server) ends(signal os.Signal) error {
	_ = s.cmd.Process.Signal(signal) // it may have ended
	return s.cmd.Wait()
}

// command runs one of the program's, and gives what it prints.
func (w *world) command(args ...string) string {
	w.t.Helper()
	cmd := exec.Command(w.program, args...)
	var wrong bytes.Buffer
	cmd.Stderr = &wrong
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatalf("%v: %v\n%s", args, err, wrong.String())
	}
	return string(out)
}

// TestServed: a daemon that has worked with the database goes on over HTTP, with a token in the place of the password. The server is killed while sessions
// work, and so is the database behind it. In the end Core has what the disk has, byte for byte; a token that was expelled is void, and sessions work on.
//
// Proves: I16.3/served
func TestServed(t *testing.T) {
	w := beginWith(t, t.TempDir())
	w.create()
	w.create()
	w.work()
	w.caughtUp()
	p, _ := w.inCore(w.ids[0])

	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(w.command("core", "admit", "--node", p.Owner.Node, "rack 1", "--core", w.core)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &server{world: w, at: free(t)}
	s.begins()
	t.Cleanup(func() { _ = s.ends(os.Kill) })
	w.daemon.Kill()
	w.served = []string{"--core", "http://" + s.at, "--core-token-file", file}
	w.start()
	w.reach()
	w.work()
	w.caughtUp()

	if err := s.ends(os.Kill); err == nil {
		t.Error("a process that was killed has ended well")
	}
	w.work()
	w.rest()
	w.until("Core is missed", func() bool { return w.gauge("up") == 0 })
	s.begins()
	w.caughtUp()

	if err := w.server.Crash(); err != nil {
		t.Fatal(err)
	}
	w.work()
	if err := w.server.Restart(); err != nil {
		t.Fatal(err)
	}
	w.caughtUp()

	id := w.command("core", "admitted", "--json", "--core", w.core)
	id = id[len(`{"id":"`) : len(`{"id":"`)+12]
	w.command("core", "expel", id, "--core", w.core)
	w.work()
	w.rest()
	w.until("the token is void", func() bool { return w.gauge("up") == 0 })
	if err := s.ends(os.Interrupt); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	token, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(s.says(), strings.TrimSpace(string(token))) {
		t.Error("the server's log has the token")
	}
}
