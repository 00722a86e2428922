package post

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestAllow: a URL has to be on the list, in its plain form, and on this machine where it has no TLS.
//
// Proves: I13.10/allow
func TestAllow(t *testing.T) {
	a := new(Allow)
	if err := a.Check("https://hooks.example.org/"); code(err) != protocol.CodeForbidden {
		t.Errorf("an empty list: %v", err)
	}
	list := []string{"https://hooks.example.org/in/", "https://other.example.org:8443", "http://127.0.0.1:9000/x", "http://localhost:9000", "http://[::1]:9000"}
	if err := a.Set(list); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]protocol.Code{
		"https://hooks.example.org/in/":                               "",
		"https://hooks.example.org/in":                                "",
		"https://HOOKS.example.org:443/in/a?k=v":                      "",
		"https://hooks.example.org/inside":                            protocol.CodeForbidden,
		"https://hooks.example.org/":                                  protocol.CodeForbidden,
		"https://hooks.example.org:444/in/":                           protocol.CodeForbidden,
		"https://hooks.example.org.evil.net/in/":                      protocol.CodeForbidden,
		"https://other.example.org:8443/any":                          "",
		"https://other.example.org/any":                               protocol.CodeForbidden,
		"http://127.0.0.1:9000/x/y":                                   "",
		"http://127.0.0.1:9000/":                                      protocol.CodeForbidden,
		"http://127.1:9000/x":                                         protocol.CodeInvalidRequest,
		"http://localhost:9000/":                                      "",
		"http://[::1]:9000/":                                          "",
		"https://127.0.0.1:9000/x":                                    protocol.CodeForbidden,
		"http://hooks.example.org/in/":                                protocol.CodeInvalidRequest,
		"https://u:p@hooks.example.org/in/":                           protocol.CodeInvalidRequest,
		"https://hooks.example.org@evil.net/in/":                      protocol.CodeInvalidRequest,
		"https://hooks.example.org/in/../out":                         protocol.CodeInvalidRequest,
		"https://hooks.example.org/in/%2e%2e/x":                       protocol.CodeInvalidRequest,
		"https://hooks.example.org/in//x":                             protocol.CodeInvalidRequest,
		"https://hooks.example.org/in/%2fx":                           protocol.CodeInvalidRequest,
		"https://hooks.example.org\\@evil.net/":                       protocol.CodeInvalidRequest,
		"https://hooks.example.org/in/#f":                             protocol.CodeInvalidRequest,
		"https://hooks.example.org:/in/":                              protocol.CodeInvalidRequest,
		"https://hooks.example.org:0443/in/":                          protocol.CodeInvalidRequest,
		"https:hooks.example.org/in/":                                 protocol.CodeInvalidRequest,
		"//hooks.example.org/in/":                                     protocol.CodeInvalidRequest,
		"ftp://hooks.example.org/in/":                                 protocol.CodeInvalidRequest,
		"file:///etc/passwd":                                          protocol.CodeInvalidRequest,
		"https://hooks.example.org/in/ x":                             protocol.CodeInvalidRequest,
		"https:///in/":                                                protocol.CodeInvalidRequest,
		"":                                                            protocol.CodeInvalidRequest,
		"https://hooks.example.org/in/" + strings.Repeat("a", maxURL): protocol.CodeInvalidRequest,
	} {
		if got := code(a.Check(url)); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	for _, bad := range []string{
		"hooks.example.org", "http://hooks.example.org/", "https://hooks.example.org/?x", "https://u@hooks.example.org/", "https://hooks.example.org/a/../b",
		"", " ", "https://hooks.example.org/ next", "https://hooks.example.org/ 10.0.0.0/33", "https://hooks.example.org/ 0.0.0.0/0", "https://hooks.example.org/ ::/0", "https://hooks.example.org/ fe80::1%eth0",
		"https://hooks.example.org/ 224.0.0.1", "https://hooks.example.org/ ::ffff:10.0.0.0/104", "https://10.0.0.1/ 10.0.0.1", "https://localhost/ 127.0.0.1", "https://hooks.example.org/" + strings.Repeat(" 10.0.0.1", 17),
	} {
		if a.Set([]string{bad}) == nil {
			t.Errorf("%s is an entry of the list", bad)
		}
	}
	if a.Check(list[0]) != nil {
		t.Error("a list that was refused has changed something")
	}
}

func code(err error) protocol.Code {
	var p *protocol.Problem
	if errors.As(err, &p) && p.Hint != "" {
		return p.Code
	}
	return ""
}

// TestReaches: where an entry of the list names the addresses of its host, these are reached and no others.
//
// Proves: I13.10/addresses
func TestReaches(t *testing.T) {
	a := new(Allow)
	if err := a.Set([]string{"https://hooks.lan/in 10.1.0.0/16 fd12::/16 127.0.0.1", "https://both.lan/", "https://both.lan/private 10.0.0.7", "https://hooks.example.org/"}); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		host, on, ip string
		want         bool
	}{
		{"hooks.lan", "443", "10.1.2.3", true},
		{"HOOKS.lan", "443", "::ffff:10.1.2.3", true},
		{"hooks.lan", "443", "fd12::1", true},
		{"hooks.lan", "443", "127.0.0.1", true},
		{"hooks.lan", "443", "10.2.0.1", false},
		{"hooks.lan", "443", "fd12::1%eth0", false},
		{"hooks.lan", "443", "169.254.169.254", false},
		{"hooks.lan", "443", "93.184.216.34", false},
		{"hooks.lan", "8443", "10.1.2.3", false},
		{"both.lan", "443", "10.0.0.7", true},
		{"both.lan", "443", "93.184.216.34", true},
		{"both.lan", "443", "10.0.0.8", false},
		{"hooks.example.org", "443", "10.1.2.3", false},
		{"unknown.lan", "443", "93.184.216.34", false},
	} {
		if got := a.Reaches(row.host, row.on, netip.MustParseAddr(row.ip)); got != row.want {
			t.Errorf("%s:%s at %s: %v", row.host, row.on, row.ip, got)
		}
	}
}

// TestReachable: behind a name no address of a network of its own is reached, in no form; an address that the URL names is.
//
// Proves: I13.10/addresses
func TestReachable(t *testing.T) {
	for _, row := range []struct {
		host, ip string
		want     bool
	}{
		{"hooks.example.org", "93.184.216.34", true},
		{"hooks.example.org", "2606:2800:220:1::1", true},
		{"hooks.example.org", "127.0.0.1", false},
		{"hooks.example.org", "127.8.9.1", false},
		{"hooks.example.org", "0.0.0.0", false},
		{"hooks.example.org", "0.1.2.3", false},
		{"hooks.example.org", "10.0.0.1", false},
		{"hooks.example.org", "172.16.3.4", false},
		{"hooks.example.org", "192.168.1.1", false},
		{"hooks.example.org", "169.254.169.254", false},
		{"hooks.example.org", "100.64.0.1", false},
		{"hooks.example.org", "192.0.0.192", false},
		{"hooks.example.org", "198.18.0.1", false},
		{"hooks.example.org", "203.0.113.5", false},
		{"hooks.example.org", "224.0.0.1", false},
		{"hooks.example.org", "240.0.0.1", false},
		{"hooks.example.org", "255.255.255.255", false},
		{"hooks.example.org", "::", false},
		{"hooks.example.org", "::1", false},
		{"hooks.example.org", "::127.0.0.1", false},
		{"hooks.example.org", "::ffff:127.0.0.1", false},
		{"hooks.example.org", "::ffff:10.0.0.1", false},
		{"hooks.example.org", "64:ff9b::7f00:1", false},
		{"hooks.example.org", "2002:7f00:1::1", false},
		{"hooks.example.org", "2001:0:1::1", false},
		{"hooks.example.org", "fe80::1", false},
		{"hooks.example.org", "fe80::1%eth0", false},
		{"hooks.example.org", "fc00::1", false},
		{"hooks.example.org", "fd12::1", false},
		{"hooks.example.org", "fec0::1", false},
		{"hooks.example.org", "ff02::1", false},
		{"hooks.example.org", "2001:db8::1", false},
		{"localhost", "127.0.0.1", true},
		{"LOCALHOST", "::1", true},
		{"localhost", "10.0.0.1", false},
		{"localhost", "93.184.216.34", false},
		{"10.0.0.7", "10.0.0.7", true},
		{"10.0.0.7", "10.0.0.8", false},
		{"::1", "::1", true},
		{"::ffff:127.0.0.1", "127.0.0.1", true},
	} {
		if got := reachable(row.host, netip.MustParseAddr(row.ip)); got != row.want {
			t.Errorf("%s at %s: %v", row.host, row.ip, got)
		}
	}
}
