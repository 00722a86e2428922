package endpoint

import (
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// FuzzEndpoint: whatever a client gives as the endpoint of an agent, what passes is on this machine or allowed, by the standard library's
// own reading of it, and names nothing but a place (promise 14.5).
func FuzzEndpoint(f *testing.F) {
	allowed := []string{"agents.example", "box.example:4096"}
	for _, u := range []string{
		"http://127.0.0.1:4096", "https://localhost", "ws://[::1]:1/", "wss://agents.example/path", "http://box.example:4096", "http://box.example:80",
		"unix:///run/agent.sock", "unix://run/agent.sock", "unix:///a/../b", `unix:///\`, "http://127.0.0.1@evil.example", "http://127.0.0.1:80\\@evil.example", "http://2130706433/",
		"http://0x7f.1", "http://127.1", "http://[::ffff:10.0.0.1]", "http://[fe80::1%25eth0]", "http://169.254.169.254", "http://localhost.", "http://LOCALHOST:080",
		"http:/127.0.0.1", "http:127.0.0.1", "file:///etc/passwd", "http://127.0.0.1/%2e%2e/", "http://127.0.0.1?x", "http://127.0.0.1#", "http://127.0.0.1:0", "http://::1",
	} {
		f.Add(u, "", "")
	}
	f.Add("http://127.0.0.1", "user", "pass\nword")
	f.Fuzz(func(t *testing.T, text, user, password string) {
		if Check(&adapters.Endpoint{URL: text, Username: user, Password: password}, allowed) != nil {
			return
		}
		if strings.ContainsAny(user+password, "\r\n\x00") {
			t.Fatalf("user %q, password %q pass", user, password)
		}
		u, err := url.Parse(text)
		if err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(text, "\r\n \\") {
			t.Fatalf("%q passes: %+v, %v", text, u, err)
		}
		if u.Scheme == "unix" {
			if path := strings.TrimPrefix(text, "unix://"); u.Host != "" || !filepath.IsAbs(path) || filepath.Clean(path) != path || user+password != "" {
				t.Fatalf("socket %q passes", text)
			}
			return
		}
		ip := net.ParseIP(u.Hostname())
		here := strings.EqualFold(u.Hostname(), "localhost") || ip != nil && ip.IsLoopback()
		known := strings.EqualFold(u.Hostname(), allowed[0]) || strings.EqualFold(u.Host, allowed[1])
		if !slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) || !here && !known {
			t.Fatalf("%q passes: host %q", text, u.Host)
		}
	})
}
