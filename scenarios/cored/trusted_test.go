package cored

import (
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/authority"
)

// TestServedOverTLS: a node and a server with a certificate of an operator's own authority. A node that does not trust it says so wherever people look, works
// on, and sends what it has once it is told whom to trust, without another start. A certificate that is replaced is that of new connections behind SIGHUP, and
// one that is not right changes nothing.
//
// Proves: I16.3/metrics, I16.3/tls
func TestServedOverTLS(t *testing.T) {
	w := beginWith(t, t.TempDir())
	w.create()
	w.work()
	w.caughtUp()
	p, _ := w.inCore(w.ids[0])
	w.daemon.Kill()

	dir := t.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ours, theirs := authority.New(t), authority.New(t)
	certificate, key := ours.Files(t, dir, "127.0.0.1")
	const reads = "a-token-that-reads-metrics"
	s := &server{world: w, at: free(t), by: []string{"--tls-cert", certificate, "--tls-key", key, "--metrics-token-file", file("metrics", []byte(reads))}}
	s.begins()
	t.Cleanup(func() { _ = s.ends(os.Kill) })

	ca := file("ca.pem", theirs.PEM)
	token := file("token", []byte(w.command("core", "admit", "--node", p.Owner.Node, "rack 1", "--core", w.core)))
	w.served = []string{"--core", s.url(), "--core-token-file", token, "--core-ca-file", ca}
	w.start()
	w.reach()
	w.work()
	w.rest()
	const words, hint = "of an authority that this node does not trust", "--core-ca-file"
	w.until("the node says why", func() bool {
		ready, err := w.client.Readiness(t.Context())
		return err == nil && !ready.Core.Up && strings.Contains(ready.Core.Problem, words) && strings.Contains(ready.Core.Hint, hint)
	})
	if log := strings.Join(w.daemon.Problems(), "\n"); !strings.Contains(log, words) || !strings.Contains(log, hint) {
		t.Errorf("the node's log says %s", log)
	}
	for _, args := range [][]string{{"status", "--data", w.data}, {"doctor", "--data", w.data}, append([]string{"core", "check"}, w.served...)} {
		cmd := exec.Command(w.program, args...)
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), words) || !strings.Contains(string(out), hint) {
			t.Errorf("%v prints\n%s", args, out)
		}
	}

	file("ca.pem", append(theirs.PEM, ours.PEM...))
	w.caughtUp()

	var metrics map[string]float64
	w.until("the node beats", func() bool { // which it tries again on its own, some seconds after the first that came to nothing
		metrics = s.metrics(reads)
		return metrics[`requests_total{call="beat",outcome="ok"}`] > 0
	})
	for name, least := range map[string]float64{
		"up": 1, "database_connections": 1, "database_connections_limit": 24, `requests_total{call="append",outcome="ok"}`: 1,
		`received_bytes_total{call="append"}`: 1000,
	} {
		if metrics[name] < least {
			t.Errorf("the server's %s is %v, want %v or more", name, metrics[name], least)
		}
	}

	before := s.serial()
	fresh, freshKey := ours.Files(t, t.TempDir(), "127.0.0.1")
	replace := func(path, by string) {
		if err := os.Rename(by, path); err != nil {
			t.Fatal(err)
		}
	}
	replace(certificate, fresh)
	hup := func() { _ = s.cmd.Process.Signal(syscall.SIGHUP) }
	hup()
	w.until("a certificate without its key is refused", func() bool { return strings.Contains(s.says(), "certificate refused") })
	if got := s.serial(); got != before {
		t.Error("a certificate without its key is used")
	}
	replace(key, freshKey)
	hup()
	w.until("the new certificate is used", func() bool { return s.serial() != before })
	w.work()
	w.caughtUp()
	if err := s.ends(os.Interrupt); err != nil {
		t.Errorf("the server ends with %v", err)
	}
	if strings.Contains(s.says(), "PRIVATE KEY") {
		t.Error("the server's log has a key")
	}
}

// metrics are those of the server, by name and labels.
func (s *server) metrics(token string) map[string]float64 {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url()+"/metrics", http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	a, err := transport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		s.t.Fatal(a.StatusCode, err)
	}
	found := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		const prefix = "ringmaster_core_serve_"
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && strings.HasPrefix(name, prefix) {
			if found[strings.TrimPrefix(name, prefix)], err = strconv.ParseFloat(value, 64); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	return found
}

// serial is the number of the certificate that a new connection gets.
func (s *server) serial() string {
	s.t.Helper()
	c, err := tls.Dial("tcp", s.at, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0].SerialNumber.String()
}
