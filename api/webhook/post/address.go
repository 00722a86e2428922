package post

import (
	"fmt"
	"net/netip"
	"strings"
)

// Bounds of the networks that an entry of the list names: a whole that is larger would name everything that this machine reaches.
const (
	maxNetworks = 16
	leastBits4  = 8
	leastBits6  = 7
)

// networks reads the addresses and networks at which the host of an entry is.
func networks(host string, list []string) (at []netip.Prefix, err error) {
	if _, err := netip.ParseAddr(host); len(list) > 0 && (err == nil || strings.EqualFold(host, "localhost")) {
		return nil, fmt.Errorf("its host says already at which address it is: leave the addresses out")
	}
	if len(list) > maxNetworks {
		return nil, fmt.Errorf("it names more than %d addresses", maxNetworks)
	}
	for _, text := range list {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			var ip netip.Addr
			if ip, err = netip.ParseAddr(text); err == nil && ip.Zone() == "" {
				p, err = ip.Prefix(ip.BitLen())
			}
		}
		least := leastBits6
		if p.Addr().Is4() {
			least = leastBits4
		}
		switch {
		case err != nil || !p.IsValid() || p.Addr().Is4In6():
			return nil, fmt.Errorf("%q is no address and no network, as in https://hooks.example.org/ 10.1.2.3 or https://hooks.example.org/ 10.1.0.0/16", text)
		case p.Bits() < least || p.Addr().IsMulticast():
			return nil, fmt.Errorf("the network %q is too large, or has no hosts", text)
		}
		at = append(at, p.Masked())
	}
	return at, nil
}

// Reaches says whether the daemon may connect to an address that a host has. Where entries of the list name addresses of this host and port, only these are
// reached, whatever a name server says; where one names none, so are public ones.
func (a *Allow) Reaches(host, on string, ip netip.Addr) bool {
	for _, e := range a.list() {
		if !strings.EqualFold(e.Hostname(), host) || port(e.URL) != on {
			continue
		}
		if len(e.at) == 0 && reachable(host, ip) {
			return true
		}
		for _, p := range e.at {
			if ip.Zone() == "" && p.Contains(ip.Unmap()) {
				return true
			}
		}
	}
	return false
}

// closed are the addresses behind which a network of its own may be, or this machine, besides those that package netip names.
var closed = func() (list []netip.Prefix) {
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
	} {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}()

// reachable says whether the daemon may connect to an address that a host has: a public one, or the very one that the URL names, which the operator has
// allowed.
func reachable(host string, ip netip.Addr) bool {
	if ip.Zone() != "" {
		return false
	}
	ip = ip.Unmap()
	if named, err := netip.ParseAddr(host); err == nil {
		return named.Unmap() == ip
	}
	if strings.EqualFold(host, "localhost") {
		return ip.IsLoopback()
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() {
		return false
	}
	for _, p := range closed {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}
