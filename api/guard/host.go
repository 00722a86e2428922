package guard

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// hostAllowed compares the Host header with the names that this daemon has. A page whose own name was made to point at this
// machine (DNS rebinding) would send that name. An absolute request target would override the header in net/http, and is refused.
func (g *Guard) hostAllowed(r *http.Request, c Connection) bool {
	if c.As != nil { // it has no name that somebody could have rebound: the peer has named the node that it means
		return true
	}
	if r.URL.Host != "" || r.URL.Scheme != "" || r.URL.Opaque != "" {
		return false
	}
	if slices.ContainsFunc(g.hosts, func(h string) bool { return strings.EqualFold(h, r.Host) }) {
		return true
	}
	name, port, ok := splitHost(r.Host)
	if !ok {
		return false
	}
	if c.Unix {
		return port == "" && strings.EqualFold(name, "localhost")
	}
	if port == "" {
		port = "80"
		if c.TLS {
			port = "443"
		}
	}
	if !c.Local.IsValid() || port != strconv.Itoa(int(c.Local.Port())) {
		return false
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Zone() == "" && !ip.Is4In6() && (ip.IsLoopback() || ip == c.Local.Addr().Unmap())
}

// splitHost takes "name", "name:port", "[v6]" and "[v6]:port" apart, and nothing else.
func splitHost(host string) (name, port string, ok bool) {
	if strings.HasPrefix(host, "[") {
		in, rest, found := strings.Cut(host[1:], "]")
		if !found || !strings.Contains(in, ":") {
			return "", "", false
		}
		name, host = in, rest
		if host == "" {
			return name, "", true
		}
		if host[0] != ':' {
			return "", "", false
		}
		port = host[1:]
	} else {
		var has bool
		if name, port, has = strings.Cut(host, ":"); !has {
			return name, "", name != ""
		}
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return name, port, name != "" && err == nil && n > 0 && strconv.FormatUint(n, 10) == port
}
