package command

import (
	"strings"
	"testing"
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
