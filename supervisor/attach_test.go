package supervisor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

func attached(url string) supervisor.NewSession {
	return supervisor.NewSession{Agent: "hub", Endpoint: &adapters.Endpoint{URL: url, Username: "me", Password: "right"}}
}

// TestAttach: a session's agent runs already. Where it is outlives the daemon; the password is in session.json alone.
func TestAttach(t *testing.T) {
	core, logged := observer.New(zapcore.DebugLevel)
	family(t, func(c *supervisor.Config) { c.Log = zap.New(core) }, func(d *daemon, servers *servers) {
		n := attached("http://127.0.0.1:4096")
		n.Cwd = d.root
		s, err := d.Create(d.t.Context(), n)
		if err != nil {
			d.t.Fatal(err)
		}
		d.until(s.ID, d.prompt(s.ID, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		d.start()
		d.until(s.ID, d.prompt(s.ID, "again").Cursor.Seq, protocol.TypeTurnEnd)
		servers.mu.Lock()
		for _, spec := range servers.specs {
			if *spec.Endpoint != *n.Endpoint {
				d.t.Errorf("endpoint %+v", spec.Endpoint)
			}
		}
		servers.mu.Unlock()
		n.Endpoint = &adapters.Endpoint{URL: "http://127.0.0.1:4096", Password: "wrong-password"}
		if s, err = d.Create(d.t.Context(), n); err != nil {
			d.t.Fatal(err)
		}
		d.until(s.ID, 0, protocol.TypeSessionEnd)
		if sum := d.look(s.ID); sum.Status.State != protocol.StateFailed || !strings.Contains(sum.EndError, "the password is wrong") {
			d.t.Errorf("ended with %+v", sum)
		}
		d.close() // nobody writes while the files are looked through
		d.passwords("right", "wrong-password")
		d.start()
	})
	for _, e := range logged.All() {
		if line := e.Message + " " + e.Stack; strings.Contains(line, "wrong-password") {
			t.Errorf("logged: %s", line)
		}
		for _, f := range e.Context {
			if strings.Contains(f.String, "wrong-password") {
				t.Errorf("logged: %+v", f)
			}
		}
	}
}

// passwords looks through the data folder: they are in files that only this user can read, and in no others.
func (d *daemon) passwords(words ...string) {
	d.t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(d.cfg.Data, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, w := range words {
			if !strings.Contains(string(b), `"`+w) {
				continue
			}
			found[w] = true
			info, infoErr := e.Info()
			if infoErr != nil {
				return infoErr
			}
			if e.Name() != "session.json" || info.Mode().Perm() != 0o600 {
				d.t.Errorf("%s holds a password, mode %v", path, info.Mode())
			}
		}
		return err
	})
	if err != nil || len(found) != len(words) {
		d.t.Errorf("passwords found %v, %v", found, err)
	}
}

// TestEndpoints: what may be attached to.
func TestEndpoints(t *testing.T) {
	family(t, func(c *supervisor.Config) { c.AttachHosts = []string{"agents.internal", "10.0.0.7:4096"} }, func(d *daemon, _ *servers) {
		for url, want := range map[string]protocol.Code{
			"http://127.0.0.1:4096":               "",
			"http://localhost:4096/":              "",
			"http://LOCALHOST":                    "",
			"https://[::1]:4096":                  "",
			"ws://127.9.9.9:1/path":               "",
			"wss://agents.internal":               "",
			"http://agents.internal:81":           "",
			"http://10.0.0.7:4096":                "",
			"unix:///run/agent.sock":              protocol.CodeInvalidRequest, // with a password
			"http://10.0.0.7:4097":                protocol.CodeForbidden,
			"http://10.0.0.7":                     protocol.CodeForbidden,
			"http://example.com":                  protocol.CodeForbidden,
			"http://localhost.example.com":        protocol.CodeForbidden,
			"http://127.0.0.1.example.com":        protocol.CodeForbidden,
			"http://0.0.0.0:4096":                 protocol.CodeForbidden,
			"http://0x7f000001:4096":              protocol.CodeForbidden,
			"http://2130706433":                   protocol.CodeForbidden,
			"http://[::ffff:127.0.0.1]:1":         protocol.CodeForbidden,
			"http://[fe80::1%25lo]:1":             protocol.CodeForbidden,
			"http://169.254.169.254/latest":       protocol.CodeForbidden,
			"http://me:pw@127.0.0.1:4096":         protocol.CodeInvalidRequest,
			"http://me@127.0.0.1:4096":            protocol.CodeInvalidRequest,
			"http://@127.0.0.1:4096":              protocol.CodeInvalidRequest,
			"ftp://127.0.0.1":                     protocol.CodeInvalidRequest,
			"file:///etc/passwd":                  protocol.CodeInvalidRequest,
			"HTTP://127.0.0.1":                    protocol.CodeInvalidRequest,
			"127.0.0.1:4096":                      protocol.CodeInvalidRequest,
			"//127.0.0.1:4096":                    protocol.CodeInvalidRequest,
			"http:127.0.0.1:4096":                 protocol.CodeInvalidRequest,
			"http://":                             protocol.CodeInvalidRequest,
			"":                                    protocol.CodeInvalidRequest,
			"http://127.0.0.1:":                   protocol.CodeInvalidRequest,
			"http://127.0.0.1:0":                  protocol.CodeInvalidRequest,
			"http://127.0.0.1:080":                protocol.CodeInvalidRequest,
			"http://127.0.0.1:65536":              protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096?x=1":           protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096?":              protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096#x":             protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096/a/../b":        protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096/a//b":          protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096/%2e%2e":        protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096/%2fx":          protocol.CodeInvalidRequest,
			`http://127.0.0.1:4096\@evil`:         protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096/ x":            protocol.CodeInvalidRequest,
			"http://127.0.0.1:4096/\nx":           protocol.CodeInvalidRequest,
			"http://ⓛocalhost":                    protocol.CodeInvalidRequest,
			"http://" + strings.Repeat("a", 3000): protocol.CodeInvalidRequest,
		} {
			d.endpoint(attached(url), want)
		}
		for url, want := range map[string]protocol.Code{
			"unix:///run/agent.sock":              "",
			"unix://run/agent.sock":               protocol.CodeInvalidRequest,
			"unix:/run/agent.sock":                protocol.CodeInvalidRequest,
			"unix:///":                            protocol.CodeInvalidRequest,
			"unix:///run/../etc/x.sock":           protocol.CodeInvalidRequest,
			"unix:///run/agent.sock?x":            protocol.CodeInvalidRequest,
			"unix:///run/%61gent.sock":            protocol.CodeInvalidRequest,
			"unix:///" + strings.Repeat("a", 103): protocol.CodeInvalidRequest,
			"unix:///run/agent\x00.sock":          protocol.CodeInvalidRequest,
		} {
			n := attached(url)
			n.Endpoint.Username, n.Endpoint.Password = "", ""
			d.endpoint(n, want)
		}
		long := attached("http://127.0.0.1:1")
		long.Endpoint.Password = strings.Repeat("x", 1025)
		d.endpoint(long, protocol.CodeInvalidRequest)
		long.Endpoint.Password = "a\nb"
		d.endpoint(long, protocol.CodeInvalidRequest)
		other := attached("http://127.0.0.1:1")
		other.Agent = "scripted"
		d.endpoint(other, protocol.CodeNotSupported)
	})
}

// endpoint tries to create a session and ends it again.
func (d *daemon) endpoint(n supervisor.NewSession, want protocol.Code) {
	d.t.Helper()
	n.Cwd = d.root
	s, err := d.Create(d.t.Context(), n)
	if code(err) != want || (err == nil) != (want == "") {
		d.t.Errorf("%q: %v, want %q", n.Endpoint.URL, err, want)
	}
	if err == nil {
		if err := d.Delete(d.t.Context(), s.ID); err != nil {
			d.t.Error(err)
		}
	}
}

// TestNativeSession: a session can go on with one that the agent has already, unless another one does.
func TestNativeSession(t *testing.T) {
	family(t, nil, func(d *daemon, servers *servers) {
		first := d.member().ID
		d.until(first, d.prompt(first, "remember me").Cursor.Seq, protocol.TypeTurnEnd)
		n := supervisor.NewSession{Agent: "hub", Cwd: d.root, NativeSessionID: d.look(first).NativeSessionID}
		if _, err := d.Create(d.t.Context(), n); code(err) != protocol.CodeConflict {
			d.t.Errorf("two sessions on one: %v", err)
		}
		if _, err := session.Ask(d.t.Context(), d.find(first), &session.End{}); err != nil {
			d.t.Fatal(err)
		}
		second, err := d.Create(d.t.Context(), n)
		if err != nil {
			d.t.Fatal(err)
		}
		d.until(second.ID, d.prompt(second.ID, "go on").Cursor.Seq, protocol.TypeTurnEnd)
		servers.mu.Lock()
		if spec := servers.specs[1]; !spec.Resume || spec.NativeSessionID != n.NativeSessionID || spec.SessionID != second.ID {
			d.t.Errorf("spec %+v", spec)
		}
		servers.mu.Unlock()
		for _, bad := range []string{"../../etc/passwd", "..", "-x", "a b", strings.Repeat("x", 257), "a\n"} {
			n.NativeSessionID = bad
			if _, err := d.Create(d.t.Context(), n); code(err) != protocol.CodeInvalidRequest {
				d.t.Errorf("%q: %v", bad, err)
			}
		}
	})
}
