package daemon

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestReload: what can change does, and the address says so; what is not right changes nothing.
func TestReload(t *testing.T) {
	cfg := config(t)
	cfg.Socket = cfg.Folder.Socket()
	more := t.TempDir()
	var next Change
	var fault error
	cfg.Reread = func() (Change, error) { return next, fault }
	start(t, cfg)
	c, err := client.Find(cfg.Folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fault = errors.New("there is no setting \"rots\"")
	_, err = c.Reload(t.Context())
	if p := (*protocol.Problem)(nil); !errors.As(err, &p) || p.Code != protocol.CodeInvalidRequest || !strings.Contains(p.Detail, "rots") {
		t.Errorf("%v", err)
	}
	fault, next = nil, Change{Roots: []string{more}, IdleExit: time.Hour, Applied: []string{"root", "idle-exit"}, Restart: []string{"listen"}}
	done, err := c.Reload(t.Context())
	if err != nil || !slices.Equal(done.Applied, next.Applied) || !slices.Equal(done.Restart, next.Restart) {
		t.Errorf("%+v, %v", done, err)
	}
	a, err := cfg.Folder.ReadAddress()
	if err != nil || a.IdleExit != time.Hour.Milliseconds() || !slices.Contains(a.Roots, more) || len(a.Unnamed()) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestDiskRefusesTheAddress: where the address cannot be written, roots and settings are in effect all the same, and the answer says both.
func TestDiskRefusesTheAddress(t *testing.T) {
	cfg := config(t)
	cfg.Socket = cfg.Folder.Socket()
	added, more := t.TempDir(), t.TempDir()
	cfg.Reread = func() (Change, error) {
		return Change{Roots: []string{more}, IdleExit: time.Hour, Applied: []string{"root"}}, nil
	}
	start(t, cfg)
	c, err := client.Find(cfg.Folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	inTheWay := filepath.Join(cfg.Folder.Path, "address.new", "x")
	if err := errors.Join(os.Mkdir(filepath.Dir(inTheWay), 0o700), os.WriteFile(inTheWay, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	readOnly := func(err error) {
		t.Helper()
		if p := (*protocol.Problem)(nil); !errors.As(err, &p) || p.Code != protocol.CodeReadOnly || !strings.Contains(p.Detail, "in effect") || strings.Contains(p.Detail, cfg.Folder.Path) {
			t.Errorf("%v", err)
		}
	}
	_, err = c.AddRoot(t.Context(), added)
	readOnly(err)
	_, err = c.Reload(t.Context())
	readOnly(err)
	if roots, err := c.Roots(t.Context()); err != nil || !slices.Contains(roots, added) || !slices.Contains(roots, more) {
		t.Errorf("%v, %v", roots, err)
	}
	if err := os.RemoveAll(filepath.Dir(inTheWay)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.AddRoot(t.Context(), added); err != nil {
		t.Errorf("asked again: %v", err)
	}
	if a, err := cfg.Folder.ReadAddress(); err != nil || a.IdleExit != time.Hour.Milliseconds() || !slices.Contains(a.Roots, more) {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestCertificateIsReloaded: who connects after a reload is shown the new certificate, on the same port.
func TestCertificateIsReloaded(t *testing.T) {
	first, one := certified(t, 1)
	second, two := certified(t, 2)
	cfg := config(t)
	cfg.Socket, cfg.Listen.Certificate = cfg.Folder.Socket(), first
	cfg.Reread = func() (Change, error) { return Change{Certificate: second, Applied: []string{"tls-cert"}}, nil }
	d := start(t, cfg)
	pool := x509.NewCertPool()
	pool.AddCert(one)
	pool.AddCert(two)
	shown := func() int64 {
		conn, err := tls.Dial("tcp", strings.TrimPrefix(d.Address().HTTP, "https://"), &tls.Config{RootCAs: pool})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	if got := shown(); got != 1 {
		t.Errorf("at first: certificate %d", got)
	}
	c, err := client.Find(cfg.Folder.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := shown(); got != 2 {
		t.Errorf("after the reload: certificate %d", got)
	}
}

// TestRemembered: a daemon whose roots nobody has named notes them for the next one; others do not.
func TestRemembered(t *testing.T) {
	cfg := config(t)
	cfg.Found = datafolder.Address{TakesRoots: true}
	shut(t, start(t, cfg))
	if got := cfg.Folder.Remembered(); !slices.Equal(got, cfg.Roots) {
		t.Errorf("%v, want %v", got, cfg.Roots)
	}
	other := config(t)
	shut(t, start(t, other))
	if got := other.Folder.Remembered(); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
