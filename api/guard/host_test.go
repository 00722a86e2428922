package guard

import (
	"net/http"
	"net/netip"
	"net/url"
	"testing"
)

// TestHosts is the table of spellings: only a name that cannot have been rebound passes.
func TestHosts(t *testing.T) {
	g := &Guard{hosts: []string{"ringmaster.example", "named:8080"}}
	for host, want := range map[string]bool{
		"127.0.0.1:7777": true, "localhost:7777": true, "LOCALHOST:7777": true, "LocalHost:7777": true, "[::1]:7777": true,
		"127.0.0.2:7777": true, "[0:0:0:0:0:0:0:1]:7777": true, "ringmaster.example": true, "RINGMASTER.example": true, "named:8080": true,
		"": false, ":7777": false, "127.0.0.1": false, "localhost": false, "[::1]": false, "::1": false, "::1:7777": false,
		"127.0.0.1:7778": false, "127.0.0.1:07777": false, "127.0.0.1:+7777": false, "127.0.0.1:7777 ": false, " 127.0.0.1:7777": false,
		"127.0.0.1:": false, "127.0.0.1:7777:7777": false, "127.0.0.1.:7777": false, "localhost.:7777": false, "localhost:7777.": false,
		"evil.example:7777": false, "evil.example": false, "localhost.evil.example:7777": false, "127.0.0.1.evil.example:7777": false,
		"evil@127.0.0.1:7777": false, "127.1:7777": false, "0177.0.0.1:7777": false, "2130706433:7777": false, "0x7f.0.0.1:7777": false,
		"0.0.0.0:7777": false, "[::]:7777": false, "[::ffff:127.0.0.1]:7777": false, "[::1%25lo]:7777": false, "[127.0.0.1]:7777": false,
		"[::1]7777": false, "[::1": false, "192.168.1.5:7777": false, "ringmaster.example:7777": false, "named": false, "127.0.0.1:65536": false,
		"127.0.0.1:0": false, "127.0.0.1,evil.example:7777": false, "127.0.0.1\x00:7777": false, "loc\u0430lhost:7777": false,
	} {
		r := &http.Request{Host: host, URL: &url.URL{Path: "/"}}
		if got := g.hostAllowed(r, Connection{Local: netip.MustParseAddrPort("127.0.0.1:7777")}); got != want {
			t.Errorf("host %q: allowed %v", host, got)
		}
	}
	r := &http.Request{Host: "192.168.1.5:7777", URL: &url.URL{Path: "/"}}
	if !g.hostAllowed(r, Connection{Local: netip.MustParseAddrPort("192.168.1.5:7777")}) {
		t.Error("the address that the connection came in on is refused")
	}
	for host, want := range map[string]bool{"localhost": true, "localhost:80": false, "evil.example": false, "": false} {
		r := &http.Request{Host: host, URL: &url.URL{Path: "/"}}
		if got := g.hostAllowed(r, Connection{Unix: true}); got != want {
			t.Errorf("host %q on a unix socket: allowed %v", host, got)
		}
	}
	for port, secure := range map[string]bool{"80": false, "443": true} {
		r := &http.Request{Host: "127.0.0.1", URL: &url.URL{Path: "/"}}
		if !g.hostAllowed(r, Connection{Local: netip.MustParseAddrPort("127.0.0.1:" + port), TLS: secure}) {
			t.Errorf("the default port %s is refused when left out", port)
		}
	}
}
