package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
)

// TestEndpoint: the flags come to the daemon, which judges what may be attached to.
func TestEndpoint(t *testing.T) {
	b := newBench(t).daemon()
	for _, c := range []struct{ url, want string }{
		{"http://192.0.2.1:4096", "not on this machine"},
		{"127.0.0.1:4096", "no URL of the form"},
	} {
		r := b.run([]string{"new", "--agent", "opencode", "--cwd", b.root, "--endpoint", c.url})
		if r.code == 0 || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: %d %s", c.url, r.code, r.err)
		}
	}
	if r := b.run([]string{"new", "--agent", "opencode", "--endpoint-user", "ann"}); r.code != 2 || !strings.Contains(r.err, "--endpoint") {
		t.Errorf("a user of no endpoint: %d %s", r.code, r.err)
	}
}

// TestEndpointPassword is read from its file.
func TestEndpointPassword(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := endpointFlags{url: "ws://localhost:1", user: "ann", passwordFile: file}
	if got, err := flags.endpoint(); err != nil || *got != (client.Endpoint{URL: "ws://localhost:1", Username: "ann", Password: "s3cret"}) {
		t.Errorf("%+v, %v", got, err)
	}
	flags.passwordFile += ".none"
	if _, err := flags.endpoint(); err == nil {
		t.Error("a file that is not there")
	}
}
