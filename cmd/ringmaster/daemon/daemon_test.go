package daemon

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) {
	// The engine counts dead letters for a second, in a goroutine of its own.
	leaks.Main(m)
}

func config(t *testing.T) Config {
	t.Helper()
	folder := datafolder.Folder{Path: filepath.Join(t.TempDir(), "data")}
	return Config{
		Folder: folder, Roots: []string{t.TempDir()}, Listen: Listen{Address: "127.0.0.1:0"},
		Agents: Agents(folder, "test"), Version: "test", Log: zap.NewNop(),
	}
}

func start(t *testing.T, cfg Config) *Daemon {
	t.Helper()
	d, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, d) })
	return d
}

func shut(t *testing.T, d *Daemon) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), DrainTime)
	defer cancel()
	if err := d.Close(ctx); err != nil {
		t.Errorf("close: %v", err)
	}
}

// The start-up matrix: what would give the machine away is refused before anything is touched.
func TestListenIsRefused(t *testing.T) {
	cert := new(tls.Certificate)
	for _, c := range []struct {
		listen Listen
		why    string // empty: taken
	}{
		{Listen{Address: "127.0.0.1:0"}, ""},
		{Listen{Address: "127.9.9.9:80"}, ""},
		{Listen{Address: "[::1]:0"}, ""},
		{Listen{Address: "localhost:0"}, ""},
		{Listen{}, ""},
		{Listen{Address: "127.0.0.1"}, "want HOST:PORT"},
		{Listen{Address: "::1:80"}, "want HOST:PORT"},
		{Listen{Address: "127.0.0.1:"}, "no number"},
		{Listen{Address: "127.0.0.1:080"}, "no number"},
		{Listen{Address: "127.0.0.1:65536"}, "no number"},
		{Listen{Address: ":80"}, "every network"},
		{Listen{Address: ":80", AllowRemote: true, Certificate: cert}, "every network"},
		{Listen{Address: "0.0.0.0:80"}, "other machines"},
		{Listen{Address: "[::]:80"}, "other machines"},
		{Listen{Address: "192.0.2.1:80"}, "other machines"},
		{Listen{Address: "192.0.2.1:80", Certificate: cert}, "other machines"},
		{Listen{Address: "192.0.2.1:80", Cleartext: true}, "other machines"},
		{Listen{Address: "192.0.2.1:80", AllowRemote: true}, "in the clear"},
		{Listen{Address: "192.0.2.1:80", AllowRemote: true, Certificate: cert}, ""},
		{Listen{Address: "192.0.2.1:80", AllowRemote: true, Cleartext: true}, ""},
		{Listen{Address: "example.org:80", AllowRemote: true, Certificate: cert}, "neither localhost nor an IP address"},
		{Listen{Address: "2130706433:80"}, "neither localhost nor an IP address"},
	} {
		err := c.listen.check()
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%+v: %v, want %q", c.listen, err, c.why)
		}
		if err == nil {
			continue
		}
		var l *ListenError
		if !errors.As(err, &l) || l.Hint() == "" {
			t.Errorf("%+v: no hint", c.listen)
		}
		cfg := config(t)
		cfg.Listen = c.listen
		if _, err := Start(t.Context(), cfg); err == nil {
			t.Errorf("%+v: started", c.listen)
		}
		if _, err := os.Stat(cfg.Folder.Path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%+v: the data folder was touched", c.listen)
		}
	}
}

func TestDaemonIsFoundAndLeavesNothing(t *testing.T) {
	cfg := config(t)
	cfg.Socket = filepath.Join(t.TempDir(), "s")
	if len(cfg.Socket) > maxSocketPath {
		t.Skip("the temporary folder's path is too long for a socket")
	}
	d := start(t, cfg)
	info, err := os.Stat(cfg.Socket)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	a, err := cfg.Folder.ReadAddress()
	if err != nil || !reflect.DeepEqual(a, d.Address()) || a.PID != os.Getpid() || a.Socket != cfg.Socket {
		t.Errorf("the address file says %+v, %v", a, err)
	}
	for _, address := range []string{"", a.HTTP, a.Socket} {
		c, err := reach(cfg.Folder, address)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := c.Ready(t.Context()); err != nil || v != "test" {
			t.Errorf("over %q: %q, %v", address, v, err)
		}
		more := t.TempDir()
		roots, err := c.AddRoot(t.Context(), more)
		now, addressErr := cfg.Folder.ReadAddress()
		if tcp := address == a.HTTP; tcp != errors.Is(err, protocol.NewProblem(protocol.CodeForbidden, "", "")) || !tcp && !slices.Equal(now.Roots, roots) || addressErr != nil {
			t.Errorf("over %q: roots %v, %v; the address file has %v, %v", address, roots, err, now.Roots, addressErr)
		}
		if list, err := c.Agents(t.Context()); err != nil || len(list.Agents) != len(cfg.Agents) {
			t.Errorf("over %q: agents %v, %v", address, list, err)
		}
		c.Close()
	}
	shut(t, d)
	for _, path := range []string{cfg.Socket, filepath.Join(cfg.Folder.Path, "address")} {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", path, err)
		}
	}
	if _, err := Start(t.Context(), Config{}); err == nil {
		t.Error("a daemon without a folder started")
	}
}

func TestSocketPaths(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	if len(path) > maxSocketPath {
		t.Skip("the temporary folder's path is too long for a socket")
	}
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false) // as a daemon that was killed
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := listenSocket(path)
	if err != nil {
		t.Fatalf("over a socket that was left: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	file := filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{file, filepath.Join(dir, strings.Repeat("x", 200)), filepath.Join(dir, "no", "where")} {
		var le *ListenError
		if _, err := listenSocket(bad); !errors.As(err, &le) || !strings.Contains(le.Hint(), "--socket") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "precious" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// A daemon that cannot listen gives the folder back.
func TestFailedStartGivesTheLockBack(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	cfg := config(t)
	cfg.Listen.Address = taken.Addr().String()
	var le *ListenError
	if _, err := Start(t.Context(), cfg); !errors.As(err, &le) || !strings.Contains(le.Hint(), "port 0") {
		t.Fatalf("a port that is taken: %v", err)
	}
	cfg.Listen.Address = "127.0.0.1:0"
	start(t, cfg)
}

// certified makes a certificate for this machine, which certifies itself.
func certified(t *testing.T, serial int64) (*tls.Certificate, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, leaf
}

func TestTLS(t *testing.T) {
	certificate, leaf := certified(t, 1)
	cfg := config(t)
	cfg.Listen.Certificate = certificate
	d := start(t, cfg)
	if !strings.HasPrefix(d.Address().HTTP, "https://127.0.0.1:") {
		t.Fatalf("address %+v", d.Address())
	}
	pool := x509.NewCertPool()
	pool.AddCert(leaf)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Get(d.Address().HTTP + "/health")
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("status %d, %v", resp.StatusCode, err)
	}
}

func TestURLOfAListener(t *testing.T) {
	for addr, want := range map[string]string{
		"127.0.0.1:80": "http://127.0.0.1:80", "0.0.0.0:80": "http://127.0.0.1:80", "[::]:80": "http://[::1]:80", "[::1]:80": "http://[::1]:80",
	} {
		if got := (Listen{}).url(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(addr))); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}

// TestOuterSession: what an agent's session tells the daemon that was started in it goes to no agent; what a user sets does.
func TestOuterSession(t *testing.T) {
	env := []string{"PATH=/bin", "CLAUDECODE=1", "CLAUDE_CONFIG_DIR=/c", "CODEX_THREAD_ID=t", "CODEX_HOME=/x", "OPENCODE_PID=7", "PI_SESSION_ID=s", "DROID_PARENT_SESSION_ID=d"}
	got := process.Environment(env, process.EnvPolicy{Deny: outer(Agents(datafolder.Folder{Path: t.TempDir()}, "test"))}, "")
	if want := []string{"PATH=/bin", "CLAUDE_CONFIG_DIR=/c", "CODEX_HOME=/x"}; !slices.Equal(got, want) {
		t.Errorf("agents get %q, want %q", got, want)
	}
}

// reach makes a client of the daemon of a folder; of its address where one is named.
func reach(f datafolder.Folder, address string) (*client.Client, error) {
	if address == "" {
		return client.Find(f.Path)
	}
	token, err := discovery.ReadToken(f.TokenFile())
	if err != nil {
		return nil, err
	}
	return client.At(address, token)
}
