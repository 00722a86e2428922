package settings

import (
	"net"
	"net/netip"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon/peering"
	"github.com/spf13/pflag"
)

// peerFlags say where other nodes on the same Core reach this one.
type peerFlags struct{ listen, address string }

func (p *peerFlags) addTo(f *pflag.FlagSet) {
	f.StringVar(&p.listen, "peer-listen", "",
		"with --core: HOST:PORT for other nodes, which pass on what their clients ask of sessions here; port 0 takes a free one")
	f.StringVar(&p.address, "peer-address", "", "HOST:PORT at which other nodes reach --peer-listen, where that is another address")
}

// peers checks them; the zero value: other nodes ask for nothing here.
func (p *peerFlags) peers(core daemon.Core) (peering.At, error) {
	switch {
	case p.listen == "" && p.address != "":
		return peering.At{}, &Problem{"--peer-address", "there is no --peer-listen", "name the address to listen on with --peer-listen HOST:PORT"}
	case p.listen == "":
		return peering.At{}, nil
	case !core.IsSet():
		return peering.At{}, &Problem{"--peer-listen", "there is no --core", "name the database with --core postgres://USER@HOST/DATABASE"}
	}
	host, port, err := net.SplitHostPort(p.listen)
	if err != nil || host == "" || !isPort(port, true) {
		return peering.At{}, &Problem{
			"--peer-listen " + p.listen, "want HOST:PORT", "such as 10.0.0.5:7434; 0.0.0.0:7434, with --peer-address, is every network of this machine",
		}
	}
	ip, err := netip.ParseAddr(host)
	isEvery := err == nil && ip.IsUnspecified()
	switch {
	case p.address == "" && isEvery:
		return peering.At{}, &Problem{
			"--peer-listen " + p.listen, "other nodes cannot be told that address: it is every network of this machine",
			"name the address at which they reach this machine with --peer-address HOST:PORT",
		}
	case p.address == "":
		return peering.At{Listen: p.listen}, nil
	}
	host, port, err = net.SplitHostPort(p.address)
	ip, notIP := netip.ParseAddr(host)
	if err != nil || host == "" || !isPort(port, false) || notIP == nil && ip.IsUnspecified() {
		return peering.At{}, &Problem{"--peer-address " + p.address, "want the HOST:PORT at which others reach this machine", "such as node-1.example.org:7434"}
	}
	return peering.At{Listen: p.listen, Address: p.address}, nil
}

func isPort(text string, free bool) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && strconv.FormatUint(n, 10) == text && (n > 0 || free)
}
