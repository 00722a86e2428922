package daemon

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asked is what a daemon answers on its unix socket.
type asked struct {
	status int
	header http.Header
	body   struct {
		Status any           `json:"status"`
		Code   protocol.Code `json:"code"`
		Hint   string        `json:"hint"`
		Ready  bool          `json:"ready"`
	}
}

func ask(t *testing.T, socket, method, path, host string) (a asked) {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&a.body); err != nil {
		t.Fatalf("%s %s: %d, %v", method, path, res.StatusCode, err)
	}
	a.status, a.header = res.StatusCode, res.Header
	return a
}

// TestHealthBeforeTheSessionsAreRead: the daemon says that it lives while it reads, and that everything else is to be asked again.
func TestHealthBeforeTheSessionsAreRead(t *testing.T) {
	cfg := config(t)
	cfg.Socket = filepath.Join(cfg.Folder.Path, "s")
	session := filepath.Join(cfg.Folder.Path, "sessions", "00000000-0000-4000-8000-000000000001")
	record := filepath.Join(session, "session.json")
	if err := os.MkdirAll(session, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(cfg.Folder.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(record, 0o600); err != nil {
		t.Fatal(err)
	}
	type started struct {
		d   *Daemon
		err error
	}
	begun := make(chan started, 1)
	go func() { // ends with the start
		d, err := Start(context.WithoutCancel(t.Context()), cfg)
		begun <- started{d, err}
	}()
	pipe, err := os.OpenFile(record, os.O_WRONLY, 0) // returns when the daemon reads it
	if err != nil {
		t.Fatal(err)
	}
	if a := ask(t, cfg.Socket, "GET", "/health", "localhost"); a.status != http.StatusOK || a.body.Status != "ok" || a.header.Get("X-Content-Type-Options") == "" {
		t.Errorf("health: %+v", a)
	}
	waited := make(chan asked, 1)
	go func() { waited <- ask(t, cfg.Socket, "GET", "/sessions", "localhost") }() // ends with the start
	for _, what := range []string{"GET /ready", "POST /health"} {
		method, path, _ := strings.Cut(what, " ")
		a := ask(t, cfg.Socket, method, path, "localhost")
		if a.status != http.StatusServiceUnavailable || a.body.Code != protocol.CodeUnavailable || a.header.Get("Retry-After") == "" || a.body.Hint == "" ||
			a.header.Get("Content-Type") != protocol.ProblemType {
			t.Errorf("%s: %+v", what, a)
		}
	}
	if _, err := cfg.Folder.ReadAddress(); err == nil {
		t.Error("the address is told before the daemon takes work")
	}
	if err := pipe.Close(); err != nil {
		t.Fatal(err)
	}
	got := <-begun
	if got.err != nil {
		t.Fatal(got.err)
	}
	defer shut(t, got.d)
	if a := <-waited; a.status != http.StatusOK {
		t.Errorf("what waited: %+v", a)
	}
	if a := ask(t, cfg.Socket, "GET", "/ready", "localhost"); a.status != http.StatusOK || !a.body.Ready {
		t.Errorf("ready: %+v", a)
	}
}
