// Package endpoint says where an agent that runs already may be: on this machine, and at hosts that the daemon allows.
package endpoint

import (
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// schemes are those of endpoints that are reached over TCP.
var schemes = []string{"http", "https", "ws", "wss"}

// Bounds of what a client gives of an endpoint, in bytes. A socket's path is bounded by what the systems have in common.
const (
	maxEndpointURL  = 2048
	maxEndpointWord = 1024
	maxSocketPath   = 103
)

// Check refuses endpoints beyond this machine and the allowed hosts: whoever may create sessions must not reach the
// daemon's network with it. allowed are HOST or HOST:PORT.
func Check(e *adapters.Endpoint, allowed []string) error {
	for _, word := range []string{e.Username, e.Password} {
		if len(word) > maxEndpointWord || strings.ContainsFunc(word, unicode.IsControl) {
			return bad("The user name or password of the endpoint is too long or has control characters.", "At most 1024 bytes each.")
		}
	}
	if len(e.URL) > maxEndpointURL || strings.ContainsFunc(e.URL, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return bad("The endpoint's URL is too long or has characters that a URL has not.", "Percent-encode what is no ASCII.")
	}
	if path, ok := strings.CutPrefix(e.URL, "unix://"); ok {
		return checkSocket(e, path)
	}
	u, err := url.Parse(e.URL)
	switch {
	case err != nil || u.Opaque != "" || u.Host == "" || !slices.Contains(schemes, u.Scheme) || !strings.HasPrefix(e.URL, u.Scheme+"://"):
		return bad("The endpoint is no URL of the form http://HOST:PORT, https://…, ws://…, wss://… or unix:///PATH.", "Name where the agent listens.")
	case u.User != nil:
		return bad("The endpoint's URL holds a user name or password.", "Give them as username and password.")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(e.URL, "#"):
		return bad("The endpoint's URL has a query or a fragment.", "Leave them out.")
	case strings.ContainsAny(e.URL, `\`) || u.RawPath != "" || u.Path != "" && u.Path != "/" && filepath.Clean(u.Path) != strings.TrimSuffix(u.Path, "/"):
		return bad("The endpoint's path is not in its plain form.", "Leave out dots, doubled slashes and encoded ones.")
	}
	host, port := u.Hostname(), u.Port()
	if n, err := strconv.ParseUint(port, 10, 16); strings.HasSuffix(u.Host, ":") || port != "" && (err != nil || n == 0 || strconv.FormatUint(n, 10) != port) {
		return bad("The endpoint's port is no number from 1 to 65535.", "Write it without leading zeros.")
	}
	if loopback(host) || slices.ContainsFunc(allowed, func(a string) bool {
		return strings.EqualFold(a, host) || port != "" && strings.EqualFold(a, u.Host)
	}) {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeForbidden, Detail: "The endpoint is not on this machine, and its host is not allowed.",
		Hint: "Start the daemon with --attach-host for the host.",
	}
}

// loopback says that a host is this machine, whatever a name server says.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Zone() == "" && !ip.Is4In6() && ip.IsLoopback()
}

func checkSocket(e *adapters.Endpoint, path string) error {
	switch {
	case !filepath.IsAbs(path) || filepath.Clean(path) != path || strings.ContainsAny(path, `%?#\`) || path == "/":
		return bad("The endpoint's socket is no absolute path in its plain form.", "Write it unix:///run/agent.sock.")
	case len(path) > maxSocketPath:
		return bad(fmt.Sprintf("The path of the endpoint's socket has more than %d bytes.", maxSocketPath), "Name a shorter one.")
	case e.Username != "" || e.Password != "":
		return bad("An endpoint that is a socket takes no user name and password.", "Leave them out.")
	}
	return nil
}

func bad(detail, hint string) error {
	return &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: detail, Hint: hint}
}
