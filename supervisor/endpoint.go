package supervisor

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

// checkEndpoint refuses endpoints beyond this machine and the allowed hosts: whoever may create sessions must not reach the
// daemon's network with it. allowed are HOST or HOST:PORT.
func checkEndpoint(e *adapters.Endpoint, allowed []string) error {
	for _, word := range []string{e.Username, e.Password} {
		if len(word) > maxEndpointWord || strings.ContainsFunc(word, unicode.IsControl) {
			return badEndpoint("The user name or password of the endpoint is too long or has control characters.", "At most 1024 bytes each.")
		}
	}
	if len(e.URL) > maxEndpointURL || strings.ContainsFunc(e.URL, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return badEndpoint("The endpoint's URL is too long or has characters that a URL has not.", "Percent-encode what is no ASCII.")
	}
	if path, ok := strings.CutPrefix(e.URL, "unix://"); ok {
		return checkSocket(e, path)
	}
	u, err := url.Parse(e.URL)
	switch {
	case err != nil || u.Opaque != "" || u.Host == "" || !slices.Contains(schemes, u.Scheme) || !strings.HasPrefix(e.URL, u.Scheme+"://"):
		return badEndpoint("The endpoint is no URL of the form http://HOST:PORT, https://…, ws://…, wss://… or unix:///PATH.", "Name where the agent listens.")
	case u.User != nil:
		return badEndpoint("The endpoint's URL holds a user name or password.", "Give them as username and password.")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(e.URL, "#"):
		return badEndpoint("The endpoint's URL has a query or a fragment.", "Leave them out.")
	case strings.ContainsAny(e.URL, `\`) || u.RawPath != "" || u.Path != "" && u.Path != "/" && filepath.Clean(u.Path) != strings.TrimSuffix(u.Path, "/"):
		return badEndpoint("The endpoint's path is not in its plain form.", "Leave out dots, doubled slashes and encoded ones.")
	}
	host, port := u.Hostname(), u.Port()
	if n, err := strconv.ParseUint(port, 10, 16); strings.HasSuffix(u.Host, ":") || port != "" && (err != nil || n == 0 || strconv.FormatUint(n, 10) != port) {
		return badEndpoint("The endpoint's port is no number from 1 to 65535.", "Write it without leading zeros.")
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
		return badEndpoint("The endpoint's socket is no absolute path in its plain form.", "Write it unix:///run/agent.sock.")
	case len(path) > maxSocketPath:
		return badEndpoint(fmt.Sprintf("The path of the endpoint's socket has more than %d bytes.", maxSocketPath), "Name a shorter one.")
	case e.Username != "" || e.Password != "":
		return badEndpoint("An endpoint that is a socket takes no user name and password.", "Leave them out.")
	}
	return nil
}

func badEndpoint(detail, hint string) error {
	return &protocol.Problem{Code: protocol.CodeInvalidRequest, Detail: detail, Hint: hint}
}

// checkAttach refuses what the agent cannot: to be attached to, to go on with a session of its own, and two sessions on one.
func (s *state) checkAttach(n *NewSession) error {
	a := s.agents[n.Agent]
	capabilities := a.agent.Capabilities()
	if n.Endpoint != nil {
		if !capabilities.Attach {
			return &protocol.Problem{
				Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " cannot be attached to.",
				Hint: "Leave out endpoint: the daemon starts the agent.",
			}
		}
		if err := checkEndpoint(n.Endpoint, s.cfg.AttachHosts); err != nil {
			return err
		}
	}
	if n.NativeSessionID == "" {
		return nil
	}
	if !capabilities.Resume {
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " cannot go on with a session of its own.",
			Hint: "Leave out " + protocol.TermNativeSessionID + ".",
		}
	}
	if len(n.NativeSessionID) > 256 || strings.HasPrefix(n.NativeSessionID, "-") || strings.ContainsFunc(n.NativeSessionID, notInNativeID) ||
		strings.Trim(n.NativeSessionID, ".") == "" {
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "This is no id of an agent's session.",
			Hint: "At most 256 letters, digits, and . _ : -; a hyphen does not begin it, and it is more than dots.",
		}
	}
	for _, x := range s.kin.native[nativeKey{n.Agent, n.NativeSessionID}] {
		if !x.summary.Status.State.Ended() && len(x.deleting) == 0 {
			which := ""
			if n.Owner == "" || n.Owner == x.summary.Owner { // others' sessions are not to be told of
				which = ": " + x.summary.ID
			}
			return &protocol.Problem{
				Code: protocol.CodeConflict, Detail: "Another session works with this session of the agent" + which + ".",
				Hint: "Use that one, or end it first.",
			}
		}
	}
	return nil
}

// notInNativeID keeps ids from being taken for paths or options.
func notInNativeID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._:-", r)
}
