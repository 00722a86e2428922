package settings

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon/peering"
)

// TestPeerFlags: a node says an address at which others can reach it, or why it has none.
//
// Proves: I16.7/settings
func TestPeerFlags(t *testing.T) {
	core := daemon.Core{URL: "postgres://localhost/d"}
	for name, c := range map[string]struct {
		flags peerFlags
		core  daemon.Core
		want  string // of the error; empty: none
	}{
		"none":                      {peerFlags{}, core, ""},
		"none, without Core":        {peerFlags{}, daemon.Core{}, ""},
		"an address":                {peerFlags{"10.0.0.5:7434", ""}, core, ""},
		"a free port":               {peerFlags{"127.0.0.1:0", ""}, core, ""},
		"another address":           {peerFlags{"0.0.0.0:7434", "node-1.example.org:17434"}, core, ""},
		"IPv6":                      {peerFlags{"[::]:7434", "[2001:db8::1]:7434"}, core, ""},
		"without Core":              {peerFlags{"10.0.0.5:7434", ""}, daemon.Core{}, "there is no --core"},
		"an address alone":          {peerFlags{"", "a:1"}, core, "there is no --peer-listen"},
		"every network":             {peerFlags{"0.0.0.0:7434", ""}, core, "every network"},
		"every network, IPv6":       {peerFlags{"[::]:7434", ""}, core, "every network"},
		"no host":                   {peerFlags{":7434", ""}, core, "want HOST:PORT"},
		"no port":                   {peerFlags{"10.0.0.5", ""}, core, "want HOST:PORT"},
		"a wrong port":              {peerFlags{"10.0.0.5:070", ""}, core, "want HOST:PORT"},
		"others reach no port":      {peerFlags{"0.0.0.0:1", "a:0"}, core, "at which others reach"},
		"others reach no host":      {peerFlags{"0.0.0.0:1", ":1"}, core, "at which others reach"},
		"others reach all networks": {peerFlags{"0.0.0.0:1", "0.0.0.0:1"}, core, "at which others reach"},
	} {
		at, err := c.flags.peers(c.core)
		switch {
		case c.want == "" && (err != nil || at != peering.At{Listen: c.flags.listen, Address: c.flags.address}):
			t.Errorf("%s: %+v, %v", name, at, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %+v, %v, want %q", name, at, err, c.want)
		}
	}
}
