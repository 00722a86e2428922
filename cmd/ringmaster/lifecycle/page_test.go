package lifecycle

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// TestPage: a browser reaches a daemon by its address, which the command line or the data folder has.
//
// Proves: I13.9/command
func TestPage(t *testing.T) {
	for name, row := range map[string]struct {
		flag   string
		listen datafolder.Address
		want   string // what is there, or what the error says
	}{
		"as the folder says":   {"", datafolder.Address{HTTP: "http://127.0.0.1:7433", Socket: "/s"}, "http://127.0.0.1:7433"},
		"over TLS":             {"", datafolder.Address{HTTP: "https://127.0.0.1:7433"}, "https://127.0.0.1:7433"},
		"the socket alone":     {"", datafolder.Address{Socket: "/s"}, "unix socket alone"},
		"a URL":                {"https://daemon.example:7433/", datafolder.Address{HTTP: "http://127.0.0.1:1"}, "https://daemon.example:7433"},
		"a host and a port":    {"127.0.0.1:7433", datafolder.Address{HTTP: "http://127.0.0.1:1"}, "http://127.0.0.1:7433"},
		"a socket":             {"/run/ringmaster.sock", datafolder.Address{HTTP: "http://127.0.0.1:1"}, "no browser reaches a unix socket"},
		"a socket by its name": {"unix:s", datafolder.Address{HTTP: "http://127.0.0.1:1"}, "no browser reaches a unix socket"},
	} {
		folder, err := datafolder.At(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := folder.WriteAddress(row.listen); err != nil {
			t.Fatal(err)
		}
		got, err := (&Target{Data: folder.Path, Address: row.flag}).Page()
		if err != nil {
			got = err.Error()
		}
		if (err == nil) != strings.HasPrefix(row.want, "http") || !strings.Contains(got, row.want) || err == nil && got != row.want {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
}
