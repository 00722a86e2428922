package guard

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// Connection is what the guard knows of the connection that a request came on.
type Connection struct {
	Local netip.AddrPort // of TCP; the port is that of the listener
	TLS   bool
	Unix  bool
	Own   bool              // on unix: the peer runs as the daemon's own user
	Agent bool              // and it is an agent's process, which is not the daemon's user
	As    *access.Principal // of the listener for peers: whose request another node passes on, which has let it in; nil: it is none of a peer's
}

type connKey struct{}

// Connected notes what the guard must know of a new connection, for http.Server's ConnContext. The process that connected is looked at now, while it is
// there: ofAgent says whether it is an agent's, or was started by one; nil: none is.
func Connected(ctx context.Context, c net.Conn, ofAgent func(pid int) bool) context.Context {
	conn := Connection{}
	if t, ok := c.(*tls.Conn); ok {
		conn.TLS = true
		c = t.NetConn()
	}
	switch c := c.(type) {
	case *net.UnixConn:
		var pid int
		conn.Unix = true
		conn.Own, pid = ownPeer(c)
		conn.Agent = pid != 0 && ofAgent != nil && ofAgent(pid) // a process that cannot be seen from here descends from no agent of this daemon
	default:
		conn.Local = addrPort(c.LocalAddr())
	}
	return With(ctx, conn)
}

// With is the context of a request that came on a connection.
func With(ctx context.Context, c Connection) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// ConnectionOf is the connection that a request came on. One that is not known is of TCP.
func ConnectionOf(ctx context.Context) Connection {
	if c, ok := ctx.Value(connKey{}).(Connection); ok {
		return c
	}
	addr, _ := ctx.Value(http.LocalAddrContextKey).(net.Addr)
	return Connection{Local: addrPort(addr)}
}

func addrPort(a net.Addr) netip.AddrPort {
	if t, ok := a.(*net.TCPAddr); ok {
		return t.AddrPort()
	}
	return netip.AddrPort{}
}
