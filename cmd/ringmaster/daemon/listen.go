package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/api"
)

// DefaultListen is where a daemon takes them that is told nothing else.
const DefaultListen = api.DefaultAddress

// Listen says where a daemon takes TCP connections.
type Listen struct {
	Address     string // HOST:PORT; empty: nowhere
	Certificate *tls.Certificate
	AllowRemote bool // an address beyond this machine is meant
	Cleartext   bool // and without TLS: something in front of the daemon has it
}

// ListenError says why an address cannot be listened on.
type ListenError struct {
	Address string
	Err     error
	Fix     string
}

func (e *ListenError) Error() string { return fmt.Sprintf("listen on %s: %v", e.Address, e.Err) }
func (e *ListenError) Unwrap() error { return e.Err }

// Hint is what mends it.
func (e *ListenError) Hint() string { return e.Fix }

// check refuses what would give the machine away by accident: a daemon runs code for whoever has its token, and a token
// that crosses a network in the clear is everybody's.
func (l Listen) check() error {
	if l.Address == "" {
		return nil
	}
	fail := func(problem, fix string) error { return &ListenError{l.Address, errors.New(problem), fix} }
	host, port, err := net.SplitHostPort(l.Address)
	if err != nil {
		return fail("want HOST:PORT", "such as 127.0.0.1:0")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return fail("the port is no number from 0 to 65535", "port 0 takes a free one")
	}
	if host == "" {
		return fail("an address without a host is every network of this machine", "say 127.0.0.1:"+port+" where that is not meant")
	}
	if host == "localhost" {
		return nil
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil:
		return fail("the host is neither localhost nor an IP address", "name the address: a name may come to mean another machine")
	case ip.IsLoopback():
		return nil
	case !l.AllowRemote:
		return fail("other machines could reach it", "--allow-remote with --tls-cert and --tls-key, where that is meant")
	case l.Certificate == nil && !l.Cleartext:
		return fail("the token would cross the network in the clear",
			"give --tls-cert and --tls-key; --dangerously-without-tls is for a proxy in front that has TLS")
	}
	return nil
}

// url is the base URL of the listener for clients on this machine.
func (l Listen) url(addr net.Addr) string {
	scheme := "http://"
	if l.Certificate != nil {
		scheme = "https://"
	}
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return scheme + addr.String()
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip.Is6() {
			host = "::1"
		}
	}
	return scheme + net.JoinHostPort(host, port)
}

// sockets are those on which a daemon listens.
func sockets() net.ListenConfig {
	listen := net.ListenConfig{Control: boundUnsent}
	listen.SetMultipathTCP(false) // its connections do not inherit the bound
	return listen
}

// Open listens for a process that is no daemon, and gives the address as clients on this machine have it. Whoever puts another certificate into current has
// it be that of connections that are made from then on.
func (l Listen) Open(current *atomic.Pointer[tls.Certificate]) (net.Listener, string, error) {
	if err := l.check(); err != nil {
		return nil, "", err
	}
	current.Store(l.Certificate)
	at, err := l.open(current)
	if err != nil {
		return nil, "", err
	}
	return at, l.url(at.Addr()), nil
}

// open listens. Over TLS each connection gets the certificate that is current then.
func (l Listen) open(current *atomic.Pointer[tls.Certificate]) (net.Listener, error) {
	listen := sockets()
	tcp, err := listen.Listen(context.Background(), "tcp", l.Address)
	if err != nil {
		return nil, &ListenError{Address: l.Address, Err: err, Fix: "name another port with --listen; port 0 takes a free one"}
	}
	if l.Certificate == nil {
		return tcp, nil
	}
	return tls.NewListener(tcp, &tls.Config{
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return current.Load(), nil },
		MinVersion:     tls.VersionTLS12, NextProtos: []string{"http/1.1"},
	}), nil
}

// listenSocket listens on a unix socket for this user only. What is there already was left by a daemon that was killed:
// the caller holds the folder's lock; anything but a socket is left alone.
func listenSocket(path string) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, &ListenError{
			Address: path, Err: fmt.Errorf("a socket's path has at most %d bytes", maxSocketPath),
			Fix: "name a shorter one with --socket, or none with --socket none",
		}
	}
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode().Type() == fs.ModeSocket:
		err = os.Remove(path)
	case err == nil:
		err = errors.New("something that is no socket is there")
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	var l net.Listener
	if err == nil {
		l, err = net.Listen("unix", path)
	}
	if err == nil {
		if err = os.Chmod(path, 0o600); err != nil {
			err = errors.Join(err, l.Close())
		}
	}
	if err != nil {
		return nil, &ListenError{Address: path, Err: err, Fix: "name another path with --socket, or none with --socket none"}
	}
	return l, nil
}

// maxSocketPath is what the systems have in common (sun_path of macOS), in bytes.
const maxSocketPath = 103
